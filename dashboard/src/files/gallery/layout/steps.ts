/** Navigation by arrow keys among files whose boxes have different widths. */
import type { Box } from './layout.ts'

export const ARROW_KEYS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'] as const
export type ArrowKey = (typeof ARROW_KEYS)[number]

const middleOf = ({ left, width }: Box) => left + width / 2

/**
 * Returns the index of the file to which an arrow key moves from `startIndex`. If no file is focused
 * (`startIndex` is -1), the result is the first file, or -1 if there are no files. At the edge of the list
 * the index does not change. Up and down move to the row above or below, to the file that is closest to
 * `columnX`, a horizontal position in pixels; the default is the middle of the current file.
 */
export function indexAfterStep(
  startIndex: number,
  key: ArrowKey,
  boxes: readonly Box[],
  columnX?: number,
): number {
  const startBox = boxes[startIndex]
  if (!startBox) return boxes.length > 0 ? 0 : -1
  if (key === 'ArrowLeft') return Math.max(0, startIndex - 1)
  if (key === 'ArrowRight') return Math.min(boxes.length - 1, startIndex + 1)
  const isDown = key === 'ArrowDown'
  const rowTop = isDown
    ? boxes.find(({ top }, index) => index > startIndex && top > startBox.top)?.top
    : boxes.findLast(({ top }, index) => index < startIndex && top < startBox.top)?.top
  if (rowTop === undefined) return startIndex
  const x = columnX ?? middleOf(startBox)
  const distanceToColumn = ({ left, width }: Box) => Math.max(left - x, x - (left + width), 0)
  const [firstIndex, lastIndex] = [
    boxes.findIndex(({ top }) => top === rowTop),
    boxes.findLastIndex(({ top }) => top === rowTop),
  ]
  let nearestIndex = firstIndex
  for (let index = firstIndex; index <= lastIndex; index++)
    if (distanceToColumn(boxes[index]!) < distanceToColumn(boxes[nearestIndex]!)) nearestIndex = index
  return nearestIndex
}

/**
 * Returns a function like `indexAfterStep` that remembers the column: repeated steps up or down stay in the
 * column in which they began, until a step sideways or until another file gets the focus.
 */
export function createStepper() {
  let lastStep: { index: number; x: number } | null = null
  return (startIndex: number, key: ArrowKey, boxes: readonly Box[]): number => {
    const isVertical = key === 'ArrowUp' || key === 'ArrowDown'
    const startBox = boxes[startIndex]
    const x = lastStep?.index === startIndex ? lastStep.x : startBox && middleOf(startBox)
    const endIndex = indexAfterStep(startIndex, key, boxes, isVertical ? x : undefined)
    lastStep = isVertical && startBox && x !== undefined ? { index: endIndex, x } : null
    return endIndex
  }
}
