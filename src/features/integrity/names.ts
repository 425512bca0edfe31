/**
 * A list in a report that may grow without bound: the number of entries, and the names of the first of them.
 */
export interface Names<Name = string> {
  count: number
  names: Name[]
}

/** How many names each list keeps; the count goes on beyond that. */
export const NAMES_KEPT = 1000

export const noNames = <Name = string>(): Names<Name> => ({ count: 0, names: [] })

export function note<Name>(list: Names<Name>, name: Name, kept = NAMES_KEPT): void {
  list.count++
  if (list.names.length < kept) list.names.push(name)
}
