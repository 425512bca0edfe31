import { describe, expect, test } from 'bun:test'
import { DEFAULT_VIEW_OPTIONS, type ViewOptions } from '../../view-options.ts'
import { frameRatio, justifiedRows } from './justified-rows.ts'
import { boxRangeBetween, CARD_GAP, computeLayout, HEADING_HEIGHT } from './layout.ts'

const SHAPES = [4 / 3, 3 / 2, 3 / 4, 16 / 9, 9 / 16, 1, 3, 2 / 3]
const shapes = (count: number) => Array.from({ length: count }, (_, at) => SHAPES[(at * 5) % SHAPES.length]!)
const files = (count: number) => shapes(count).map(ratio => ({ breite: ratio * 1000, hoehe: 1000 }))
const looks = (change: Partial<ViewOptions>): ViewOptions => ({ ...DEFAULT_VIEW_OPTIONS, ...change })

describe('justified rows', () => {
  test.each([358, 700, 1053, 1600])(
    'at %i pixels every row but the last fills the width, near its height',
    width => {
      const ratios = shapes(200)
      const rows = justifiedRows(ratios, width, 200, CARD_GAP)
      expect(rows.map(({ from }) => from)).toEqual([0, ...rows.slice(0, -1).map(({ to }) => to)])
      expect(rows.at(-1)!.to).toBe(200)
      for (const { from, to, height } of rows.slice(0, -1)) {
        const sum = ratios.slice(from, to).reduce((all, ratio) => all + ratio, 0)
        expect(sum * height + CARD_GAP * (to - from - 1)).toBeCloseTo(width, 6)
        expect(height).toBeGreaterThan(200 / 1.8)
        expect(height).toBeLessThan(200 * 1.8)
      }
    },
  )

  test('a last row that does not fill the width keeps the usual height', () => {
    expect(justifiedRows([1, 1], 1000, 200, CARD_GAP)).toEqual([{ from: 0, to: 2, height: 200 }])
    expect(justifiedRows([], 1000, 200, CARD_GAP)).toEqual([])
  })

  test.each([
    [{ breite: 4000, hoehe: 3000 }, 4 / 3],
    [{}, 1],
    [{ breite: 0, hoehe: 10 }, 1],
    [{ breite: 100_000, hoehe: 10 }, 3.2],
    [{ breite: 10, hoehe: 100_000 }, 0.4],
  ])('the frame of %j', (measures, ratio) => {
    expect(frameRatio(measures)).toBe(ratio)
  })
})

test.each(['rows', 'grid', 'list'] as const)(
  '%s: no two files lie over each other, none beside the list',
  view => {
    const { boxes, height } = computeLayout([{ text: '', files: files(60) }], 1053, looks({ view }))
    for (const [at, box] of boxes.entries()) {
      expect(box.left).toBeGreaterThanOrEqual(0)
      expect(box.left + box.width).toBeLessThanOrEqual(1053)
      expect(box.top + box.height).toBeLessThanOrEqual(height)
      for (const other of boxes.slice(at + 1)) {
        const isBeside = other.left >= box.left + box.width || other.top >= box.top + box.height
        expect(isBeside || other.left + other.width <= box.left).toBe(true)
      }
    }
  },
)

test('squares: as many columns as fit, and two on the narrowest window', () => {
  const columns = (width: number, cardWidth: number) =>
    computeLayout([{ text: '', files: files(30) }], width, looks({ view: 'grid', cardWidth })).boxes.filter(
      ({ top }) => top === 0,
    ).length
  expect([columns(1053, 160), columns(280, 160), columns(280, 352)]).toEqual([6, 2, 1])
})

test('a heading has its own line, and begins a new row', () => {
  const groups = [
    { text: 'Heute', files: files(3) },
    { text: 'Gestern', files: files(2) },
  ]
  const { boxes, headings } = computeLayout(groups, 5000, looks({ view: 'rows' }))
  expect(headings.map(({ text, firstIndex: at }) => [text, at])).toEqual([
    ['Heute', 0],
    ['Gestern', 3],
  ])
  expect(boxes[0]!.top).toBe(HEADING_HEIGHT)
  expect(boxes[3]).toMatchObject({ left: 0, top: headings[1]!.top + HEADING_HEIGHT })
})

test('which files lie between two heights', () => {
  const { boxes } = computeLayout([{ text: '', files: files(100) }], 1053, looks({ view: 'list' }))
  expect(boxRangeBetween(boxes, 0, 480)).toEqual([0, 10])
  expect(boxRangeBetween(boxes, 490, 960)).toEqual([10, 20])
  expect(boxRangeBetween(boxes, 1e6, 2e6)).toEqual([100, 100])
})
