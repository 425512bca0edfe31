/**
 * Writes a file, flushes it, reads it back and compares it by SHA-256. The file is opened again for reading,
 * but may still be read from the page cache, which no call available here prevents.
 */
import { open, rm } from 'node:fs/promises'
import { createLowPriorityHash, sha256OfStream } from '../../../base/hash/sha256.ts'
import { writeAt } from '../archive/append.ts'
import { readPieces } from '../archive/read-file.ts'
import { ContentDiffers, type ContentSource, type OperationOptions, type StockEntry } from './place.ts'

export interface WriteOptions extends Partial<OperationOptions> {
  content: ContentSource
  /** The expected checksum of the content, if it is known beforehand. */
  sha256?: string
}

/**
 * Rejects with `ContentDiffers` if the content does not have the checksum `sha256`, or if the bytes read back
 * differ from those written. After any error the file is removed.
 */
export async function writeAndCompare(file: string, options: WriteOptions): Promise<void> {
  let isVerified = false
  try {
    const writtenDigest = await writeAndHash(file, options)
    if (writtenDigest.sha256 !== (options.sha256 ?? writtenDigest.sha256))
      throw new ContentDiffers('source', writtenDigest)
    await using handle = await open(file, 'r')
    const readDigest = await digestOf(readPieces(handle), options)
    if (readDigest.sha256 !== writtenDigest.sha256) throw new ContentDiffers('target', readDigest)
    isVerified = true
  } finally {
    if (!isVerified) await rm(file, { force: true }).catch(() => {})
  }
}

async function writeAndHash(file: string, options: WriteOptions): Promise<StockEntry> {
  await using writeHandle = await open(file, 'wx')
  let position = 0
  const writtenDigest = await digestOf(options.content(), options, async chunk => {
    await writeAt(writeHandle, chunk, position)
    position += chunk.length
  })
  await writeHandle.sync()
  return writtenDigest
}

/** Returns the checksum and the size of the content. Waits for `onChunk` before it reads the next chunk. */
export async function digestOf(
  content: AsyncIterable<Uint8Array>,
  { signal, onBytes }: Partial<OperationOptions>,
  onChunk?: (chunk: Uint8Array) => Promise<void>,
): Promise<StockEntry> {
  let size = 0
  const processChunk = async (chunk: Uint8Array) => {
    signal?.throwIfAborted()
    await onChunk?.(chunk)
    size += chunk.length
    onBytes?.(chunk.length)
  }
  return { sha256: await sha256OfStream(content, processChunk, createLowPriorityHash()), size }
}
