import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { changeOf } from './change.ts'

describe('changeOf', () => {
  test.each([
    ['items/alt.png', 'items/neu.png', 'items/', 'alt', 'neu', '.png'],
    ['a.png', 'a-2.png', 'a', '', '-2', '.png'],
    ['aaa', 'aa', 'aa', 'a', '', ''],
    ['ab-ab/ab', 'x-x/x', '', 'ab-ab/ab', 'x-x/x', ''],
    ['gleich', 'gleich', 'gleich', '', '', ''],
  ])('%s → %s', (from, to, before, removed, added, after) =>
    expect(changeOf(from, to)).toEqual({ before, removed, added, after }),
  )

  test('both paths can be put together again', () => {
    const path = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 12 })
    fc.assert(
      fc.property(path, path, (from, to) => {
        const { before, removed, added, after } = changeOf(from, to)
        expect([before + removed + after, before + added + after]).toEqual([from, to])
      }),
    )
  })
})
