/** How a backup target stores files: unencrypted, or encrypted in the age format. */

import { Decrypter, Encrypter, identityToRecipient } from 'age-encryption'
import { pace } from '../../../base/pace.ts'

export interface Sealing {
  /** Appended to the names of encrypted files. */
  readonly suffix: string
  /** Whether the same content always results in the same bytes. False for age: each file has a random key. */
  readonly isDeterministic: boolean
  /**
   * Returns the size of the stored file for `plainBytes` bytes of content. `plainSize` is the inverse
   * function.
   */
  sealedSize(plainBytes: number): number
  plainSize(sealedBytes: number): number
  seal(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
  /**
   * If files are encrypted, the result throws while it is read if the bytes were encrypted with another key,
   * changed or truncated.
   */
  unseal(sealedContent: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
}

export const NO_SEALING: Sealing = {
  suffix: '',
  isDeterministic: true,
  sealedSize: size => size,
  plainSize: size => size,
  seal: content => content,
  unseal: sealedContent => sealedContent,
}

export async function createSealing(identity: string): Promise<Sealing> {
  const encrypter = new Encrypter()
  encrypter.addRecipient(await identityToRecipient(identity))
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  // All files for this recipient have a header of the same length, so sizes can be computed from an encrypted
  // empty file.
  const encryptedEmptyFile = await encrypter.encrypt(streamOf(emptyContent()))
  const minSealedSize = encryptedEmptyFile.size(0)
  const { size: plainSizeOf } = await decrypter.decrypt(streamOf(encryptedEmptyFile))
  return {
    suffix: '.age',
    isDeterministic: false,
    sealedSize: plainBytes => encryptedEmptyFile.size(plainBytes),
    plainSize: sealedBytes => (sealedBytes < minSealedSize ? 0 : plainSizeOf(sealedBytes)),
    async *seal(content) {
      yield* await encrypter.encrypt(streamOf(content))
    },
    async *unseal(sealedContent) {
      yield* await decrypter.decrypt(streamOf(sealedContent))
    },
  }
}

async function* emptyContent(): AsyncGenerator<Uint8Array> {}

/** Number of bytes that age encrypts as one chunk. */
const PIECE_BYTES = 64 * 1024

/**
 * Yields copies of the bytes, because a chunk is valid only until the next one is read. `slice` is not used:
 * if the chunk is a `Buffer`, it returns a view of the same memory. The pieces are small, so that the process
 * can answer requests between them.
 */
async function* copyInPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks)
    for (let offset = 0; offset < chunk.length; offset += PIECE_BYTES) {
      await pace()
      yield new Uint8Array(chunk.subarray(offset, offset + PIECE_BYTES))
    }
}

function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = copyInPieces(chunks)
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await iterator.return(undefined)
    },
  })
}
