/** The four occasions of messages to the chat webhook, in one list for server and dashboard. */

export const OCCASIONS = ['sicherung', 'verwaiste', 'platte', 'upload'] as const
export type Occasion = (typeof OCCASIONS)[number]

/** The given occasions in the order of the list, each once; unknown words are discarded. */
export const knownOccasions = (given: readonly string[]): Occasion[] =>
  OCCASIONS.filter(occasion => given.includes(occasion))
