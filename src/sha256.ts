/** SHA-256 hashes, used to identify contents, secrets and inline styles. */
import { createHash } from 'node:crypto'

export const sha256 = (data: string | Uint8Array, encoding: 'hex' | 'base64' = 'hex') =>
  createHash('sha256').update(data).digest(encoding)

/** Hashes a stream in constant memory. `use` gets each chunk; reading continues when it resolves. */
export async function sha256Of(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  use: (chunk: Uint8Array) => Promise<void> | void = () => {},
): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) {
    hash.update(chunk)
    await use(chunk)
  }
  return hash.digest('hex')
}
