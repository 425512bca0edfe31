/** The occasions of messages to the chat webhook, for server and dashboard. */

export const OCCASIONS = ['sicherung', 'verwaiste', 'platte', 'upload'] as const
export type Occasion = (typeof OCCASIONS)[number]

/** The known words among the given ones, each once, in the order of `OCCASIONS`. */
export const knownOccasions = (words: readonly string[]): Occasion[] =>
  OCCASIONS.filter(occasion => words.includes(occasion))
