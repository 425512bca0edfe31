/** The decoder process. `../child.ts` starts it with limits and the parent's pid as arguments. */
import { sealPrototypes } from '../../base/sealed-prototypes.ts'
import { serveJobs } from './serve.ts'

sealPrototypes()
serveJobs()
