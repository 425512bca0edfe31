/**
 * The last line that a decoder above its memory bound writes to standard error. Not an exit code: the watchdog thread
 * writes this line while the main thread may be stuck, and a thread cannot choose the exit code of its process.
 */
export const MEMORY_WORDS = 'fundus decoder: memory bound reached'
