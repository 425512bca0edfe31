import { describe, expect, test } from 'bun:test'
import { findMatchingFolders, flattenFolders, trimFolder } from './folder-list.ts'

const folder = (pfad: string, ordner: ReturnType<typeof node>[] = []) => node(pfad, ordner)
function node(pfad: string, ordner: unknown[]): never {
  return { pfad, dateien: 0, bytes: 0, ordner } as never
}

test('a tree reads from the top down', () => {
  const tree = [folder('a', [folder('a/b', [folder('a/b/c')]), folder('a/d')]), folder('e')]
  expect(flattenFolders(tree).map(({ pfad }) => pfad)).toEqual(['a', 'a/b', 'a/b/c', 'a/d', 'e'])
})

describe('folders that fit', () => {
  const paths = ['clips', 'items', 'items/weapons', 'old/items']

  test.each([
    ['', 4, paths],
    ['items', 4, ['items', 'items/weapons', 'old/items']],
    [' ITEMS/', 4, ['items/weapons']],
    ['weap', 4, ['items/weapons']],
    ['nothing', 4, []],
    ['items', 1, ['items']],
    ['', 2, ['clips', 'items']],
  ])('%j, at most %d', (typed, limit, found) => {
    expect(findMatchingFolders(paths, typed, limit)).toEqual(found)
  })
})

test.each([
  ['items/', 'items'],
  [' /items/a/ ', 'items/a'],
  ['/', ''],
  ['', ''],
])('%j is meant as %j', (typed, meant) => expect(trimFolder(typed)).toBe(meant))
