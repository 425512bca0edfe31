/** Opens a file of this machine as an object. */
import { statSync } from 'node:fs'
import { errorCode } from './platform.ts'
import type { ByteRange, StoredObject } from './storage.ts'

/** Null when the file does not exist. The file is read lazily, by its name. */
export function openLocal(file: string, range?: ByteRange): StoredObject | null {
  let size: number
  try {
    // Synchronous on purpose: a look into the inode cache takes microseconds, a hop to a thread many times as long.
    const facts = statSync(file)
    if (!facts.isFile()) throw new Error(`${file} is no file`)
    size = facts.size
  } catch (error) {
    return ignoreAbsence(error)
  }
  const whole = Bun.file(file)
  const body = range ? whole.slice(range.start, range.end) : whole
  return { size, body, bytes: () => body.bytes() }
}

export function ignoreAbsence(error: unknown): null {
  if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return null
  throw error
}
