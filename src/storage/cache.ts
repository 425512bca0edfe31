/**
 * The cache of an object store, on the disk of this machine. Answers leave from here, as files: with their length, and cut
 * to a range by the kernel. What is missing is fetched first; the first byte of a large object waits for its last one at
 * most `FIRST_BYTE_WAIT`, then the bytes leave as they come.
 */
import { type FileHandle, link, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { NewId } from '../ids.ts'
import { attempt, downloadTo, fetchedTwice, LocalTrouble } from './cache-download.ts'
import { createFills, type Partial } from './cache-fill.ts'
import { openCacheFolder } from './cache-folder.ts'
import { ignoreAbsence } from './local-object.ts'
import { longPath } from './platform.ts'
import type { FoundObject, S3Objects } from './s3-objects.ts'
import {
  type ByteRange,
  type Content,
  DamagedObject,
  type Storage,
  StorageUnavailableError,
  type StoredObject,
} from './storage.ts'

/**
 * Milliseconds that a reader waits for a whole object, which can then be sent with its length. Enough for the largest file
 * of the default settings on a line of 30 MB/s.
 */
export const FIRST_BYTE_WAIT = 2_000

/** Milliseconds that fetches get to come to their end when the process stops; a silent store must not hold it up. */
const CLOSE_WAIT = 1_000

/**
 * Bytes up to which an object that cannot be sent from the cache is read as a whole before the answer begins. Only such an
 * answer has its length: Bun drops `Content-Length` when the body is a stream (oven-sh/bun#10507), and sends chunks; a
 * reader notices by the missing end of the last chunk that the answer broke off.
 */
const WHOLE_FIRST = 1024 * 1024

/** Bytes that are read in one go behind a file that grows. */
const PIECE = 256 * 1024

export interface CacheParts {
  objects: Pick<S3Objects, 'get'>
  /** The folder of the cache, shared by the processes of this machine. */
  root: string
  /** Bytes that the cache may hold. */
  capacity: number
  scratch: string
  newId: NewId
  now: () => number
  firstByteWait?: number
}

export interface Cache extends Pick<Storage, 'open' | 'withLocalFile'> {
  /** Takes a local file over whose object is in the store already. False when there is no room: the file stays where it is. */
  adopt(file: string, name: string, content: Content): Promise<boolean>
  /** Rejects when the cache does not take the file, or does not find it again. The cache may keep the file. */
  probe(file: string, name: string, content: Content): Promise<void>
  /** Forgets objects that were removed from the store. */
  drop(names: readonly string[]): void
  close(): Promise<void>
}

export async function openCache(parts: CacheParts): Promise<Cache> {
  const { objects, scratch, newId, firstByteWait = FIRST_BYTE_WAIT } = parts
  const folder = await openCacheFolder(parts)
  const fills = createFills({ ...parts, folder, owner: newId() })

  async function openMissing(name: string, range?: ByteRange): Promise<StoredObject | null> {
    const fill = fills.join(name)
    try {
      const filled = await soon(fill.done, firstByteWait)
      if (filled === null) return null
      const object = filled === LATE ? await openPartial(fill.partial(), range) : filled(range)
      if (object) return object
    } catch (error) {
      // The store is well and this machine is not: the reader gets the bytes straight from the store.
      if (!(error instanceof LocalTrouble)) throw error
    }
    return openRemote(objects, name, range)
  }

  return {
    open: async (name, range) =>
      attempt(() => folder.find(folder.keyOf(name), range)) ?? openMissing(name, range),

    async withLocalFile(name, use) {
      const key = folder.keyOf(name)
      const file = longPath(join(scratch, newId()))
      // A name of its own keeps the file until `use` has ended, whatever becomes of the cache meanwhile.
      const found =
        attempt(() => folder.find(key)) &&
        (await link(folder.fileOf(key), file).then(() => true, ignoreAbsence))
      try {
        return found || (await fetchTo(objects, name, file)) ? await use(file) : null
      } finally {
        await rm(file, { force: true })
      }
    },

    // The object is safe in the store; a cache that cannot take it fetches it when it is asked for.
    adopt: (file, name, { size }) => folder.place(file, folder.keyOf(name), size).catch(() => false),

    async probe(file, name, { size }) {
      const key = folder.keyOf(name)
      if ((await folder.place(file, key, size)) && !folder.find(key))
        throw new Error('the cache does not find what it took')
    },

    drop(names) {
      for (const name of names) attempt(() => folder.remove(folder.keyOf(name)))
    },

    async close() {
      await soon(fills.settled(), CLOSE_WAIT)
      folder.close()
    },
  }
}

const LATE = Symbol('late')

async function soon<T>(work: Promise<T>, milliseconds: number): Promise<T | typeof LATE> {
  const { promise, resolve } = Promise.withResolvers<typeof LATE>()
  const timer = setTimeout(() => resolve(LATE), milliseconds)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Straight from the store, without a trace on this machine. */
export async function openRemote(
  objects: Pick<S3Objects, 'get'>,
  name: string,
  range?: ByteRange,
): Promise<StoredObject | null> {
  const found = await objects.get(name, range)
  if (!found) return null
  const { size } = found.content
  const length = range ? range.end - range.start : size
  return opened(size, length, streamOf(found, length))
}

async function opened(size: number, length: number, body: ReadableStream<Uint8Array>): Promise<StoredObject> {
  if (length > WHOLE_FIRST) return { size, body, bytes: () => bytesOf(body) }
  const bytes = await bytesOf(body)
  return { size, body: new Blob([bytes]), bytes: async () => bytes }
}

function streamOf({ answer }: FoundObject, length: number): ReadableStream<Uint8Array> {
  const chunks = answer.chunks()
  let left = length
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next()
        left -= value?.length ?? 0
        if (!done) controller.enqueue(value)
        else if (left === 0) controller.close()
        else throw new StorageUnavailableError(`${left} bytes of an answer are missing`)
      },
      cancel: () => answer.drop(),
    },
    { highWaterMark: 0 },
  )
}

