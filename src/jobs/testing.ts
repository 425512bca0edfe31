/** For tests that do not concern coordination: no process holds any lease. */
export const nobodyAtWork = { isHeld: async () => false }
