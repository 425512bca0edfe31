/** The lines of a stretch of a file, read as they are taken. */
import type { FileHandle } from 'node:fs/promises'

const PIECE = 64 * 1024
/** No row of ours comes near it; a file that is none must not fill the memory. */
const LONGEST = 16 * 1024 * 1024

/** Without their line ends. The last one must have its end too: a rest without it is given as it is. */
export async function* linesOf(handle: FileHandle, start: number, size: number): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const buffer = Buffer.allocUnsafe(PIECE)
  let rest = ''
  for (let position = start; position < start + size; ) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(PIECE, start + size - position), position)
    if (bytesRead === 0) break
    position += bytesRead
    const parts = (rest + decoder.decode(buffer.subarray(0, bytesRead), { stream: true })).split('\n')
    rest = parts.pop()!
    if (rest.length > LONGEST) throw new Error('a line without end')
    yield* parts
  }
  if (rest !== '') yield rest
}
