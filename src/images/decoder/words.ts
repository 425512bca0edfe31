/**
 * Last words of a decoder above its memory bound. Not an exit code: they are said by its watchdog thread while
 * the main thread may be stuck, and a thread cannot choose the code of its process.
 */
export const MEMORY_WORDS = 'fundus decoder: memory bound reached'
