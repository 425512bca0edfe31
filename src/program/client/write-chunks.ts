/** Writes a stream to a file in constant memory. */
import { open } from 'node:fs/promises'

/** Returns the number of bytes that were written. `seen` is called for each chunk. */
export async function writeChunks(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  seen: () => void = () => {},
): Promise<number> {
  await using handle = await open(file, 'w')
  let size = 0
  for await (const chunk of chunks) {
    seen()
    size += chunk.length
    for (let at = 0; at < chunk.length; ) at += (await handle.write(chunk, at)).bytesWritten
  }
  return size
}
