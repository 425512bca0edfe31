import { expect, test } from 'bun:test'
import type { LibraryAnswer } from '../types.ts'
import { joinPages } from './use-further-pages.ts'

const answer = (ids: string, seite = 1) =>
  ({
    dateien: [...ids].map(id => ({ id })),
    ordner: [],
    seite,
    anzahl: 2,
    gesamt: 9,
  }) as unknown as LibraryAnswer
const text = ({ data, pageCount: pages }: ReturnType<typeof joinPages>) =>
  `${data.dateien.map(({ id }) => id).join('')} ${pages}`

test.each([
  ['the first page alone', [], 'ab 1'],
  ['pages below each other', [answer('cd', 2), answer('e', 3)], 'abcde 3'],
  ['up to the one that is missing', [answer('cd', 2), undefined, answer('gh', 4)], 'abcd 2'],
  ['a file that moved to the next page meanwhile is there once', [answer('bc', 2)], 'abc 2'],
])('%s', (_what, further, expected) => {
  expect(text(joinPages(answer('ab'), further))).toBe(expected)
})

test('the answer of the first page is kept as it is', () => {
  const first = answer('ab')
  expect(joinPages(first, []).data).toBe(first)
})
