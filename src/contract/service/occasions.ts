/** The occasions of messages to the chat webhook, for server and dashboard. */

export const OCCASIONS = ['sicherung', 'verwaiste', 'platte', 'upload'] as const
export type Occasion = (typeof OCCASIONS)[number]

/** In the order of the list, each once; unknown words are dropped. */
export const knownOccasions = (given: readonly string[]): Occasion[] =>
  OCCASIONS.filter(occasion => given.includes(occasion))
