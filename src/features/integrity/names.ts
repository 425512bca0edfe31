/** A list in a report that may be very long: the count, and the first names. */
export interface Names<Name = string> {
  count: number
  names: Name[]
}

/** Maximum number of names that a list keeps; its count includes all. */
export const NAMES_KEPT = 1000

export const noNames = <Name = string>(): Names<Name> => ({ count: 0, names: [] })

export function note<Name>(list: Names<Name>, name: Name, kept = NAMES_KEPT): void {
  list.count++
  if (list.names.length < kept) list.names.push(name)
}
