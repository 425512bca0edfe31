/** Natural order of names: `a-3` before `a-11`, in every list of files and folders. */
import { expect, test } from 'bun:test'
import { type FolderNode, sharedLibrary } from '../support/library.ts'
import { restore, throwAway } from '../support/trash.ts'

const on = sharedLibrary()
const names = async (query: Record<string, string | number>) =>
  (await on.list({ anzahl: 200, ...query })).dateien.map(({ path }) => path.slice(path.indexOf('/') + 1))

test('files of a folder, up and down, and page by page', async () => {
  const given = Array.from({ length: 40 }, (_, at) => `a-${at + 1}.txt`)
  await on.fill('zahlen', [...given].reverse())
  expect(await names({ ordner: 'zahlen' })).toEqual(given)
  expect(await names({ ordner: 'zahlen', richtung: 'ab' })).toEqual([...given].reverse())
  expect(await names({ ordner: 'zahlen', anzahl: 30, seite: 2 })).toEqual(given.slice(30))
  expect(await names({ ordner: 'zahlen', suche: 'a-1*' })).toEqual(
    given.filter(name => name.startsWith('a-1')),
  )
})

test('zeros in front do not count, unless there is nothing else', async () => {
  const sorted = [
    'x-001.txt',
    'x-01.txt',
    'x-1.txt',
    'x-2.txt',
    'x-010.txt',
    'x-10.txt',
    'x-99999999999.txt',
    'y.txt',
  ]
  await on.fill('nullen', [...sorted].reverse())
  expect(await names({ ordner: 'nullen' })).toEqual(sorted)
})

test('below folders with numbers; folders of the same number are kept apart', async () => {
  const paths = ['s2/a-2.txt', 's2/a-10.txt', 's02/b.txt', 's10/c.txt', 's1/d.txt']
  await on.fill('serie', paths)
  expect(await names({ ordner: 'serie', unterordner: 1 })).toEqual([
    's1/d.txt',
    's2/a-2.txt',
    's2/a-10.txt',
    's02/b.txt',
    's10/c.txt',
  ])
  expect(await names({ ordner: 'serie/s2', unterordner: 1 })).toEqual(['s2/a-2.txt', 's2/a-10.txt'])
  expect(await names({ ordner: 'serie/s02', unterordner: 1 })).toEqual(['s02/b.txt'])
  const folders = ['s1', 's02', 's2', 's10']
  expect((await on.list({ ordner: 'serie' })).ordner.map(({ name }) => name)).toEqual(folders)
  const tree = (await (await on.get('folders')).json()) as FolderNode[]
  expect(tree.find(({ name }) => name === 'serie')!.ordner.map(({ name }) => name)).toEqual(folders)
})

test('after renaming, moving, overwriting and coming back from the trash', async () => {
  await on.fill('wege', ['n-5.txt', 'n-20.txt', 'weg-1.txt'])
  await on.done('media/umbenennen', { pfad: 'wege/weg-1.txt', name: 'n-9.txt' })
  await on.fill('wege', { 'n-20.txt': 'written anew' })
  const [nr] = await throwAway(on.service, on.session, 'wege/n-5.txt')
  await restore(on.service, on.session, nr!)
  expect(await names({ ordner: 'wege' })).toEqual(['n-5.txt', 'n-9.txt', 'n-20.txt'])
  await on.done('folders/umbenennen', { ordner: 'wege', name: 'w7' })
  expect(await names({ ordner: 'w7', unterordner: 1 })).toEqual(['n-5.txt', 'n-9.txt', 'n-20.txt'])
})
