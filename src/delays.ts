/** How long the running service waits for what, in milliseconds: in one place, so that tests need not sit it out. */
export interface Delays {
  /** Between letting an object go and removing it: a reader that has just looked its row up must still find it. */
  discard: number
  /** Between two looks for what the event streams have to tell. */
  look: number
  /** Between two signs of life on an event stream: below what proxies and the server itself count as idle. */
  heartbeat: number
  /** Between two looks for messages that are due: two reads of tables that are nearly always empty. */
  delivery: number
}

export const DELAYS: Delays = { discard: 3_000, look: 1_000, heartbeat: 20_000, delivery: 1_000 }
