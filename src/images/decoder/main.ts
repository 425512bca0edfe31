/** The decoder process. Started by ../child.ts with its limits as the only argument. */
import { serve } from './serve.ts'

serve()
