/** Navigation by arrow keys, according to the positions of the files in rows of any width. */
import type { Box } from './layout.ts'

export const ARROWS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'] as const
export type Arrow = (typeof ARROWS)[number]

const middleOf = ({ left, width }: Box) => left + width / 2

/**
 * The index of the file to which an arrow key moves from the file `at` (-1: no file is focused). At an edge
 * the index does not change. Up and down move to the file above or below the middle of the present one, or
 * above or below `column`.
 */
export function stepFrom(at: number, key: Arrow, boxes: readonly Box[], column?: number): number {
  const from = boxes[at]
  if (!from) return boxes.length > 0 ? 0 : -1
  if (key === 'ArrowLeft') return Math.max(0, at - 1)
  if (key === 'ArrowRight') return Math.min(boxes.length - 1, at + 1)
  const isDown = key === 'ArrowDown'
  const row = isDown
    ? boxes.find(({ top }, index) => index > at && top > from.top)?.top
    : boxes.findLast(({ top }, index) => index < at && top < from.top)?.top
  if (row === undefined) return at
  const x = column ?? middleOf(from)
  const distance = ({ left, width }: Box) => Math.max(left - x, x - (left + width), 0)
  const [first, last] = [
    boxes.findIndex(({ top }) => top === row),
    boxes.findLastIndex(({ top }) => top === row),
  ]
  let nearest = first
  for (let index = first; index <= last; index++)
    if (distance(boxes[index]!) < distance(boxes[nearest]!)) nearest = index
  return nearest
}

/**
 * Returns a function like `stepFrom` that remembers the column: repeated steps up or down stay in the column
 * in which they began, until a step sideways.
 */
export function createSteps() {
  let kept: { at: number; x: number } | null = null
  return (at: number, key: Arrow, boxes: readonly Box[]): number => {
    const isUpright = key === 'ArrowUp' || key === 'ArrowDown'
    const from = boxes[at]
    const x = kept?.at === at ? kept.x : from && middleOf(from)
    const to = stepFrom(at, key, boxes, isUpright ? x : undefined)
    kept = isUpright && from && x !== undefined ? { at: to, x } : null
    return to
  }
}
