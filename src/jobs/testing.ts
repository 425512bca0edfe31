/** A `Coordination` for tests of other features: no process holds any lease. */
export const noLeasesHeld = { isHeld: async () => false }
