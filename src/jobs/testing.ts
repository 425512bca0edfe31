/** For tests with another subject: no process holds any lease. */
export const nobodyAtWork = { isHeld: async () => false }
