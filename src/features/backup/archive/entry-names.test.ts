import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { isValidPath } from '../../../contract/paths/path-rules.ts'
import { createEntryNames, trashEntryName } from './entry-names.ts'

function namesOf(paths: readonly string[]): string[] {
  const names = createEntryNames()
  for (const path of paths) names.addPath(path)
  return paths.map((path, at) => names.nameOf(path, at + 1))
}

test.each([
  [
    ['a.png', 'b/c.png'],
    ['dateien/a.png', 'dateien/b/c.png'],
  ],
  // The same apart from case: the first keeps its name.
  [
    ['a.png', 'A.png', 'a.PNG'],
    ['dateien/a.png', 'dateien/A~2.png', 'dateien/a~3.PNG'],
  ],
  [
    ['B/a.png', 'b/a.png', 'b/c.png'],
    ['dateien/B/a.png', 'dateien/b/a~2.png', 'dateien/b/c.png'],
  ],
  // A file where a folder must be.
  [
    ['x', 'x/y.png'],
    ['dateien/x~1', 'dateien/x/y.png'],
  ],
  [
    ['x/y.png', 'x', 'X'],
    ['dateien/x/y.png', 'dateien/x~2', 'dateien/X~3'],
  ],
  [
    ['a.b', 'A.B/c/d'],
    ['dateien/a~1.b', 'dateien/A.B/c/d'],
  ],
  // Devices, and dots at an end.
  [
    ['con/aux.txt', 'b.', 'nul.'],
    ['dateien/con~/aux~.txt', 'dateien/b.~', 'dateien/nul~.~'],
  ],
  [
    ['console', 'com10'],
    ['dateien/console', 'dateien/com10'],
  ],
])('%j', (paths, names) => expect(namesOf(paths)).toEqual(names))

test('in the trash each has its own folder', () => {
  expect(trashEntryName(7, 'a/b.png')).toBe('papierkorb/7/b.png')
  expect(trashEntryName(8, 'a/con')).toBe('papierkorb/8/con~')
})

const segment = fc.constantFrom('a', 'A', 'b', 'B.', 'con', 'a.x', 'A.X', 'nul.x')
const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map(segments => segments.join('/'))

test('whatever the paths are, no two names collide on any system, and none stands in the way of another', () => {
  fc.assert(
    fc.property(fc.uniqueArray(path, { maxLength: 40 }), paths => {
      const keys = namesOf(paths).map(name => name.toLowerCase())
      expect(new Set(keys).size).toBe(paths.length)
      for (const key of keys) expect(keys.some(other => other.startsWith(`${key}/`))).toBe(false)
      for (const key of keys) expect(key).not.toMatch(/(^|\/)(con|nul)(\.|\/|$)|\.(\/|$)/)
      // An entry named like its path is that very file; no other entry is named like a path.
      namesOf(paths).forEach((name, at) => {
        if (isValidPath(name)) expect(name).toBe(`dateien/${paths[at]}`)
      })
    }),
  )
})
