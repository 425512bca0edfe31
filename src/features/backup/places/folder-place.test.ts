import { expect, test } from 'bun:test'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { useFolder } from '../../../../test/support/folder.ts'
import { sha256 } from '../../../base/hash/sha256.ts'
import { newId } from '../../../base/ids.ts'
import { prune } from '../stock/prune.ts'
import { createFolderPlace, partFilePath } from './folder-place.ts'
import { ContentDiffers } from './place.ts'

const root = await useFolder()
const placeIn = (name: string) => createFolderPlace(join(root, name), newId)

test('thinning touches archives of ours and nothing else', async () => {
  const place = placeIn('thin')
  await mkdir(join(place.name, 'fundus-2020-01-01-000000.tar'), { recursive: true })
  const ours = [
    'fundus-2026-01-01-000000.tar',
    'fundus-2026-01-03-000000.tar',
    'fundus-2026-01-02-000000.tar',
  ]
  const others = ['fundus-alt.tar', 'fundus-2026-01-01-000000.tar.bak', 'notizen.txt']
  for (const name of [...ours, ...others]) await writeFile(join(place.name, name), 'x')
  expect((await place.archives()).map(({ name }) => name)).toEqual(ours.toSorted().reverse())
  // Made while the clock was set back: its name is among the oldest, although it was just made.
  await prune(place, { count: 1, weeks: 0, months: 0 }, 'fundus-2026-01-01-000000.tar')
  const kept = [
    'fundus-2020-01-01-000000.tar',
    'fundus-2026-01-01-000000.tar',
    'fundus-2026-01-03-000000.tar',
  ]
  expect((await readdir(place.name)).sort()).toEqual([...others, ...kept].sort())
})

test('what a dead run left is taken away, by its name alone', async () => {
  const place = placeIn('new/deeper')
  await place.prepare()
  const part = partFilePath(place.name, '0123456789abcdef')
  const notes = ['.fundus-notiz.teil', 'x.teil'].map(name => join(place.name, name))
  for (const file of [part, `${part}-liste`, ...notes]) await writeFile(file, 'x')
  await mkdir(join(place.name, 'bestand/neu'), { recursive: true })
  await writeFile(join(place.name, 'bestand/neu/0123456789abcdef'), 'x')
  await place.prepare()
  expect((await readdir(place.name)).sort()).toEqual(['.fundus-notiz.teil', 'bestand', 'x.teil'])
  expect(await readdir(join(place.name, 'bestand/neu'))).toEqual([])
})

test('a folder that is not there holds no archive; one that cannot be made is an error', async () => {
  expect(await placeIn('nowhere').archives()).toEqual([])
  await writeFile(join(root, 'file'), 'x')
  await expect(placeIn('file').prepare()).rejects.toThrow()
  await expect(placeIn('file/below').prepare()).rejects.toThrow()
})

test('a content with other bytes than its checksum leaves no unfinished file', async () => {
  const place = placeIn('stock')
  await place.prepare()
  const entry = { sha256: sha256('good'), size: 4 }
  const wrongContent = async function* () {
    yield Buffer.from('other')
  }
  const operation = { signal: new AbortController().signal, onBytes: () => {} }
  await expect(place.put(entry, wrongContent, operation)).rejects.toThrow(ContentDiffers)
  expect(await readdir(join(place.name, 'bestand/neu'))).toEqual([])
})

test('an archive of another run is not replaced by one with the same name', async () => {
  const place = placeIn('names')
  await place.prepare()
  const name = 'fundus-2026-01-01-000000.tar'
  for (const text of ['first', 'second']) {
    const part = partFilePath(place.name, newId())
    await writeFile(part, text)
    expect(await place.publish(part, name)).toBe(text === 'first')
  }
  expect(await readFile(join(place.name, name), 'utf8')).toBe('first')
})
