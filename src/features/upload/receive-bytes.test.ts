import { afterAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import fc from 'fast-check'
import { useFolder } from '../../../test/support/folder.ts'
import { newId } from '../../base/ids.ts'
import { createDiskStorage } from '../../storage/disk/disk.ts'
import { type Storage, StorageFullError } from '../../storage/storage.ts'
import { receiveBytes } from './receive-bytes.ts'

const root = await useFolder()
const storage = await createDiskStorage({ root, newId })
afterAll(() => storage.close())

const tooLarge = new Error('too large')
const limit = (bytes: number) => ({ bytes, createError: () => tooLarge })
const stagedFiles = () => readdir(storage.scratch)

async function* source(chunks: readonly Uint8Array[], trouble?: Error): AsyncGenerator<Uint8Array> {
  yield* chunks
  if (trouble) throw trouble
}
const filled = (...lengths: number[]) => lengths.map((length, at) => new Uint8Array(length).fill(at + 1))

describe('receive', () => {
  test('counts and hashes what comes, however it is chopped', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 3000 }), { minLength: 1, maxLength: 8 }),
        async chunks => {
          const all = Buffer.concat(chunks)
          fc.pre(all.length > 0)
          const received = await receiveBytes(storage, source(chunks), limit(all.length))
          expect(received.size).toBe(all.length)
          expect(received.sha256).toBe(createHash('sha256').update(all).digest('hex'))
          expect(Buffer.compare(await Bun.file(await received.staging.file()).bytes(), all)).toBe(0)
          expect(Buffer.compare(received.firstBytes, all.subarray(0, 4100))).toBe(0)
          await received.staging.discard()
        },
      ),
      { numRuns: 40 },
    )
    expect(await stagedFiles()).toEqual([])
  })

  test('the source may reuse its buffer once it is asked for more', async () => {
    async function* reusing() {
      const buffer = new Uint8Array(3)
      for (const byte of [1, 2, 3]) yield buffer.fill(byte)
    }
    const received = await receiveBytes(storage, reusing(), limit(9))
    expect([...(await Bun.file(await received.staging.file()).bytes())]).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3])
    expect([...received.firstBytes]).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3])
    await received.staging.discard()
  })

  test.each([
    [[1], true],
    [[30_000, 35_536], true],
    [[65_537], false],
    [[65_536, 1], false],
    [[5, 200_000, 5], false],
  ])('%p bytes wait in memory: %p', async (lengths, inMemory) => {
    const chunks = filled(...lengths)
    const received = await receiveBytes(storage, source(chunks), limit(1e6))
    expect([received.staging.bytes !== null, (await stagedFiles()).length === 0]).toEqual([
      inMemory,
      inMemory,
    ])
    const all = Buffer.concat(chunks)
    expect(received.sha256).toBe(createHash('sha256').update(all).digest('hex'))
    expect(Buffer.compare(await Bun.file(await received.staging.file()).bytes(), all)).toBe(0)
    expect(Buffer.compare(received.firstBytes, all.subarray(0, 4100))).toBe(0)
    await received.staging.discard()
  })

  test.each([
    [[10], 10],
    [[4, 6], 10],
    [[0, 10, 0], 10],
    [[1], 1],
  ])('%p bytes pass a limit of %d', async (lengths, bytes) => {
    const { staging, size } = await receiveBytes(storage, source(filled(...lengths)), limit(bytes))
    expect(size).toBe(bytes)
    await staging.discard()
  })

  test.each([
    [[11], 10],
    [[10, 1], 10],
    [[5, 5, 0, 1], 10],
    [[1], 0],
  ])('%p bytes are refused by a limit of %d, and nothing stays staged', async (lengths, bytes) => {
    expect(await receiveBytes(storage, source(filled(...lengths)), limit(bytes)).catch(e => e)).toBe(tooLarge)
    expect(await stagedFiles()).toEqual([])
  })

  test('the refusal comes in mid-stream: an endless source is told to stop', async () => {
    let given = 0
    let stopped = false
    async function* endless() {
      try {
        for (;;) {
          given++
          yield new Uint8Array(1000)
        }
      } finally {
        stopped = true
      }
    }
    expect(await receiveBytes(storage, endless(), limit(10_000)).catch(e => e)).toBe(tooLarge)
    expect([given, stopped]).toEqual([11, true])
    expect(await stagedFiles()).toEqual([])
  })

  test.each([[[]], [[0]], [[0, 0, 0]]])('no bytes at all (%p) are an empty body', async lengths => {
    const error = await receiveBytes(storage, source(filled(...lengths)), limit(10)).catch(e => e)
    expect(error).toMatchObject({ code: 'body-empty', status: 400 })
    expect(await stagedFiles()).toEqual([])
  })

  test.each([[[]], [[5]], [[5, 100_000, 3]]])(
    'a source that fails after %p leaves nothing staged',
    async lengths => {
      const trouble = new Error('connection lost')
      expect(await receiveBytes(storage, source(filled(...lengths), trouble), limit(1e6)).catch(e => e)).toBe(
        trouble,
      )
      expect(await stagedFiles()).toEqual([])
    },
  )

  test.each(['write', 'finish'] as const)('a disk that fails to %s leaves nothing staged', async step => {
    const full = new StorageFullError()
    const failing: Storage = {
      ...storage,
      async stage() {
        return { ...(await storage.stage()), [step]: () => Promise.reject(full) }
      },
    }
    expect(await receiveBytes(failing, source(filled(5, 65_535)), limit(1e6)).catch(e => e)).toBe(full)
    expect(await receiveBytes(failing, source(filled(5, 65_535, 5)), limit(1e6)).catch(e => e)).toBe(full)
    expect(await stagedFiles()).toEqual([])
  })
})
