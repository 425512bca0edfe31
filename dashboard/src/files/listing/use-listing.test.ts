import { expect, test } from 'bun:test'
import type { FileAnswer } from '../types.ts'
import { previewPollDelay } from './use-listing.ts'

const NOW = 1_000_000_000
const file = (art: string, vorschau: string | null, age: number) =>
  ({ art, vorschau, updated_at: NOW - age }) as FileAnswer

test.each<[string, FileAnswer[], number | false]>([
  ['no files', [], false],
  ['a picture that has its preview', [file('bilder', '/t/a.webp', 0)], false],
  ['a text, which gets none', [file('dokumente', null, 0)], false],
  ['a new picture', [file('bilder', null, 0)], 1500],
  ['a new picture, by a clock that runs ahead', [file('bilder', null, -2000)], 1500],
  ['an older picture: less often', [file('bilder', null, 40_000)], 10_000],
  ['the youngest decides', [file('video', null, 40_000), file('bilder', null, 8_000)], 2000],
  ['a picture that waits too long', [file('bilder', null, 600_000)], false],
])('%s', (_what, files, expected) => {
  expect(previewPollDelay(files, NOW)).toBe(expected)
})
