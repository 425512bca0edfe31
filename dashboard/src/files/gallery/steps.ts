/** Arrow-key navigation in a grid of cards. */

export const ARROWS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'] as const
export type Arrow = (typeof ARROWS)[number]

/** `at` is -1 without a focused card. At an edge the position stays. */
export function stepFrom(at: number, key: Arrow, count: number, columns: number): number {
  if (at < 0) return count > 0 ? 0 : -1
  const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[key]
  const to = at + by
  if (to < 0) return at
  if (to < count) return to
  // Above a gap in the last row, down leads to the last card.
  const lastRow = Math.floor((count - 1) / columns)
  return key === 'ArrowDown' && Math.floor(at / columns) < lastRow ? count - 1 : at
}

/** Number of cards in the first row. */
export function columnsOf(cards: readonly Element[]): number {
  const first = cards[0]?.getBoundingClientRect().top
  const next = cards.findIndex(card => card.getBoundingClientRect().top !== first)
  return Math.max(1, next < 0 ? cards.length : next)
}
