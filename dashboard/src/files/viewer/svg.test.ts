import { expect, test } from 'bun:test'
import { parseSvgRoot } from './svg.ts'

test.each([
  ['<svg xmlns="x" width="20" height="10">', { hasSize: true, hasViewBox: false }],
  [
    "<?xml version='1.0'?>\n<svg\n width='20mm'\n height='1e2'\n viewBox='0 0 1 1'>",
    { hasSize: true, hasViewBox: true },
  ],
  ['<svg viewBox="0 0 4 4"><rect width="4" height="4"/></svg>', { hasSize: false, hasViewBox: true }],
  ['<svg width="100%" height="100%">', { hasSize: false, hasViewBox: false }],
  ['<svg width="20">', { hasSize: false, hasViewBox: false }],
  ['<svg stroke-width="2" line-height="3">', { hasSize: false, hasViewBox: false }],
  ['<html>', null],
])('the root of %j', (text, expected) => {
  expect(parseSvgRoot(text)).toEqual(expected)
})
