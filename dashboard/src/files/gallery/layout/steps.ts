/** Navigation by arrow keys among files whose boxes have different widths. */
import type { Box } from './layout.ts'

export const ARROWS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'] as const
export type Arrow = (typeof ARROWS)[number]

const middleOf = ({ left, width }: Box) => left + width / 2

/**
 * Returns the index of the file to which an arrow key moves from index `at`. If no file is focused (-1), this
 * is the first file; -1 if there are no files. At the edge of the list the index does not change. Up and down
 * move to the file in the next row that is closest to `column`, a horizontal position in pixels; the default
 * is the middle of the current file.
 */
export function stepFrom(at: number, key: Arrow, boxes: readonly Box[], column?: number): number {
  const startBox = boxes[at]
  if (!startBox) return boxes.length > 0 ? 0 : -1
  if (key === 'ArrowLeft') return Math.max(0, at - 1)
  if (key === 'ArrowRight') return Math.min(boxes.length - 1, at + 1)
  const isDown = key === 'ArrowDown'
  const rowTop = isDown
    ? boxes.find(({ top }, index) => index > at && top > startBox.top)?.top
    : boxes.findLast(({ top }, index) => index < at && top < startBox.top)?.top
  if (rowTop === undefined) return at
  const x = column ?? middleOf(startBox)
  const distanceToColumn = ({ left, width }: Box) => Math.max(left - x, x - (left + width), 0)
  const [first, last] = [
    boxes.findIndex(({ top }) => top === rowTop),
    boxes.findLastIndex(({ top }) => top === rowTop),
  ]
  let nearest = first
  for (let index = first; index <= last; index++)
    if (distanceToColumn(boxes[index]!) < distanceToColumn(boxes[nearest]!)) nearest = index
  return nearest
}

/**
 * Returns a function like `stepFrom` that remembers the column: repeated steps up or down stay in the column
 * in which they began, until a step sideways.
 */
export function createStepper() {
  let lastStep: { at: number; x: number } | null = null
  return (at: number, key: Arrow, boxes: readonly Box[]): number => {
    const isVertical = key === 'ArrowUp' || key === 'ArrowDown'
    const startBox = boxes[at]
    const x = lastStep?.at === at ? lastStep.x : startBox && middleOf(startBox)
    const to = stepFrom(at, key, boxes, isVertical ? x : undefined)
    lastStep = isVertical && startBox && x !== undefined ? { at: to, x } : null
    return to
  }
}
