/** Posts text to a public address, by the rules of fetched files: every resolved address is checked. */
import { connectTo } from './connection.ts'
import { exchange } from './exchange.ts'
import type { Network } from './network.ts'
import { targetOf } from './target.ts'

/** The runtime accepts no body with these statuses (RFC 9110 section 6.4.1). */
const WITHOUT_BODY = [204, 205, 304]

export interface Post {
  headers: Readonly<Record<string, string>>
  body: string
  signal: AbortSignal
}

/**
 * Sends a POST request to a public address. Any port is allowed, unlike for files: chat servers often use
 * their own. Redirects are not followed.
 */
export const createPostToPublic =
  (network: Network) =>
  async (address: string, { headers, body, signal }: Post): Promise<Response> => {
    const target = targetOf(new URL(address), null)
    const socket = await connectTo(target, network, signal)
    async function* closing(bytes: AsyncIterable<Uint8Array>) {
      try {
        yield* bytes
      } finally {
        socket.destroy()
      }
    }
    try {
      const sent = { method: 'POST', headers, body } as const
      const {
        status,
        headers: answered,
        bytes,
      } = await exchange(target, socket, network.limits.stall, signal, sent)
      const hasBody = !WITHOUT_BODY.includes(status)
      if (!hasBody) socket.destroy()
      return new Response(hasBody ? closing(bytes) : null, {
        status,
        headers: { 'Retry-After': answered['retry-after'] ?? '' },
      })
    } catch (error) {
      socket.destroy()
      throw error
    }
  }
