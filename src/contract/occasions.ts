/** The occasions of messages to the chat webhook. Server and dashboard share this list, so that both hold the same four. */

export const OCCASIONS = ['sicherung', 'verwaiste', 'platte', 'upload'] as const
export type Occasion = (typeof OCCASIONS)[number]

/** In our order, each once; what is not among the four is discarded. */
export const knownOccasions = (given: readonly string[]): Occasion[] =>
  OCCASIONS.filter(occasion => given.includes(occasion))
