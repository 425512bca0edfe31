/** For tests of other things: nobody holds any task. */
export const nobodyAtWork = { isHeld: async () => false }
