import { expect, test } from 'bun:test'
import { beginningOf, isText } from './text.ts'

test.each([
  ['', 0],
  ['one', 1],
  ['one\n', 1],
  ['one\ntwo', 2],
  ['\n\n', 2],
])('%j has %i lines', (text, lines) => {
  expect(beginningOf(text)).toEqual({ text, lineCount: lines })
})

test('of very many lines the first', () => {
  const { text, lineCount: lines } = beginningOf('x\n'.repeat(5001))
  expect([lines, text.length]).toEqual([5000, 10_000])
  expect(beginningOf('x\n'.repeat(5000)).text).toHaveLength(10_000)
})

test.each([
  ['a.txt', 'text/plain; charset=utf-8', 'dokumente', true],
  ['a.json', 'application/json', 'dokumente', true],
  ['a.lua', 'application/octet-stream', 'sonstige', true],
  ['a.csv', 'text/csv', 'dokumente', true],
  ['a.svg', 'image/svg+xml', 'bilder', false],
  ['a.ts', 'video/mp2t', 'video', false],
  ['a.pdf', 'application/pdf', 'dokumente', false],
  ['a.bin', 'application/octet-stream', 'sonstige', false],
])('%s of type %s as %s is a text: %p', (path, mime, art, expected) => {
  expect(isText({ path, mime, art })).toBe(expected)
})
