/** Opens a local file as an object. */
import { statSync } from 'node:fs'
import { errorCode } from '../../base/system/error-code.ts'
import type { ByteRange, StoredObject } from '../storage.ts'

/**
 * The bytes of a local file in this range. The file is opened only when they are read. `fileRange` tells the
 * HTTP server which bytes to send with `sendfile`.
 */
export function localFileRange(file: string, { start, end }: ByteRange) {
  return Object.assign(Bun.file(file).slice(start, end), { fileRange: { file, start, end } })
}

/**
 * The object in this file, or a range of it; null if the file does not exist. Only the size is read here; the
 * file is opened when its bytes are read.
 */
export function openLocalObject(file: string, range?: ByteRange): StoredObject | null {
  let size: number
  try {
    // This is synchronous on purpose: the inode cache usually answers in microseconds, while handing the call
    // to a thread takes far longer.
    const stats = statSync(file)
    if (!stats.isFile()) throw new Error(`${file} is no file`)
    size = stats.size
  } catch (error) {
    return ignoreAbsence(error)
  }
  const body = localFileRange(file, range ?? { start: 0, end: size })
  return { size, body, bytes: () => body.bytes() }
}

export function ignoreAbsence(error: unknown): null {
  if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return null
  throw error
}
