/** Appends to a file through one buffer, so that many small pieces become few writes. */
import type { FileHandle } from 'node:fs/promises'

const BUFFER_BYTES = 1024 * 1024

export interface Appender {
  /** The position in the file where the next byte goes. */
  readonly position: number
  /** The chunk may be reused by the caller once the promise resolves. */
  append(chunk: Uint8Array): Promise<void>
  /** Writes the buffer out. When this resolves, everything appended so far can be read from the file. */
  settle(): Promise<void>
}

export function createAppender(handle: FileHandle): Appender {
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES)
  let filled = 0
  let written = 0

  async function settle(): Promise<void> {
    await writeAt(handle, buffer.subarray(0, filled), written)
    written += filled
    filled = 0
  }

  return {
    get position() {
      return written + filled
    },
    async append(chunk) {
      for (let from = 0; from < chunk.length; ) {
        const room = Math.min(chunk.length - from, BUFFER_BYTES - filled)
        buffer.set(chunk.subarray(from, from + room), filled)
        filled += room
        from += room
        if (filled === BUFFER_BYTES) await settle()
      }
    },
    settle,
  }
}

/**
 * Writes all of the bytes, in several calls if needed: one call of the system may write fewer bytes than it
 * was given.
 */
export async function writeAt(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let from = 0; from < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, from, bytes.length - from, position + from)
    from += bytesWritten
  }
}
