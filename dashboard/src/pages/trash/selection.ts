/** Which entries are selected, also across pages: their numbers, with the size of each for the sum. */

export type Selection = ReadonlyMap<number, number>

interface Entry {
  nr: number
  size: number
}

/** One entry in or out; with an anchor on the same page, everything between the two alike. */
export function toggled(
  selection: Selection,
  page: readonly Entry[],
  nr: number,
  anchor: number | null,
): Selection {
  const to = page.findIndex(entry => entry.nr === nr)
  if (to < 0) return selection
  const from = anchor === null ? -1 : page.findIndex(entry => entry.nr === anchor)
  const [first, last] = from < 0 ? [to, to] : [Math.min(from, to), Math.max(from, to)]
  return changed(selection, page.slice(first, last + 1), !selection.has(nr))
}

export function changed(selection: Selection, entries: readonly Entry[], isIn: boolean): Selection {
  const next = new Map(selection)
  for (const { nr, size } of entries) {
    if (isIn) next.set(nr, size)
    else next.delete(nr)
  }
  return next
}

export const bytesOf = (selection: Selection) => [...selection.values()].reduce((sum, size) => sum + size, 0)

/** Of a page: all, some or none. */
export function extentOf(selection: Selection, page: readonly Entry[]): 'all' | 'some' | 'none' {
  const count = page.filter(({ nr }) => selection.has(nr)).length
  return count === 0 ? 'none' : count === page.length ? 'all' : 'some'
}
