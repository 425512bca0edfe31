/** Writes a stream to a file in constant memory. */
import { open } from 'node:fs/promises'

/** Returns the number of bytes that were written. `onChunk` is called for each chunk. */
export async function writeChunks(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  onChunk: () => void = () => {},
): Promise<number> {
  await using handle = await open(file, 'w')
  let size = 0
  for await (const chunk of chunks) {
    onChunk()
    size += chunk.length
    for (let offset = 0; offset < chunk.length; ) offset += (await handle.write(chunk, offset)).bytesWritten
  }
  return size
}
