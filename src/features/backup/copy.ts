/**
 * Makes the copy at the second target: writes it, flushes it, reads it back and compares both by SHA-256. The copy is
 * opened anew for reading. The operating system may still answer that reading from its memory instead of the disk; no
 * call available here prevents that.
 */
import { type FileHandle, open, rm } from 'node:fs/promises'
import { sha256Of } from '../../sha256.ts'
import { longPath } from '../../storage/platform.ts'
import { writeAt } from './append.ts'
import { piecesOf } from './stretch.ts'

export interface CopyOptions {
  from: string
  to: string
  signal: AbortSignal
  onBytes: (count: number) => void
}

/**
 * Returns false when the copy differs from what was read from the source. The copy is removed unless the result is
 * true.
 */
export async function copyAndCompare({ from, to, signal, onBytes }: CopyOptions): Promise<boolean> {
  let same = false
  try {
    const source = await reading(from, handle => copyInto(handle, to, { signal, onBytes }))
    const copy = await reading(to, handle => hashOf(handle, { signal, onBytes }))
    same = source === copy
    return same
  } finally {
    if (!same) await rm(longPath(to), { force: true }).catch(() => {})
  }
}

async function reading<T>(file: string, work: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(longPath(file), 'r')
  try {
    return await work(handle)
  } finally {
    await handle.close()
  }
}

type Watch = Pick<CopyOptions, 'signal' | 'onBytes'>

async function copyInto(source: FileHandle, to: string, watch: Watch): Promise<string> {
  const target = await open(longPath(to), 'wx')
  try {
    let position = 0
    const sha256 = await hashOf(source, watch, async chunk => {
      await writeAt(target, chunk, position)
      position += chunk.length
    })
    await target.sync()
    return sha256
  } finally {
    await target.close()
  }
}

const hashOf = (handle: FileHandle, { signal, onBytes }: Watch, use?: (chunk: Uint8Array) => Promise<void>) =>
  sha256Of(piecesOf(handle), async piece => {
    signal.throwIfAborted()
    await use?.(piece)
    onBytes(piece.length)
  })
