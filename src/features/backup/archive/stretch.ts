/** Reads a range of a file, in pieces or line by line, on demand. */
import type { FileHandle } from 'node:fs/promises'

const PIECE = 256 * 1024
/** Longer than any row. A file without rows must not fill the memory. */
const LONGEST_LINE = 16 * 1024 * 1024

/** Ends early if the file ends early. A piece is valid only until the next. */
export async function* piecesOf(handle: FileHandle, start = 0, size = Infinity): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(Math.min(PIECE, size))
  for (let position = start; position < start + size; ) {
    const wanted = Math.min(buffer.length, start + size - position)
    const { bytesRead } = await handle.read(buffer, 0, wanted, position)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    position += bytesRead
  }
}

/** Yields lines without their line ends. A last line may have no line end. */
export async function* linesOf(handle: FileHandle, start: number, size: number): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of piecesOf(handle, start, size)) {
    const parts = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = parts.pop()!
    yield* parts
    // An empty line is not a row: the caller refuses it, and can say which line it is.
    if (rest.length > LONGEST_LINE) return yield ''
  }
  if (rest !== '') yield rest
}
