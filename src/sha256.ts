/** SHA-256, by which contents, secrets and styles are known. */
import { createHash } from 'node:crypto'

export const sha256 = (data: string | Uint8Array, encoding: 'hex' | 'base64' = 'hex') =>
  createHash('sha256').update(data).digest(encoding)

/** In constant memory. `onBytes` is told of each piece that was read; reading goes on when it resolves. */
export async function sha256Of(
  chunks: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => Promise<void> | void = () => {},
): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) {
    hash.update(chunk)
    await onBytes(chunk.length)
  }
  return hash.digest('hex')
}
