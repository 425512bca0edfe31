/**
 * Where each file of the gallery lies. It is computed from stored dimensions, so that nothing moves when a
 * picture loads, and so that a long list needs no elements for what is out of sight.
 */
import type { Looks, View } from '../../looks.ts'
import { justifiedRows, ratioOf } from './justified.ts'

/** In pixels, relative to the list. */
export interface Box {
  left: number
  top: number
  width: number
  height: number
}

/** Files under one heading. `text`: empty if the list has no headings. */
export interface Group<File> {
  text: string
  files: readonly File[]
}

export interface PlacedHeading {
  text: string
  top: number
  /** The index of the file that follows. */
  at: number
}

export interface Layout {
  /** By the index of the file, from top to bottom and from left to right. */
  boxes: readonly Box[]
  headings: readonly PlacedHeading[]
  height: number
}

interface Measured {
  breite?: number | undefined
  hoehe?: number | undefined
}

/** The element whose top is the top of the layout. */
export const ORIGIN = '[data-layout]'

export const GAP = 8
export const HEADING_HEIGHT = 40
/** The line with the name below a picture of a row. */
export const CAPTION_HEIGHT = 24
/** A card of the grid around its square preview: margin, and below it name and size. */
const CARD = { margin: 8, text: 46 } as const
/** Of the list, in CSS too. */
export const LINE_HEIGHT = 48
/** A row is a little higher than a card is wide: its pictures are seldom as wide as high. */
const ROW_BY_TILE = 1.25
/** On a narrow window a row has at least two pictures. */
const ROW_BY_WIDTH = 0.42
/** From this width of a card on, a narrow window may show one in a row. */
const LARGE_TILE = 192

export function layOut(groups: readonly Group<Measured>[], width: number, looks: Looks): Layout {
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

type Place = (files: readonly Measured[], width: number, looks: Looks) => Pick<Layout, 'boxes' | 'height'>

const PLACE: Readonly<Record<View, Place>> = { rows: placeRows, grid: placeGrid, list: placeLines }

function placeRows(files: readonly Measured[], width: number, { tile, names }: Looks) {
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

function placeGrid(files: readonly Measured[], width: number, { tile }: Looks) {
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

function placeLines(files: readonly Measured[], width: number) {
  const boxes = files.map((_, at) => ({ left: 0, top: at * LINE_HEIGHT, width, height: LINE_HEIGHT }))
  return { boxes, height: files.length * LINE_HEIGHT }
}

/** The indexes of the boxes between two heights: from the first to the one after the last. */
export function between(boxes: readonly Box[], top: number, bottom: number): [from: number, to: number] {
  const from = boxes.findIndex(box => box.top + box.height > top)
  if (from < 0) return [boxes.length, boxes.length]
  const behind = boxes.findIndex((box, at) => at >= from && box.top >= bottom)
  return [from, behind < 0 ? boxes.length : behind]
}
