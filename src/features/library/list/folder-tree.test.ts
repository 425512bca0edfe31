import { expect, test } from 'bun:test'
import { allowedAreaOf, WHOLE_LIBRARY } from '../../../http/access/library-area.ts'
import { folderTree } from './folder-tree.ts'

const folder = (key: string, files: number) => ({ key, files, bytes: files * 10 })

test('nests, counts upwards, keeps the order; what lies at the top is in no folder', () => {
  const tree = folderTree(
    [folder('', 9), folder('a/b/', 1), folder('a/b/c/', 2), folder('a-b/', 4), folder('z/', 8)],
    WHOLE_LIBRARY,
  )
  const node = (pfad: string, dateien: number, ordner: unknown[] = []) => ({
    name: pfad.split('/').at(-1),
    pfad,
    dateien,
    bytes: dateien * 10,
    ordner,
  })
  expect(tree as unknown).toEqual([
    node('a', 3, [node('a/b', 3, [node('a/b/c', 2)])]),
    node('a-b', 4),
    node('z', 8),
  ])
})

test('begins with the folders of a limited account, by their whole path', () => {
  const limited = allowedAreaOf({ role: 'ansicht', folders: ['a/b', 'z'] })
  const tree = folderTree([folder('a/b/', 1), folder('a/b/c/', 2), folder('z/', 8)], limited)
  expect(
    tree.map(({ name, pfad, dateien, ordner }) => [name, pfad, dateien, ordner.map(each => each.pfad)]),
  ).toEqual([
    ['a/b', 'a/b', 3, ['a/b/c']],
    ['z', 'z', 8, []],
  ])
})

test('of nothing is empty', () => expect(folderTree([], WHOLE_LIBRARY)).toEqual([]))
