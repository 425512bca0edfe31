/**
 * Computes the position of each file in the gallery from stored dimensions. Therefore nothing moves when a
 * picture loads, and a long list needs elements only for the files in view.
 */
import type { View, ViewOptions } from '../../view-options.ts'
import { frameRatio, justifiedRows } from './justified-rows.ts'

/** The position and size of a file's card, in pixels. The position is relative to the list. */
export interface Box {
  left: number
  top: number
  width: number
  height: number
}

/** Files under one heading; `text` is empty if the list has no headings. */
export interface FileGroup<File> {
  text: string
  files: readonly File[]
}

export interface PlacedHeading {
  text: string
  top: number
  /** The index of the first file below the heading. */
  firstIndex: number
}

export interface Layout {
  /** The box of each file, in the order of the files: from top to bottom and from left to right. */
  boxes: readonly Box[]
  headings: readonly PlacedHeading[]
  height: number
}

interface FileDimensions {
  breite?: number | undefined
  hoehe?: number | undefined
}

/** The selector of the element whose top is the top of the layout. */
export const ORIGIN_SELECTOR = '[data-layout]'

export const CARD_GAP = 8
export const HEADING_HEIGHT = 40
/** In the view `rows`: height, in pixels, of the line with the file name below each picture. */
export const CAPTION_HEIGHT = 24
/**
 * Pixels that a card of the grid adds to its square preview: `margin` on each side, and `textHeight` below
 * for name and size.
 */
const CARD_FRAME = { margin: 8, textHeight: 46 } as const
/** Height of a line of the list, in pixels. It must be the same as in the CSS. */
export const LINE_HEIGHT = 48
/**
 * The intended height of a row relative to `cardWidth`, the card size that the user chose. Rows are a little
 * higher than this width, because most pictures are not square.
 */
const ROW_HEIGHT_PER_CARD_WIDTH = 1.25
/**
 * Maximum intended height of a row relative to its width, so that two pictures of usual proportions fit into
 * a row even in a narrow window.
 */
const MAX_ROW_HEIGHT_PER_WIDTH = 0.42
/** The smallest `cardWidth`, in pixels, at which the grid may have a single column in a narrow window. */
const MIN_SINGLE_COLUMN_WIDTH = 192

/** Computes the positions of all files, for the available width and the chosen view. */
export function computeLayout(
  groups: readonly FileGroup<FileDimensions>[],
  width: number,
  viewOptions: ViewOptions,
): Layout {
  const boxes: Box[] = []
  const headings: PlacedHeading[] = []
  let top = 0
  for (const { text, files } of groups) {
    if (text !== '') {
      headings.push({ text, top, firstIndex: boxes.length })
      top += HEADING_HEIGHT
    }
    const groupLayout = LAYOUT_FUNCTIONS[viewOptions.view](files, width, viewOptions)
    for (const box of groupLayout.boxes) boxes.push({ ...box, top: box.top + top })
    top += groupLayout.height + (viewOptions.view === 'list' ? 0 : CARD_GAP)
  }
  return { boxes, headings, height: Math.max(0, top) }
}

/** Lays out the files of one group in a view. The positions are relative to the group. */
type GroupLayoutFunction = (
  files: readonly FileDimensions[],
  width: number,
  viewOptions: ViewOptions,
) => Pick<Layout, 'boxes' | 'height'>

const LAYOUT_FUNCTIONS: Readonly<Record<View, GroupLayoutFunction>> = {
  rows: placeRows,
  grid: placeGrid,
  list: placeLines,
}

function placeRows(files: readonly FileDimensions[], width: number, { cardWidth, showsNames }: ViewOptions) {
  const targetHeight = Math.min(cardWidth * ROW_HEIGHT_PER_CARD_WIDTH, width * MAX_ROW_HEIGHT_PER_WIDTH)
  const ratios = files.map(frameRatio)
  const boxes: Box[] = []
  let top = 0
  for (const { from, to, height } of justifiedRows(ratios, width, targetHeight, CARD_GAP)) {
    const rowHeight = Math.round(height) + (showsNames ? CAPTION_HEIGHT : 0)
    let leftEdge = 0
    for (let index = from; index < to; index++) {
      const rightEdge = leftEdge + ratios[index]! * height
      // Edges are rounded, not widths, so that the right edges of all rows are in line.
      boxes.push({
        left: Math.round(leftEdge),
        top,
        width: Math.round(rightEdge) - Math.round(leftEdge),
        height: rowHeight,
      })
      leftEdge = rightEdge + CARD_GAP
    }
    top += rowHeight + CARD_GAP
  }
  return { boxes, height: top - CARD_GAP }
}

function placeGrid(files: readonly FileDimensions[], width: number, { cardWidth }: ViewOptions) {
  const fittingColumnCount = Math.floor((width + CARD_GAP) / (cardWidth + CARD_GAP))
  const columnCount = Math.max(cardWidth >= MIN_SINGLE_COLUMN_WIDTH ? 1 : 2, fittingColumnCount)
  const columnWidth = (width - CARD_GAP * (columnCount - 1)) / columnCount
  const cardHeight =
    Math.round(columnWidth - 2 * CARD_FRAME.margin) + 2 * CARD_FRAME.margin + CARD_FRAME.textHeight
  const boxes = files.map((_, index) => ({
    left: (index % columnCount) * (columnWidth + CARD_GAP),
    top: Math.floor(index / columnCount) * (cardHeight + CARD_GAP),
    width: columnWidth,
    height: cardHeight,
  }))
  return { boxes, height: Math.ceil(files.length / columnCount) * (cardHeight + CARD_GAP) - CARD_GAP }
}

function placeLines(files: readonly FileDimensions[], width: number) {
  const boxes = files.map((_, index) => ({ left: 0, top: index * LINE_HEIGHT, width, height: LINE_HEIGHT }))
  return { boxes, height: files.length * LINE_HEIGHT }
}

/**
 * The range of indexes of the boxes that are at least partly between two vertical positions; `to` is the
 * index after the last one. If there are none, `from` and `to` are equal.
 */
export function boxRangeBetween(
  boxes: readonly Box[],
  top: number,
  bottom: number,
): [from: number, to: number] {
  const from = boxes.findIndex(box => box.top + box.height > top)
  if (from < 0) return [boxes.length, boxes.length]
  const endIndex = boxes.findIndex((box, index) => index >= from && box.top >= bottom)
  return [from, endIndex < 0 ? boxes.length : endIndex]
}
