/** The occasions on which the chat webhook gets a message, for server and dashboard. */

export const OCCASIONS = ['sicherung', 'verwaiste', 'platte', 'upload'] as const
export type Occasion = (typeof OCCASIONS)[number]

/** The occasions that `names` contains, each once, in the order of `OCCASIONS`; unknown names are ignored. */
export const knownOccasions = (names: readonly string[]): Occasion[] =>
  OCCASIONS.filter(occasion => names.includes(occasion))
