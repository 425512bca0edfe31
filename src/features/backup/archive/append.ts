/** Appends to a file through a buffer, so that many small pieces need few system calls. */
import type { FileHandle } from 'node:fs/promises'

const BUFFER_BYTES = 1024 * 1024

export function createAppender(handle: FileHandle) {
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES)
  let bufferedBytes = 0
  let writtenBytes = 0

  /** Writes the buffered bytes, so that everything appended so far can be read from the file. */
  async function writeBuffer(): Promise<void> {
    await writeAt(handle, buffer.subarray(0, bufferedBytes), writtenBytes)
    writtenBytes += bufferedBytes
    bufferedBytes = 0
  }

  return {
    /** The position that the next appended byte will have in the file. */
    get position() {
      return writtenBytes + bufferedBytes
    },
    /** Appends a chunk, which the caller may reuse once the promise resolves. */
    async append(chunk: Uint8Array) {
      for (let offset = 0; offset < chunk.length; ) {
        const copiedBytes = Math.min(chunk.length - offset, BUFFER_BYTES - bufferedBytes)
        buffer.set(chunk.subarray(offset, offset + copiedBytes), bufferedBytes)
        bufferedBytes += copiedBytes
        offset += copiedBytes
        if (bufferedBytes === BUFFER_BYTES) await writeBuffer()
      }
    },
    writeBuffer,
  }
}

/** Writes all bytes, with several system calls if one writes only a part of them. */
export async function writeAt(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let offset = 0; offset < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, offset, bytes.length - offset, position + offset)
    offset += bytesWritten
  }
}
