import { describe, expect, test } from 'bun:test'
import type { FileAnswer } from '../../../../../src/contract/library.ts'
import { banded, NOTHING, only, rangeTo, refreshed, toggle, toggleAll, without } from './selection.ts'

const file = (id: string) => ({ id, path: `items/${id}.png` }) as FileAnswer
const FILES = ['a', 'b', 'c', 'd', 'e'].map(file)
const [A, B, C, D, E] = FILES as [FileAnswer, FileAnswer, FileAnswer, FileAnswer, FileAnswer]
const ids = ({ chosen }: { chosen: ReadonlyMap<string, unknown> }) => [...chosen.keys()].sort().join('')

describe('choosing', () => {
  test('a click chooses one and lets the others go', () => {
    expect(ids(only(B))).toBe('b')
  })

  test('ctrl adds, and takes away again', () => {
    const both = toggle(only(A), C)
    expect(ids(both)).toBe('ac')
    expect(ids(toggle(both, A))).toBe('c')
  })

  test.each([
    ['b', 'd', 'bcd'],
    ['d', 'b', 'bcd'],
    ['c', 'c', 'c'],
  ])('shift from %s to %s: %s', (from, to, expected) => {
    expect(ids(rangeTo(only(file(from)), FILES, to))).toBe(expected)
  })

  test('shift again begins at the same anchor', () => {
    const first = rangeTo(only(B), FILES, 'e')
    expect(ids(rangeTo(first, FILES, 'c'))).toBe('bc')
  })

  test('shift without an anchor on this page is a click', () => {
    expect(ids(rangeTo(only(file('z')), FILES, 'c'))).toBe('c')
    expect(ids(rangeTo(NOTHING, FILES, 'c'))).toBe('c')
  })

  test('ctrl and shift keep what was chosen', () => {
    const before = toggle(only(A), D)
    expect(ids(rangeTo(before, FILES, 'e', true))).toBe('ade')
  })

  test('a range to a file that is gone changes nothing', () => {
    expect(ids(rangeTo(only(A), FILES, 'gone'))).toBe('a')
  })

  test('all, and all again: none; files of other pages stay', () => {
    const all = toggleAll(only(file('z')), FILES)
    expect(ids(all)).toBe('abcdez')
    expect(ids(toggleAll(all, FILES))).toBe('z')
  })

  test('the rubber band replaces, or with ctrl adds', () => {
    expect(ids(banded(only(A), [C, D], false))).toBe('cd')
    expect(ids(banded(only(A), [C, D], true))).toBe('acd')
  })
})

describe('when files change', () => {
  test('deleted and moved ones are let go', () => {
    expect(ids(without(toggleAll(NOTHING, FILES), new Set(['items/a.png', 'items/e.png'])))).toBe('bcd')
  })

  test('a renamed one is known by its new path', () => {
    const renamed = { ...B, path: 'items/new.png' }
    expect(refreshed(toggle(only(A), B), [A, renamed]).chosen.get('b')?.path).toBe('items/new.png')
  })

  test('nothing new: the same selection, so that nothing is drawn again', () => {
    const selection = toggle(only(A), E)
    expect(refreshed(selection, FILES)).toBe(selection)
  })
})
