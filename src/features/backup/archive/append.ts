/** Appends to a file through a buffer, so that many small pieces need few system calls. */
import type { FileHandle } from 'node:fs/promises'

const BUFFER_BYTES = 1024 * 1024

export function createAppender(handle: FileHandle) {
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES)
  let filled = 0
  let written = 0

  /** Writes the buffer to the file, so that everything appended so far can be read from it. */
  async function writeBuffer(): Promise<void> {
    await writeAt(handle, buffer.subarray(0, filled), written)
    written += filled
    filled = 0
  }

  return {
    /** The position in the file at which the next byte will be written. */
    get position() {
      return written + filled
    },
    /** Appends a chunk, which the caller may reuse once the promise resolves. */
    async append(chunk: Uint8Array) {
      for (let from = 0; from < chunk.length; ) {
        const room = Math.min(chunk.length - from, BUFFER_BYTES - filled)
        buffer.set(chunk.subarray(from, from + room), filled)
        filled += room
        from += room
        if (filled === BUFFER_BYTES) await writeBuffer()
      }
    },
    writeBuffer,
  }
}

/** Writes all bytes: one system call may write fewer than it was given. */
export async function writeAt(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let from = 0; from < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, from, bytes.length - from, position + from)
    from += bytesWritten
  }
}
