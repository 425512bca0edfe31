/**
 * Sends one request to another server. Unless `addressesOf` decides otherwise, every address to which the
 * name resolves must be public.
 */

import { targetOf } from './check-target.ts'
import { connectTo, type ResolveTarget } from './connection.ts'
import { type RequestMessage, requestOverSocket } from './exchange.ts'
import type { Network } from './network.ts'

/** Statuses with which a `Response` must have no body (“null body status” in the Fetch standard). */
const STATUSES_WITHOUT_BODY = [204, 205, 304]

const RETURNED_HEADERS = ['content-type', 'retry-after', 'www-authenticate'] as const

export interface OutgoingRequest extends RequestMessage {
  signal: AbortSignal
}

export type SendRequest = (address: string, request: OutgoingRequest) => Promise<Response>

/**
 * Returns a function that sends requests. Any port is allowed, unlike when a file is fetched, because
 * self-hosted services, such as the chat server of a webhook, often use unusual ports. Redirects are not
 * followed.
 */
export const createSendRequest =
  (network: Network, addressesOf?: ResolveTarget): SendRequest =>
  async (address, { signal, ...message }) => {
    const target = targetOf(new URL(address), null)
    const socket = await connectTo(target, network, signal, addressesOf)
    async function* closeAfter(bytes: AsyncIterable<Uint8Array>) {
      try {
        yield* bytes
      } finally {
        socket.destroy()
      }
    }
    try {
      const answer = await requestOverSocket(target, socket, network.limits.stall, signal, message)
      const { status, headers, bytes } = answer
      const hasBody = !STATUSES_WITHOUT_BODY.includes(status)
      if (!hasBody) socket.destroy()
      const passedHeaders = RETURNED_HEADERS.map(name => [name, headers[name] ?? ''] as [string, string])
      return new Response(hasBody ? closeAfter(bytes) : null, { status, headers: passedHeaders })
    } catch (error) {
      socket.destroy()
      throw error
    }
  }
