/** For tests of other subjects: no process holds any lease. */
export const nobodyAtWork = { isHeld: async () => false }
