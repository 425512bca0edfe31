/**
 * The position of each file in the gallery. It is computed from stored dimensions, so that nothing moves when
 * a picture loads, and so that a long list needs elements only for what is in sight.
 */
import type { Looks, View } from '../../looks.ts'
import { justifiedRows, ratioOf } from './justified.ts'

/** The position of a file in pixels, relative to the list. */
export interface Box {
  left: number
  top: number
  width: number
  height: number
}

/** Files under one heading; `text` is empty if the list has no headings. */
export interface Group<File> {
  text: string
  files: readonly File[]
}

export interface PlacedHeading {
  text: string
  top: number
  /** The index of the first file below the heading. */
  at: number
}

export interface Layout {
  /** The boxes by the index of the file, ordered from top to bottom and from left to right. */
  boxes: readonly Box[]
  headings: readonly PlacedHeading[]
  height: number
}

interface FileDimensions {
  breite?: number | undefined
  hoehe?: number | undefined
}

/** The selector of the element whose top is the top of the layout. */
export const ORIGIN = '[data-layout]'

export const GAP = 8
export const HEADING_HEIGHT = 40
/** Height of the line with the name below a picture of a row, in pixels. */
export const CAPTION_HEIGHT = 24
/**
 * Pixels of a card of the grid around its square preview: the margin, and the text with name and size below.
 */
const CARD = { margin: 8, text: 46 } as const
/** Height of a line of the list, in pixels; the same as in the CSS. */
export const LINE_HEIGHT = 48
/**
 * The height of a row relative to the chosen width of a card. Rows are a little higher, because most pictures
 * are not square.
 */
const ROW_BY_TILE = 1.25
/** Maximum height of a row relative to its width: even in a narrow window a row has at least two pictures. */
const ROW_BY_WIDTH = 0.42
/** From this chosen width of a card on, a narrow window may have a single card per row of the grid. */
const LARGE_TILE = 192

export function layOut(groups: readonly Group<FileDimensions>[], width: number, looks: Looks): Layout {
  const boxes: Box[] = []
  const headings: PlacedHeading[] = []
  let top = 0
  for (const { text, files } of groups) {
    if (text !== '') {
      headings.push({ text, top, at: boxes.length })
      top += HEADING_HEIGHT
    }
    const placed = PLACE[looks.view](files, width, looks)
    for (const box of placed.boxes) boxes.push({ ...box, top: box.top + top })
    top += placed.height + (looks.view === 'list' ? 0 : GAP)
  }
  return { boxes, headings, height: Math.max(0, top) }
}

type Place = (
  files: readonly FileDimensions[],
  width: number,
  looks: Looks,
) => Pick<Layout, 'boxes' | 'height'>

const PLACE: Readonly<Record<View, Place>> = { rows: placeRows, grid: placeGrid, list: placeLines }

function placeRows(files: readonly FileDimensions[], width: number, { tile, names }: Looks) {
  const target = Math.min(tile * ROW_BY_TILE, width * ROW_BY_WIDTH)
  const ratios = files.map(ratioOf)
  const boxes: Box[] = []
  let top = 0
  for (const { from, to, height } of justifiedRows(ratios, width, target, GAP)) {
    const room = Math.round(height) + (names ? CAPTION_HEIGHT : 0)
    let left = 0
    for (let at = from; at < to; at++) {
      const right = left + ratios[at]! * height
      // Edges are rounded, not widths, so that the right edges of all rows are in line.
      boxes.push({ left: Math.round(left), top, width: Math.round(right) - Math.round(left), height: room })
      left = right + GAP
    }
    top += room + GAP
  }
  return { boxes, height: top - GAP }
}

function placeGrid(files: readonly FileDimensions[], width: number, { tile }: Looks) {
  const fitting = Math.floor((width + GAP) / (tile + GAP))
  const columns = Math.max(tile >= LARGE_TILE ? 1 : 2, fitting)
  const each = (width - GAP * (columns - 1)) / columns
  const height = Math.round(each - 2 * CARD.margin) + 2 * CARD.margin + CARD.text
  const boxes = files.map((_, at) => ({
    left: (at % columns) * (each + GAP),
    top: Math.floor(at / columns) * (height + GAP),
    width: each,
    height,
  }))
  return { boxes, height: Math.ceil(files.length / columns) * (height + GAP) - GAP }
}

function placeLines(files: readonly FileDimensions[], width: number) {
  const boxes = files.map((_, at) => ({ left: 0, top: at * LINE_HEIGHT, width, height: LINE_HEIGHT }))
  return { boxes, height: files.length * LINE_HEIGHT }
}

/** The range of indexes of the boxes between two heights: the first, and the one after the last. */
export function boxesBetween(boxes: readonly Box[], top: number, bottom: number): [from: number, to: number] {
  const from = boxes.findIndex(box => box.top + box.height > top)
  if (from < 0) return [boxes.length, boxes.length]
  const behind = boxes.findIndex((box, at) => at >= from && box.top >= bottom)
  return [from, behind < 0 ? boxes.length : behind]
}
