/** How contents are written at a target: as they are, or encrypted in the age format. */

import { Decrypter, Encrypter, identityToRecipient } from 'age-encryption'
import { pace } from '../../../base/pace.ts'

export interface Sealing {
  /** Added to the names of sealed files. */
  readonly suffix: string
  /** Whether the same content always gives the same bytes. age encrypts it differently each time. */
  readonly isStable: boolean
  /** Length of the encrypted file for content of `plain` bytes, and the reverse. */
  sealedSize(plain: number): number
  plainSize(sealed: number): number
  seal(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
  /** Rejects in mid-stream if the bytes were not sealed with this key, or were changed or cut. */
  unseal(sealed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
}

export const UNSEALED: Sealing = {
  suffix: '',
  isStable: true,
  sealedSize: size => size,
  plainSize: size => size,
  seal: content => content,
  unseal: sealed => sealed,
}

export async function createSealing(identity: string): Promise<Sealing> {
  const encrypter = new Encrypter()
  encrypter.addRecipient(await identityToRecipient(identity))
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  // All files for this recipient have a header of the same length.
  const sizes = await encrypter.encrypt(streamOf(emptyContent()))
  const header = sizes.size(0)
  const { size } = await decrypter.decrypt(streamOf(sizes))
  return {
    suffix: '.age',
    isStable: false,
    sealedSize: plain => sizes.size(plain),
    plainSize: sealed => (sealed < header ? 0 : size(sealed)),
    async *seal(content) {
      yield* await encrypter.encrypt(streamOf(content))
    },
    async *unseal(sealed) {
      yield* await decrypter.decrypt(streamOf(sealed))
    },
  }
}

async function* emptyContent(): AsyncGenerator<Uint8Array> {}

/** Bytes that age encrypts at once. */
const PIECE = 64 * 1024

/**
 * Yields copies of the chunks, which are valid only until the next one, in pieces. The process answers
 * requests between two pieces.
 */
async function* inPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += PIECE) {
      await pace()
      yield chunk.slice(at, at + PIECE)
    }
}

function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = inPieces(chunks)
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
