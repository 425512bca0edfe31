/**
 * The copy at the second target: writes, flushes, reads back and compares by SHA-256. The copy is opened
 * again for reading; it may still be read from the page cache, which no call available here prevents.
 */
import { open, rm } from 'node:fs/promises'
import { sha256Of, unhurriedHash } from '../../../base/hash/sha256.ts'
import { longPath } from '../../../storage/local/platform.ts'
import { writeAt } from '../archive/append.ts'
import { piecesOf } from '../archive/stretch.ts'

export interface CopyOptions {
  from: string
  to: string
  signal: AbortSignal
  onBytes: (count: number) => void
}

/** False if the copy differs from what was read. The copy is removed unless the result is true. */
export async function copyAndCompare({ from, to, signal, onBytes }: CopyOptions): Promise<boolean> {
  let same = false
  try {
    same = (await copyInto(from, to, { signal, onBytes })) === (await hashOf(to, { signal, onBytes }))
    return same
  } finally {
    if (!same) await rm(longPath(to), { force: true }).catch(() => {})
  }
}

type Watch = Pick<CopyOptions, 'signal' | 'onBytes'>

/** Returns the SHA-256 of the source. */
async function copyInto(from: string, to: string, watch: Watch): Promise<string> {
  await using target = await open(longPath(to), 'wx')
  let position = 0
  const sha256 = await hashOf(from, watch, async chunk => {
    await writeAt(target, chunk, position)
    position += chunk.length
  })
  await target.sync()
  return sha256
}

async function hashOf(file: string, { signal, onBytes }: Watch, use?: (chunk: Uint8Array) => Promise<void>) {
  await using handle = await open(longPath(file), 'r')
  const onPiece = async (piece: Uint8Array) => {
    signal.throwIfAborted()
    await use?.(piece)
    onBytes(piece.length)
  }
  return await sha256Of(piecesOf(handle), onPiece, unhurriedHash())
}
