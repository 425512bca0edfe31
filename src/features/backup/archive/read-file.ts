/**
 * Reads a range of a file in pieces, and splits pieces into lines. Both functions read no further than the
 * caller iterates.
 */
import type { FileHandle } from 'node:fs/promises'

const PIECE_BYTES = 256 * 1024
/**
 * Buffers that the next files reuse. A backup reads thousands of short files; with a buffer for each, the
 * memory of the service grew by some megabytes until the next garbage collection.
 */
const spareBuffers: Buffer[] = []
const MAX_SPARE_BUFFERS = 2

/**
 * Maximum length of a line in characters: no valid row is this long. Limits the memory for a file without
 * line breaks.
 */
const MAX_LINE_LENGTH = 16 * 1024 * 1024

/**
 * Yields a range of a file; ends early if the file ends early. A piece is valid only until the next one is
 * requested or the iteration ends.
 */
export async function* piecesOf(handle: FileHandle, start = 0, size = Infinity): AsyncGenerator<Uint8Array> {
  const buffer = spareBuffers.pop() ?? Buffer.allocUnsafe(PIECE_BYTES)
  try {
    for (let position = start; position < start + size; ) {
      const requestedBytes = Math.min(buffer.length, start + size - position)
      const { bytesRead } = await handle.read(buffer, 0, requestedBytes, position)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
      position += bytesRead
    }
  } finally {
    if (spareBuffers.length < MAX_SPARE_BUFFERS) spareBuffers.push(buffer)
  }
}

/** Yields lines without their line ends. A last line may have no line end. */
export async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let unfinishedLine = ''
  for await (const piece of pieces) {
    const lines = (unfinishedLine + decoder.decode(piece, { stream: true })).split('\n')
    unfinishedLine = lines.pop()!
    yield* lines
    // The line is too long. Yields an empty line instead and ends. The caller rejects the empty line, which
    // is neither a valid row nor a valid line of a checksum list.
    if (unfinishedLine.length > MAX_LINE_LENGTH) return yield ''
  }
  if (unfinishedLine !== '') yield unfinishedLine
}
