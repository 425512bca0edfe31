import { expect, test } from 'bun:test'
import { mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { useFolder } from '../../../test/support/folder.ts'
import { removeTree } from './remove-tree.ts'

const place = await useFolder()

test('removes a folder with folders and files in it, and counts the files', async () => {
  await Bun.write(join(place, 'a/one.txt'), '1')
  await Bun.write(join(place, 'a/b/c/two.txt'), '2')
  await mkdir(join(place, 'a/empty'))
  expect(await removeTree(join(place, 'a'))).toBe(2)
  expect(await readdir(place)).toEqual([])
})

test('a file alone goes; what is absent counts as removed', async () => {
  await Bun.write(join(place, 'alone.txt'), '1')
  expect(await removeTree(join(place, 'alone.txt'))).toBe(1)
  expect(await removeTree(join(place, 'alone.txt'))).toBe(0)
  expect(await removeTree(join(place, 'absent/deeper'))).toBe(0)
})

test.skipIf(process.platform === 'win32')('of a link only the link goes', async () => {
  await Bun.write(join(place, 'kept/file.txt'), '1')
  await mkdir(join(place, 'gone'))
  await symlink(join(place, 'kept'), join(place, 'gone/link'))
  await removeTree(join(place, 'gone'))
  expect(await readdir(place)).toEqual(['kept'])
  expect(await Bun.file(join(place, 'kept/file.txt')).text()).toBe('1')
})
