/**
 * The conformance suite that every kind of backup target passes. It tests what `Place` promises
 * (`src/features/backup/places/place.ts`), nothing specific to a folder or a bucket.
 */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupTrouble } from '../../src/errors/errors.ts'
import {
  readContent as contentOfRange,
  openArchive,
} from '../../src/features/backup/archive/archive-reader.ts'
import { ContentDiffers, type Place } from '../../src/features/backup/places/place.ts'
import { contentOf, randomBytes } from '../support/bytes.ts'
import { openFolder } from '../support/folder.ts'

export interface PlaceUnderTest extends AsyncDisposable {
  /** Opens the same target, each time as another process would. */
  open(): Promise<Place>
  /** Replaces the stored bytes of a content with others, without using the target. */
  damage(sha256: string): Promise<void>
}

const operation = { signal: new AbortController().signal, onBytes: () => {} }
const sourceOf = (bytes: Uint8Array) =>
  async function* () {
    yield bytes
  }
const gathered = async (chunks: AsyncIterable<Uint8Array>) => {
  const copies: Buffer[] = []
  for await (const chunk of chunks) copies.push(Buffer.from(chunk))
  return Buffer.concat(copies)
}
const listed = async (place: Place, checksumPrefix?: string) =>
  (await Array.fromAsync(place.contents(checksumPrefix)))
    .flat()
    .sort((a, b) => (a.sha256 < b.sha256 ? -1 : 1))

