/**
 * Requests to a provider. The operator chooses the provider's host, which may be in any network, since many
 * organizations run their provider internally. Every other host that the provider names must be public, so
 * that the provider cannot send requests of this service into a private network. Plain http is allowed only
 * within this machine. Redirects are not followed; time and size are limited.
 */
import { MEGABYTE } from '../../contract/values/units.ts'
import { Failure, failure } from '../../errors/errors.ts'
import { resolveAddresses, resolvePublicAddresses, truncateHost } from '../fetch-url/check-target.ts'
import type { ResolveTarget } from '../fetch-url/connection.ts'
import type { Network } from '../fetch-url/network.ts'
import { refusedNetworkOf } from '../fetch-url/refused-networks.ts'
import { createSendRequest } from '../fetch-url/request.ts'

/** Maximum bytes of an answer; metadata and key sets have a few kilobytes. */
const MAX_ANSWER_BYTES = MEGABYTE

export interface ProviderRequest {
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: unknown
  signal?: AbortSignal | undefined
}

/** The signature of `fetch`, as `oauth4webapi` calls it. */
export type ProviderFetch = (address: string, request: ProviderRequest) => Promise<Response>

export function createProviderFetch({
  providerUrl,
  network,
}: {
  providerUrl: URL
  network: Network
}): ProviderFetch {
  const addressesOf: ResolveTarget = async (target, resolve) => {
    const isProviderHost = target.url.hostname === providerUrl.hostname
    const addresses = await (isProviderHost ? resolveAddresses : resolvePublicAddresses)(target, resolve)
    if (!target.isSecure && !addresses.every(address => refusedNetworkOf(address) === 'loopback'))
      throw failure.sourceUntrusted(truncateHost(target.host), new Error('plain http leaves this machine'))
    return addresses
  }
  const send = createSendRequest(network, addressesOf)

  return async (
    address,
    { method, headers = {}, body, signal = AbortSignal.timeout(network.limits.total) },
  ) => {
    const request = { method: method === 'POST' ? 'POST' : 'GET', headers, signal } as const
    try {
      const answer = await send(address, { ...request, ...(body != null && { body: String(body) }) })
      return new Response(await readBoundedBody(answer), { status: answer.status, headers: answer.headers })
    } catch (error) {
      if (error instanceof AnswerTooLongError) throw failure.providerBroken(error)
      // A `Failure` of `fetch-url` is about the source of a file, so one that is about the provider replaces
      // it.
      throw error instanceof Failure ? failure.providerUnreachable(error) : error
    }
  }
}

class AnswerTooLongError extends Error {}

/** Reads the body of an answer; null if it has none. Throws if it is longer than `MAX_ANSWER_BYTES`. */
async function readBoundedBody({ body }: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!body) return null
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > MAX_ANSWER_BYTES) throw new AnswerTooLongError(`more than ${MAX_ANSWER_BYTES} bytes`)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
