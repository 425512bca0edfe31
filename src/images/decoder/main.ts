/** The decoder process. Started by ../child.ts with its limits and the number of the parent as arguments. */
import { sealPrototypes } from '../../base/sealed-prototypes.ts'
import { serve } from './serve.ts'

sealPrototypes()
serve()
