import { describe, expect, test } from 'bun:test'
import { clampToStage, FITTED_VIEW, percentOf, toggleZoom, type ZoomSizes, zoomAroundPoint } from './zoom.ts'

const LARGE: ZoomSizes = {
  stageSize: { width: 1000, height: 800 },
  fittedSize: { width: 1000, height: 500 },
  originalWidth: 4000,
}
const SMALL: ZoomSizes = {
  stageSize: { width: 1000, height: 800 },
  fittedSize: { width: 64, height: 64 },
  originalWidth: 64,
}
const MIDDLE = { x: 0, y: 0 }

test.each([
  ['a large picture that fits', FITTED_VIEW, LARGE, 25],
  ['its own pixels', { scale: 4, x: 0, y: 0 }, LARGE, 100],
  ['a small picture', FITTED_VIEW, SMALL, 100],
] as const)('percent of %s', (_what, view, sizes, percent) => {
  expect(percentOf(view, sizes)).toBe(percent)
})

describe('enlarging', () => {
  test('the point stays where it is', () => {
    const point = { x: 200, y: 50 }
    const once = zoomAroundPoint(FITTED_VIEW, 3, point, LARGE)
    expect([(point.x - once.x) / once.scale, (point.y - once.y) / once.scale]).toEqual([200, 50])
  })

  test('neither smaller than fitted nor without end', () => {
    expect(zoomAroundPoint({ scale: 2, x: 10, y: 0 }, 0.2, MIDDLE, LARGE)).toEqual(FITTED_VIEW)
    expect(zoomAroundPoint(FITTED_VIEW, 1e9, MIDDLE, LARGE).scale).toBe(32)
    expect(zoomAroundPoint(FITTED_VIEW, 1e9, MIDDLE, SMALL).scale).toBe(8)
    // A vector graphic fills the stage, however small its own size is.
    expect(zoomAroundPoint(FITTED_VIEW, 2, MIDDLE, { ...LARGE, originalWidth: 24 })).toEqual(FITTED_VIEW)
  })

  test('a double click shows its own pixels, of a small one the double size, and goes back', () => {
    expect(toggleZoom(FITTED_VIEW, MIDDLE, LARGE).scale).toBe(4)
    expect(toggleZoom(FITTED_VIEW, MIDDLE, SMALL).scale).toBe(2)
    expect(toggleZoom({ scale: 4, x: 3, y: 3 }, MIDDLE, LARGE)).toEqual(FITTED_VIEW)
  })
})

test.each([
  ['beyond the edge', { scale: 2, x: 900, y: 900 }, { scale: 2, x: 500, y: 100 }],
  ['within', { scale: 2, x: -300, y: -50 }, { scale: 2, x: -300, y: -50 }],
  ['where there is room it stays centred', { scale: 1.2, x: 50, y: 50 }, { scale: 1.2, x: 50, y: 0 }],
])('moved %s', (_what, view, expected) => {
  expect(clampToStage(view, LARGE)).toEqual(expected)
})
