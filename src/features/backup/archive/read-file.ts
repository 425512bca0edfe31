/**
 * Reads a range of a file in pieces, and splits pieces into lines. Both functions read no further than the
 * caller iterates.
 */
import type { FileHandle } from 'node:fs/promises'
import { createBufferPool } from '../../../base/buffer-pool.ts'

const PIECE_BYTES = 256 * 1024
const pieceBuffers = createBufferPool(PIECE_BYTES, 2)

/**
 * Maximum length of a line in characters: no valid row is this long. Limits the memory for a file without
 * line breaks.
 */
const MAX_LINE_LENGTH = 16 * 1024 * 1024

/**
 * Yields a range of a file; ends early if the file ends early. A piece is valid only until the next one is
 * requested or the iteration ends.
 */
export async function* readPieces(
  handle: FileHandle,
  start = 0,
  size = Infinity,
): AsyncGenerator<Uint8Array> {
  const buffer = pieceBuffers.take()
  try {
    for (let position = start; position < start + size; ) {
      const requestedBytes = Math.min(buffer.length, start + size - position)
      const { bytesRead } = await handle.read(buffer, 0, requestedBytes, position)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
      position += bytesRead
    }
  } finally {
    pieceBuffers.giveBack(buffer)
  }
}

/** Yields lines without their line ends. A last line may have no line end. */
export async function* splitIntoLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let unfinishedLine = ''
  for await (const piece of pieces) {
    const lines = (unfinishedLine + decoder.decode(piece, { stream: true })).split('\n')
    unfinishedLine = lines.pop()!
    yield* lines
    // If the line is too long, yields an empty line instead and ends. Callers reject an empty line, because
    // it is neither a valid row nor a valid line of a checksum list.
    if (unfinishedLine.length > MAX_LINE_LENGTH) return yield ''
  }
  // The bytes may end within a character.
  unfinishedLine += decoder.decode()
  if (unfinishedLine !== '') yield unfinishedLine
}
