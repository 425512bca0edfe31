/** Replaces `Coordination` in tests of features that only call `isHeld`: no process holds any lease. */
export const noLeasesHeld = { isHeld: async () => false }
