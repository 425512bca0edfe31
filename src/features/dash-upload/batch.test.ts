import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { useFolder } from '../../../test/support/folder.ts'
import { zip } from '../../../test/support/zip.ts'
import { newId } from '../../base/ids.ts'
import { failure } from '../../errors/errors.ts'
import { WHOLE_LIBRARY } from '../../http/access/library-area.ts'
import { lowerCasePath } from '../../http/path-check.ts'
import { createDiskStorage } from '../../storage/disk/disk.ts'
import { StorageFullError, StorageUnavailableError } from '../../storage/storage.ts'
import type { FileToStore, Media } from '../media/media.ts'
import { createBatch } from './batch.ts'
import type { SentFile } from './form.ts'

const root = await useFolder()
const storage = await createDiskStorage({ root, newId })
afterAll(() => storage.close())

const limit = { bytes: 1000, createError: () => failure.uploadTooLarge(1000) }

/** A store that refuses the given paths. */
function batchWith(trouble: Record<string, unknown>) {
  const store = async ({ path, size, sha256, mime }: FileToStore) => {
    if (path in trouble) throw trouble[path]
    return { nr: 1, id: path, path, size, sha256, mime, replaced: false }
  }
  const media = { store } as unknown as Media
  return createBatch({
    storage,
    media,
    targetPathOf: async path => lowerCasePath(path),
    limit,
    actor: 'service',
    allowedArea: WHOLE_LIBRARY,
    overwrite: false,
    shouldCleanNames: false,
    actionId: 'action',
    removeMetadata: async file => file,
  })
}

const open: SentFile[] = []
async function sent(name: string, content: string | Uint8Array = 'x'): Promise<SentFile> {
  const staging = await storage.stage()
  await staging.write(Buffer.from(content as string))
  await staging.finish()
  const file = { name, isArchive: name.endsWith('.zip'), bytes: { staging, size: 1, sha256: 'hash' } }
  open.push(file)
  return file
}
afterEach(async () => {
  for (const { bytes } of open.splice(0)) if ('staging' in bytes) await bytes.staging.discard()
  // The files unpacked from archives must be gone by then.
  expect(await readdir(storage.scratch)).toEqual([])
})

const ARCHIVE = zip(['a.txt', 'b.txt', 'c.txt'].map(name => ({ name, content: name })))
const report = ({ storedFiles: stored, refusedFiles: refused }: ReturnType<typeof batchWith>) => ({
  stored: stored.map(file => file.path),
  refused: refused.map(({ name, reason: why }) => `${name}: ${why.code}`),
})

describe('a batch', () => {
  test('a full disk refuses one file, not those that are stored already', async () => {
    const batch = batchWith({ 'b.txt': new StorageFullError() })
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await batch.storeOrRefuse(await sent(name), '', false)
    expect(report(batch)).toEqual({ stored: ['a.txt', 'c.txt'], refused: ['b.txt: storage-full'] })
  })

  test('and the same within an archive', async () => {
    const batch = batchWith({ 'x/b.txt': new StorageFullError(), 'x/c.txt': failure.pathTaken('x/c.txt') })
    await batch.storeOrRefuse(await sent('p.zip', ARCHIVE), 'x', true)
    expect(report(batch)).toEqual({
      stored: ['x/a.txt'],
      refused: ['b.txt: storage-full', 'c.txt: path-taken'],
    })
  })

  test('a store that answers no more refuses the rest; what is stored is told', async () => {
    const gone = new StorageUnavailableError('the store is gone')
    const batch = batchWith({ 'b.txt': gone, 'c.txt': gone })
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await batch.storeOrRefuse(await sent(name), '', false)
    expect(report(batch)).toEqual({
      stored: ['a.txt'],
      refused: ['b.txt: storage-unavailable', 'c.txt: storage-unavailable'],
    })
    const nothing = batchWith({ 'b.txt': gone })
    expect(await nothing.storeOrRefuse(await sent('b.txt'), '', false).catch(error => error)).toBe(gone)
  })

  test('a fault of ours ends it', async () => {
    const fault = new Error('a fault of ours')
    for (const name of ['a.txt', 'p.zip']) {
      const batch = batchWith({ 'a.txt': fault })
      const file = await sent(name, name === 'p.zip' ? ARCHIVE : 'x')
      expect(await batch.storeOrRefuse(file, '', false).catch(error => error)).toBe(fault)
    }
  })

  test('an archive that is refused: as the request when it is all there is, else as one file of it', async () => {
    const batch = batchWith({})
    expect(await batch.storeOrRefuse(await sent('p.zip'), '', true).catch(error => error.code)).toBe(
      'zip-broken',
    )
    await batch.storeOrRefuse(await sent('p.zip'), '', false)
    expect(report(batch)).toEqual({ stored: [], refused: ['p.zip: zip-broken'] })
  })

  test('a path goes to one file only, whether it comes from an archive or not', async () => {
    const batch = batchWith({})
    await batch.storeOrRefuse(await sent('B.txt'), '', false)
    await batch.storeOrRefuse(await sent('p.zip', ARCHIVE), '', false)
    await batch.storeOrRefuse(await sent('C.TXT'), '', false)
    expect(report(batch)).toEqual({
      stored: ['b.txt', 'a.txt', 'c.txt'],
      refused: ['b.txt: path-repeated', 'C.TXT: path-repeated'],
    })
  })

  test('what was refused takes no path away from what follows', async () => {
    const batch = batchWith({})
    const bomb = zip([
      { name: 'a.txt', content: 'x' },
      { name: 'b.txt', content: 'hello', size: 1 },
    ])
    await batch.storeOrRefuse(await sent('p.zip', bomb), '', false)
    await batch.storeOrRefuse(await sent('q.zip', zip([{ name: 'b.txt', content: 'x', crc: 1 }])), '', false)
    for (const name of ['a.txt', 'b.txt']) await batch.storeOrRefuse(await sent(name), '', false)
    expect(report(batch)).toEqual({
      stored: ['a.txt', 'b.txt'],
      refused: ['p.zip: zip-understated', 'b.txt: entry-broken'],
    })
  })

  test('a file without a name is not stored under that of the folder', async () => {
    const batch = batchWith({})
    await batch.storeOrRefuse(await sent(''), 'ordner', false)
    expect(report(batch)).toEqual({ stored: [], refused: [': path-invalid'] })
  })
})
