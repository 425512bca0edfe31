/** The decoder process. Started by ../child.ts with its limits as the only argument. */
import { perform } from './perform.ts'
import { serve } from './serve.ts'

serve(perform)
