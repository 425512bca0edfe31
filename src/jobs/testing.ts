/** For tests with another subject: no process holds any task. */
export const nobodyAtWork = { isHeld: async () => false }
