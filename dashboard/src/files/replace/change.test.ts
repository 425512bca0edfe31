import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { diffPaths, type PathDiffPart } from './change.ts'

const shown = (pieces: readonly PathDiffPart[]) =>
  pieces.map(piece => ('same' in piece ? piece.same : `[${piece.from}>${piece.to}]`)).join('')

describe('piecesOf', () => {
  test.each([
    ['items/alt.png', 'items/neu.png', 'items/[alt>neu].png'],
    ['a.png', 'a-2.png', 'a[>-2].png'],
    ['aaa', 'aa', 'aa[a>]'],
    ['gleich', 'gleich', 'gleich[>]'],
  ])('%s → %s: %s', (from, to, expected) => expect(shown(diffPaths(from, to))).toBe(expected))

  test.each([
    ['flask-a.png', 'trank-a.png', 'flask', 'trank', '[flask>trank]-a.png'],
    ['ab-ab/ab', 'x-x/x', 'ab', 'x', '[ab>x]-[ab>x]/[ab>x]'],
    // The service shortens what would grow without limit: such a path is not the exact replacement.
    ['aa', 'bbb…', 'a', 'bbb', '[aa>bbb…]'],
  ])('%s → %s by a text: %s', (from, to, search, by, expected) =>
    expect(shown(diffPaths(from, to, { search, by }))).toBe(expected),
  )

  test('both paths can be put together again', () => {
    const path = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 12 })
    const search = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 2 })
    const side = (pieces: readonly PathDiffPart[], which: 'from' | 'to') =>
      pieces.map(piece => ('same' in piece ? piece.same : piece[which])).join('')
    fc.assert(
      fc.property(path, path, search, (from, to, text) => {
        const by = { search: text, by: to }
        for (const [goal, pieces] of [
          [to, diffPaths(from, to)],
          [from.replaceAll(text, to), diffPaths(from, from.replaceAll(text, to), by)],
        ] as const) {
          expect([side(pieces, 'from'), side(pieces, 'to')]).toEqual([from, goal])
        }
      }),
    )
  })
})