const bytesOf = async (body: ReadableStream<Uint8Array>) =>
  new Uint8Array(await new Response(body).arrayBuffer())

/** Null when the asked bytes are far from having come: they are quicker straight from the store. */
async function openPartial(partial: Partial | null, range?: ByteRange): Promise<StoredObject | null> {
  if (!partial || (range && range.start >= partial.readable())) return null
  const handle = await open(partial.file, 'r').catch(ignoreAbsence)
  if (!handle) return null
  const wanted = range ?? { start: 0, end: partial.size }
  return opened(partial.size, wanted.end - wanted.start, followed(partial, handle, wanted))
}

/** Reads behind the growing file. */
function followed(
  partial: Partial,
  handle: FileHandle,
  { start, end }: ByteRange,
): ReadableStream<Uint8Array> {
  let at = start
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          while (partial.readable() <= at) await partial.more()
          const piece = new Uint8Array(Math.min(PIECE, partial.readable() - at, end - at))
          const { bytesRead } = await handle.read(piece, 0, piece.length, at)
          if (bytesRead === 0) throw new Error('the growing file is shorter than was said')
          at += bytesRead
          controller.enqueue(piece.subarray(0, bytesRead))
          if (at < end) return
          controller.close()
          await handle.close()
        } catch (error) {
          await handle.close().catch(() => {})
          throw error
        }
      },
      cancel: () => handle.close(),
    },
    { highWaterMark: 0 },
  )
}

/** False when the object does not exist. */
async function fetchTo(objects: Pick<S3Objects, 'get'>, name: string, file: string): Promise<boolean> {
  const found = await objects.get(name)
  if (!found) return false
  await fetchedTwice(objects, name, found, async each => {
    await using handle = await open(file, 'w')
    await downloadTo(handle, objects, name, each)
  }).catch(error => {
    // As on a disk, whoever needs the whole compares it: a backup names what is damaged, and goes on.
    if (!(error instanceof DamagedObject)) throw error
  })
  return true
}
