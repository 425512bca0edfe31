/** The decoder process. Started by ../child.ts with its limits and the number of the parent as arguments. */
import { serve } from './serve.ts'

serve()
