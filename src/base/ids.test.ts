import { expect, test } from 'bun:test'
import { newId } from './ids.ts'

test.each([1, 6, 10, 16, 33])('ids of %d characters have only those of the alphabet', length => {
  for (let n = 0; n < 1_000; n++) expect(newId(length)).toMatch(new RegExp(`^[0-9a-hjkmnp-tv-z]{${length}}$`))
})

test('no id comes twice, also where new random bytes are asked for in between', () => {
  const ids = Array.from({ length: 20_000 }, () => newId())
  expect(new Set(ids).size).toBe(ids.length)
})
