import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isBelow, splitPath } from './path-parts.ts'

const segment = fc.stringMatching(/^[A-Za-z0-9][\w.-]{0,30}$/)
const validPath = fc.array(segment, { minLength: 1, maxLength: 10 }).map(list => list.join('/'))

describe('splitPath', () => {
  test.each([
    ['a.png', '', 'a', '.png'],
    ['x/a.png', 'x', 'a', '.png'],
    ['x/y/a.tar.gz', 'x/y', 'a.tar', '.gz'],
    ['a', '', 'a', ''],
    ['a.', '', 'a.', ''],
    ['a.b.c.', '', 'a.b.c.', ''],
    ['a..png', '', 'a.', '.png'],
    ['x.y/a', 'x.y', 'a', ''],
    ['x.y/a.', 'x.y', 'a.', ''],
    ['a.-', '', 'a', '.-'],
    ['.png', '', '.png', ''],
    ['', '', '', ''],
  ])('%j', (path, folder, stem, extension) => expect(splitPath(path)).toEqual({ folder, stem, extension }))

  test('loses nothing, and an extension holds one dot with something behind it', () => {
    fc.assert(
      fc.property(validPath, path => {
        const { folder, stem, extension } = splitPath(path)
        expect((folder === '' ? '' : `${folder}/`) + stem + extension).toBe(path)
        expect(stem).not.toBe('')
        expect(stem).not.toContain('/')
        if (extension !== '') expect([extension.lastIndexOf('.'), extension.length > 1]).toEqual([0, true])
      }),
    )
  })
})

describe('isBelow', () => {
  test.each([
    ['items/a', 'items', true],
    ['items/a', 'items/', true],
    ['items/a/b', 'items/a', true],
    ['anything', '', true],
    ['items2/a', 'items', false],
    ['items2/a', 'items/', false],
    ['items', 'items', false],
    ['items', 'items/', false],
    ['Items/a', 'items/', false],
    ['a/items/b', 'items/', false],
  ])('%j below %j: %p', (path, prefix, expected) => expect(isBelow(path, prefix)).toBe(expected))
})
