/** The decoder process. `../child.ts` starts it with limits and the parent's pid as arguments. */
import { sealPrototypes } from '../../base/sealed-prototypes.ts'
import { serve } from './serve.ts'

sealPrototypes()
serve()
