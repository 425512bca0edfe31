/** SHA-256 hashes of contents, secrets, inline styles and more. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { createBufferPool } from '../buffer-pool.ts'
import { createHashThread, type HashHandle, type HashThread } from './hash-thread.ts'

export const sha256 = (data: string | Uint8Array, encoding: 'hex' | 'base64' = 'hex') =>
  createHash('sha256').update(data).digest(encoding)

/**
 * Compares secrets in constant time. Their hashes are compared, because `timingSafeEqual` needs equal
 * lengths.
 */
export const isSameSecret = (secretA: string, secretB: string) =>
  timingSafeEqual(Buffer.from(sha256(secretA)), Buffer.from(sha256(secretB)))

/**
 * Maximum length in bytes of a stream that is hashed on this thread. Such a stream is too short to delay the
 * event loop noticeably, or to be worth a message to another thread.
 */
const MAX_SAME_THREAD_BYTES = 128 * 1024
const bufferPool = createBufferPool(MAX_SAME_THREAD_BYTES, 32)

/** The default thread, for hashes that a request may be waiting for. */
const urgentThread = createHashThread()
const lowPriorityThread = createHashThread({ niceness: 10 })

/** Hashes a stream in constant memory: a short one on this thread, a long one on another thread. */
export class StreamHash {
  /** The bytes received so far, until the stream is longer than `MAX_SAME_THREAD_BYTES`. */
  private shortStreamBuffer: Buffer | null = null
  private receivedBytes = 0
  private threadHash: HashHandle | null = null

  constructor(private readonly thread: HashThread = urgentThread) {}

  /**
   * Adds a chunk. Resolves when there is room for another chunk; the caller may then reuse the memory of
   * `chunk`.
   */
  async add(chunk: Uint8Array): Promise<void> {
    const previousBytes = this.receivedBytes
    this.receivedBytes += chunk.length
    if (this.receivedBytes <= MAX_SAME_THREAD_BYTES) {
      this.shortStreamBuffer ??= bufferPool.take()
      this.shortStreamBuffer.set(chunk, previousBytes)
      return
    }
    this.threadHash ??= this.thread.begin()
    if (this.shortStreamBuffer) await this.threadHash.add(this.shortStreamBuffer.subarray(0, previousBytes))
    this.giveBackBuffer()
    await this.threadHash.add(chunk)
  }

  async digest(): Promise<string> {
    if (this.threadHash) return this.threadHash.digest()
    return sha256(this.shortStreamBuffer?.subarray(0, this.receivedBytes) ?? '')
  }

  /** Frees the memory of the hash. Must be the last call, whether `digest` was called or not. */
  drop(): void {
    this.giveBackBuffer()
    this.threadHash?.drop()
  }

  private giveBackBuffer(): void {
    if (this.shortStreamBuffer) bufferPool.giveBack(this.shortStreamBuffer)
    this.shortStreamBuffer = null
  }
}

/** Begins a hash that is computed with low priority, for backups and integrity checks. */
export const createLowPriorityHash = () => new StreamHash(lowPriorityThread)

/**
 * Hashes a stream in constant memory. `onChunk` is called with each chunk, and awaited before the next chunk
 * is read.
 */
export async function sha256OfStream(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  onChunk: (chunk: Uint8Array) => Promise<void> | void = () => {},
  hash = new StreamHash(),
): Promise<string> {
  try {
    for await (const chunk of chunks) {
      await hash.add(chunk)
      await onChunk(chunk)
    }
    return await hash.digest()
  } finally {
    hash.drop()
  }
}