export function backupPlaceConformance(name: string, create: () => Promise<PlaceUnderTest>): void {
  describe(`backup target: ${name}`, () => {
    let subject: PlaceUnderTest | undefined
    let place: Place
    let madeContents = 0

    // Before each test, so that each reports what is missing if the store cannot be started.
    beforeEach(async () => {
      subject ??= await create()
      place ??= await subject.open()
    })
    afterAll(() => subject?.[Symbol.asyncDispose]())

    /** Bytes that no other test stores. */
    const newContent = (size = 1000) => {
      const bytes = Buffer.from(randomBytes(++madeContents, size))
      return { bytes, entry: contentOf(bytes) }
    }
    async function storeNew(size?: number) {
      const content = newContent(size)
      await place.put(content.entry, sourceOf(content.bytes), operation)
      return content
    }
    const isStored = async (bytes: Uint8Array) =>
      (await gathered(place.read(contentOf(bytes).sha256))).equals(bytes)

    test('a new target is empty, and preparing it again is no error', async () => {
      await place.prepare()
      await place.prepare()
      expect([await place.archives(), await listed(place), await place.listAside()]).toEqual([[], [], []])
      expect(await place.readNote()).toBeNull()
      expect((await place.freeBytes()) ?? 1).toBeGreaterThan(0)
    })

    describe('the content store', () => {
      test.each([0, 1, 70_000, 600_000])(
        'a content of %p bytes is listed by its checksum and read from any offset',
        async size => {
          const { bytes, entry } = await storeNew(size)
          await place.flush()
          expect(await place.sizeOf(entry.sha256)).toBe(size)
          expect(await listed(place)).toContainEqual(entry)
          const prefix = entry.sha256.slice(0, 2)
          const withPrefix = await listed(place, prefix)
          expect(withPrefix).toContainEqual(entry)
          expect(withPrefix.filter(({ sha256 }) => !sha256.startsWith(prefix))).toEqual([])
          for (const offset of [0, 1, 65_536, size - 1, size].filter(at => at >= 0 && at <= size))
            expect((await gathered(place.read(entry.sha256, offset))).equals(bytes.subarray(offset))).toBe(
              true,
            )
        },
      )

      test('another process finds what was stored, and what it prepares removes nothing of it', async () => {
        const { bytes, entry } = await storeNew()
        const other = await subject!.open()
        await other.prepare()
        expect(await other.sizeOf(entry.sha256)).toBe(bytes.length)
        expect(await isStored(bytes)).toBe(true)
      })

      test('an absent content has no size and cannot be read; taking it away is no error', async () => {
        const { sha256 } = newContent().entry
        expect(await place.sizeOf(sha256)).toBeNull()
        await expect(gathered(place.read(sha256))).rejects.toThrow()
        await place.setAside(sha256)
        await place.bringBack(sha256)
        await place.removeAside(sha256)
        expect([await place.sizeOf(sha256), await place.listAside()]).toEqual([null, []])
      })

      test('a reader may stop early', async () => {
        const { bytes, entry } = await storeNew(600_000)
        for await (const chunk of place.read(entry.sha256)) {
          expect(bytes.subarray(0, chunk.length).equals(chunk)).toBe(true)
          break
        }
        expect(await isStored(bytes)).toBe(true)
      })

      test('the source may reuse its buffer for the next chunk', async () => {
        const { bytes, entry } = newContent(600_000)
        await place.put(
          entry,
          async function* () {
            // A `Buffer`, as a file is read into, whose `slice` does not copy.
            const buffer = Buffer.alloc(100_000)
            for (let at = 0; at < bytes.length; at += buffer.length)
              yield buffer.subarray(0, bytes.copy(buffer, 0, at, at + buffer.length))
          },
          operation,
        )
        expect(await isStored(bytes)).toBe(true)
      })

      test('bytes are counted when they are written and when they are read back', async () => {
        const { bytes, entry } = newContent(70_000)
        let count = 0
        const onBytes = (more: number) => {
          count += more
        }
        await place.put(entry, sourceOf(bytes), { ...operation, onBytes })
        expect(count).toBe(2 * bytes.length)
      })

      test('a source with other bytes than its checksum is refused, and the earlier content stays', async () => {
        const { bytes, entry } = await storeNew()
        const absent = newContent().entry
        const wrong = newContent()
        for (const { sha256 } of [entry, absent]) {
          const putting = place.put({ sha256, size: wrong.bytes.length }, sourceOf(wrong.bytes), operation)
          const error = await putting.catch((caught: unknown) => caught)
          if (!(error instanceof ContentDiffers)) throw error
          expect([error.side, error.foundEntry]).toEqual(['source', wrong.entry])
        }
        expect([await isStored(bytes), await place.sizeOf(absent.sha256)]).toEqual([true, null])
      })

      test('a source that fails, or is stopped, leaves nothing', async () => {
        const { bytes, entry } = newContent()
        const broken = async function* () {
          yield bytes.subarray(0, 10)
          throw new Error('the source is broken')
        }
        await expect(place.put(entry, broken, operation)).rejects.toThrow('the source is broken')
        const stopping = new AbortController()
        const stopped = async function* () {
          yield bytes.subarray(0, 10)
          stopping.abort(new Error('stopped'))
          yield bytes.subarray(10)
        }
        const options = { ...operation, signal: stopping.signal }
        await expect(place.put(entry, stopped, options)).rejects.toThrow('stopped')
        expect(await place.sizeOf(entry.sha256)).toBeNull()
        expect(await listed(place, entry.sha256.slice(0, 2))).not.toContainEqual(entry)
      })

      test('damaged bytes are never read as the content; storing it again replaces them', async () => {
        const { bytes, entry } = await storeNew()
        await subject!.damage(entry.sha256)
        expect(await isStored(bytes).catch(() => false)).toBe(false)
        await place.put(entry, sourceOf(bytes), operation)
        expect([await place.sizeOf(entry.sha256), await isStored(bytes)]).toEqual([bytes.length, true])
      })

      test('two processes store the same content at once', async () => {
        const { bytes, entry } = newContent(70_000)
        const other = await subject!.open()
        await Promise.all([place, other].map(each => each.put(entry, sourceOf(bytes), operation)))
        expect(await isStored(bytes)).toBe(true)
      })
    })

    describe('contents that are set aside', () => {
      test('are out of the content store until they are brought back or removed', async () => {
        const [one, two] = [(await storeNew()).entry, (await storeNew()).entry]
        const state = async () => [
          await Promise.all([one, two].map(({ sha256 }) => place.sizeOf(sha256))),
          (await place.listAside()).sort(),
        ]
        for (const { sha256 } of [one, two]) await place.setAside(sha256)
        expect(await state()).toEqual([[null, null], [one.sha256, two.sha256].sort()])
        const entries = await listed(place)
        expect(entries.filter(({ sha256 }) => [one.sha256, two.sha256].includes(sha256))).toEqual([])

        // Repeating any of these is no error.
        for (let round = 0; round < 2; round++) {
          await place.bringBack(one.sha256)
          await place.removeAside(two.sha256)
          expect(await state()).toEqual([[one.size, null], []])
        }
        await place.bringBack(two.sha256)
        expect(await state()).toEqual([[one.size, null], []])
      })

      test('are found by another process', async () => {
        const { bytes, entry } = await storeNew()
        await place.setAside(entry.sha256)
        const other = await subject!.open()
        await other.prepare()
        expect(await other.listAside()).toEqual([entry.sha256])
        await other.bringBack(entry.sha256)
        expect(await isStored(bytes)).toBe(true)
      })

      test('are only removed when they are brought back after they were stored again', async () => {
        const { bytes, entry } = await storeNew()
        await place.setAside(entry.sha256)
        await place.put(entry, sourceOf(bytes), operation)
        await place.bringBack(entry.sha256)
        expect([await isStored(bytes), await place.listAside()]).toEqual([true, []])
      })
    })

    describe('archives', () => {
      async function putArchive(archive: string, bytes: Uint8Array): Promise<void> {
        await using folder = await openFolder()
        const file = join(folder.path, archive)
        await writeFile(file, bytes)
        await using opened = await openArchive(file)
        await place.putArchive(archive, opened, operation)
      }
      async function readArchive(archive: string) {
        await using opened = await place.openArchive(archive)
        return await gathered(contentOfRange(opened.read, { start: 0, size: opened.size }))
      }
      const listedArchives = async () => (await place.archives()).map(({ name, bytes }) => [name, bytes])

      test('are listed with their size, newest first, replaced, and removed', async () => {
        const [older, newer] = ['fundus-2026-01-01-000000.tar', 'fundus-2026-01-02-000000.tar']
        await putArchive(newer, randomBytes(1, 600_000))
        await putArchive(older, randomBytes(2, 500))
        expect(await listedArchives()).toEqual([
          [newer, 600_000],
          [older, 500],
        ])
        expect((await readArchive(newer)).equals(randomBytes(1, 600_000))).toBe(true)
        await putArchive(older, randomBytes(3, 600))
        expect((await readArchive(older)).equals(randomBytes(3, 600))).toBe(true)
        await place.removeArchives([older])
        await place.removeArchives([older])
        expect(await listedArchives()).toEqual([[newer, 600_000]])
        expect(await (await subject!.open()).archives()).toHaveLength(1)
        await place.removeArchives([newer])
        expect(await place.archives()).toEqual([])
      })

      test('are no contents, and contents are no archives', async () => {
        const { entry } = await storeNew()
        const before = await listed(place)
        await putArchive('fundus-2026-01-03-000000.tar', randomBytes(4, 500))
        await place.writeNote('{}')
        expect(await listed(place)).toEqual(before)
        expect(before).toContainEqual(entry)
        expect(await place.archives()).toHaveLength(1)
        await place.removeArchives(['fundus-2026-01-03-000000.tar'])
      })

      test('an absent one is an error with a sentence', async () => {
        await expect(place.openArchive('fundus-2026-01-04-000000.tar')).rejects.toThrow(BackupTrouble)
      })
    })

    test('the note is replaced as a whole', async () => {
      for (const note of ['{"first": "a longer one"}', '{"ü": 1}', '']) {
        await place.writeNote(note)
        expect(await place.readNote()).toBe(note)
      }
      expect(await (await subject!.open()).readNote()).toBe('')
    })
  })
}
