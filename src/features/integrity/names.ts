/** A list of names in a report, which may be very long: the number of all names, and the first ones. */
export interface CountedNames<Name = string> {
  count: number
  names: Name[]
}

/** Maximum number of names that a list keeps; `count` includes all. */
export const MAX_NAMES = 1000

export const emptyNameList = <Name = string>(): CountedNames<Name> => ({ count: 0, names: [] })

export function addName<Name>(list: CountedNames<Name>, name: Name, limit = MAX_NAMES): void {
  list.count++
  if (list.names.length < limit) list.names.push(name)
}
