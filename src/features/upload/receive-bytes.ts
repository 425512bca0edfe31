/**
 * Receives the bytes of a file: stages (stores temporarily), counts and hashes them, and refuses them as soon
 * as there are too many.
 */

import { StreamHash, sha256 } from '../../base/hash/sha256.ts'
import { Failure, failure } from '../../errors/errors.ts'
import type { SizeLimit } from '../../http/bodies/body.ts'
import { MAX_SHORT_FILE_SIZE, type Staging, type Storage } from '../../storage/storage.ts'

export interface ReceivedFile {
  staging: Staging
  size: number
  /**
   * The SHA-256 of the bytes as sent; after scaling down or removing metadata, that of the bytes to store.
   */
  sha256: string
  /** The first bytes, for type detection. */
  firstBytes: Uint8Array
}

/** Number of first bytes that are kept for type detection. */
export const FIRST_BYTES_LENGTH = 4100

/** Chunks as they arrive, or a short body that has arrived completely. */
export type ByteSource = AsyncIterable<Uint8Array> | Uint8Array<ArrayBuffer>

/**
 * Receives a file. A file of at most `MAX_SHORT_FILE_SIZE` bytes is kept in memory at first. Rejects for too
 * many bytes, no bytes, a truncated source or a full disk, and then leaves nothing behind.
 */
export async function receiveBytes(
  storage: Storage,
  source: ByteSource,
  limit: SizeLimit,
): Promise<ReceivedFile> {
  if (source instanceof Uint8Array) return receiveWhole(storage, source, limit)
  const firstChunks: Uint8Array[] = []
  let longIntake: LongFileReceiver | undefined
  let size = 0
  try {
    for await (const chunk of source) {
      size += chunk.length
      if (size > limit.bytes) throw limit.createError()
      if (longIntake) {
        await longIntake.add(chunk)
        continue
      }
      // Copies the chunk, because its memory may be reused. A `Buffer` must be copied too, and its `slice`
      // does not copy.
      firstChunks.push(new Uint8Array(chunk))
      if (size <= MAX_SHORT_FILE_SIZE) continue
      const firstBytes = Buffer.concat(firstChunks.splice(0))
      longIntake = new LongFileReceiver(
        await storage.stage(),
        new Uint8Array(firstBytes.subarray(0, FIRST_BYTES_LENGTH)),
      )
      await longIntake.add(firstBytes)
    }
    return longIntake ? await longIntake.end(size) : receiveWhole(storage, Buffer.concat(firstChunks), limit)
  } catch (error) {
    await longIntake?.drop()
    throw error
  }
}

/** Codes of errors that refuse one file of a form; any other error refuses the whole form. */
const SINGLE_FILE_ERRORS = ['upload-too-large', 'zip-too-large', 'drop-file-too-large', 'body-empty']

/**
 * Like `receiveBytes`, for one of several files in a form. An error about this file alone is returned instead
 * of thrown, after the rest of the file has been read.
 */
export async function receiveOrRefuse(
  storage: Storage,
  source: AsyncIterable<Uint8Array>,
  limit: SizeLimit,
): Promise<ReceivedFile | Failure> {
  const chunkIterator = source[Symbol.asyncIterator]()
  try {
    // This iterator has no `return`, so that the parser can still reach the next part of the form after this
    // one was given up.
    const unclosedChunks = { [Symbol.asyncIterator]: () => ({ next: () => chunkIterator.next() }) }
    return await receiveBytes(storage, unclosedChunks, limit)
  } catch (error) {
    if (!(error instanceof Failure && SINGLE_FILE_ERRORS.includes(error.code))) throw error
    while (!(await chunkIterator.next()).done);
    return error.code === 'body-empty' ? failure.fileEmpty() : error
  }
}

/** Hashes the bytes of a long file as they arrive, and writes them to its staging (a temporary file). */
class LongFileReceiver {
  readonly #hash = new StreamHash()
  readonly #staging: Staging
  readonly #head: Uint8Array

  constructor(staging: Staging, firstBytes: Uint8Array) {
    this.#staging = staging
    this.#head = firstBytes
  }

  /** Hashes the chunk while the disk writes it. */
  async add(chunk: Uint8Array): Promise<void> {
    await Promise.all([this.#hash.add(chunk), this.#staging.write(chunk)])
  }

  async end(size: number): Promise<ReceivedFile> {
    await this.#staging.finish()
    return { staging: this.#staging, size, sha256: await this.#hash.digest(), firstBytes: this.#head }
  }

  async drop(): Promise<void> {
    this.#hash.drop()
    await this.#staging.discard()
  }
}

function receiveWhole(storage: Storage, bytes: Uint8Array<ArrayBuffer>, limit: SizeLimit): ReceivedFile {
  const size = bytes.length
  if (size > limit.bytes) throw limit.createError()
  if (size === 0) throw failure.bodyEmpty()
  return {
    size,
    staging: storage.stageWhole(bytes),
    sha256: sha256(bytes),
    firstBytes: bytes.subarray(0, FIRST_BYTES_LENGTH),
  }
}
