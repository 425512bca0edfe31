import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { randomBytes } from '../../../test/support/bytes.ts'
import { useFolder } from '../../../test/support/folder.ts'
import { STORED, type ZipEntry, zip } from '../../../test/support/zip.ts'
import { newId } from '../../base/ids.ts'
import { Failure, failure } from '../../errors/errors.ts'
import { checkValidPath } from '../../http/path-check.ts'
import { createDiskStorage } from '../../storage/disk/disk.ts'
import { type Storage, StorageFullError } from '../../storage/storage.ts'
import { unpack } from './unpack.ts'

const root = await useFolder()
const storage = await createDiskStorage({ root, newId })
afterAll(() => storage.close())
const archive = join(root, 'archive.zip')

const stagedFiles = () => readdir(storage.scratch)
// Nothing may be left staged.
afterEach(async () => expect(await stagedFiles()).toEqual([]))

const limit = { bytes: 1_000_000, createError: () => failure.uploadTooLarge(1_000_000) }
const pathFor = (name: string) => {
  checkValidPath(name)
  return name
}
const options = { storage, limit, pathFor }

/** The unpacked files as text, and the refused entries; discards what was staged. */
async function outcome(bytes: Uint8Array, given: Partial<typeof options> = {}) {
  await writeFile(archive, bytes)
  const { files, refusedEntries: refused } = await unpack(archive, { ...options, ...given })
  const contents: Record<string, string> = {}
  for (const { path, staging } of files) {
    contents[path] = await Bun.file(await staging.file()).text()
    await staging.discard()
  }
  return { contents, refused: refused.map(({ name, reason: why }) => `${name}: ${why.code}`) }
}

const ENTRIES: ZipEntry[] = [
  { name: 'a.txt', content: 'alpha' },
  { name: 'b/c.txt', content: 'gamma', method: STORED },
  { name: 'd.bin', content: randomBytes(3, 3000), descriptor: true },
]

describe('unpack', () => {
  test('any content comes out as it went in, packed or not', async () => {
    const content = fc.uint8Array({ minLength: 1, maxLength: 3000 })
    const entry = fc.record({
      content,
      method: fc.constantFrom(0, 8),
      descriptor: fc.boolean(),
      zip64: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 6 }), fc.boolean(), async (entries, zip64) => {
        const named = entries.map((each, at) => ({ ...each, name: `${at}.bin` }))
        await writeFile(archive, zip(named, { zip64 }))
        const { files, refusedEntries: refused } = await unpack(archive, options)
        expect(refused).toEqual([])
        expect(files.length).toBe(entries.length)
        for (const [at, { staging }] of files.entries()) {
          expect(Buffer.compare(await Bun.file(await staging.file()).bytes(), entries[at]!.content)).toBe(0)
          await staging.discard()
        }
      }),
      { numRuns: 40 },
    )
  })

  test('an archive damaged anywhere is refused in whole or in part, never anything worse', async () => {
    const whole = zip(ENTRIES)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 })), {
          minLength: 1,
          maxLength: 4,
        }),
        fc.option(fc.nat(whole.length), { nil: undefined }),
        async (changes, length) => {
          const damaged = whole.slice()
          for (const [at, value] of changes) damaged[at] = value
          const result = await outcome(damaged.slice(0, length)).catch(error => error)
          expect(result instanceof Failure || 'contents' in result).toBe(true)
          expect(await stagedFiles()).toEqual([])
        },
      ),
      { numRuns: 400 },
    )
  })

  test('a disk that fills up half-way: all of it is given up', async () => {
    let left = 2
    const full: Storage = {
      ...storage,
      stageWhole(bytes) {
        const whole = storage.stageWhole(bytes)
        return left-- === 0 ? { ...whole, file: () => Promise.reject(new StorageFullError()) } : whole
      },
    }
    expect(await outcome(zip(ENTRIES), { storage: full }).catch(error => error)).toBeInstanceOf(
      StorageFullError,
    )
  })

  test('a path that is refused is one entry’s affair; other trouble is not', async () => {
    const pathFor = (name: string) => {
      if (name === 'a.txt') throw failure.pathTaken(name)
      return name
    }
    expect(await outcome(zip(ENTRIES.slice(0, 2)), { pathFor })).toEqual({
      contents: { 'b/c.txt': 'gamma' },
      refused: ['a.txt: path-taken'],
    })
    const broken = () => {
      throw new Error('a fault of ours')
    }
    expect(await outcome(zip(ENTRIES), { pathFor: broken }).catch(error => error.message)).toBe(
      'a fault of ours',
    )
  })

  test('entries before the one that gives more than announced are given up too', async () => {
    const lying = { name: 'z.txt', content: 'hello', size: 2 }
    const error = await outcome(zip([...ENTRIES, lying])).catch(each => each)
    expect(error).toMatchObject({ status: 413, code: 'zip-understated' })
  })

  test('names, comments and extra fields of full length take no room', async () => {
    const extra = Buffer.alloc(65_000)
    extra.writeUInt16LE(0x9999, 0)
    extra.writeUInt16LE(64_996, 2)
    const heavy = Array.from({ length: 500 }, (_, at) => ({
      name: `${at}${'x'.repeat(60_000)}`,
      content: 'x',
      extra,
      comment: 'c'.repeat(65_000),
    }))
    const bytes = zip(heavy)
    Bun.gc(true)
    const before = process.memoryUsage().rss
    const { refused } = await outcome(bytes)
    Bun.gc(true)
    expect(refused.length).toBe(500)
    expect(refused.every(each => each.length < 400)).toBe(true)
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024)
  })
})
