/**
 * Requests to a provider. The operator chooses the provider's host, which may be in any network, since many
 * run their provider internally. Every other host that the provider names must be public, so that the
 * provider cannot send requests of this service into a private network. Plain http is allowed only within
 * this machine. Redirects are refused; time and size are limited.
 */
import { MEGABYTE } from '../../contract/values/units.ts'
import { Failure, failure } from '../../errors/errors.ts'
import { refusalOf } from '../fetch-url/address-guard.ts'
import type { AddressesOf } from '../fetch-url/connection.ts'
import type { Network } from '../fetch-url/network.ts'
import { createSendRequest } from '../fetch-url/request.ts'
import { allAddresses, publicAddresses, shownHost } from '../fetch-url/target.ts'

/** Maximum bytes of an answer; metadata and key sets have a few kilobytes. */
const ANSWER_BYTES = MEGABYTE

export interface ProviderRequest {
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: unknown
  signal?: AbortSignal | undefined
}

/** The signature of `fetch`, as the library calls it. */
export type ProviderFetch = (address: string, request: ProviderRequest) => Promise<Response>

export function createProviderFetch({ home, network }: { home: URL; network: Network }): ProviderFetch {
  const addressesOf: AddressesOf = async (target, resolve) => {
    const isHome = target.url.hostname === home.hostname
    const addresses = await (isHome ? allAddresses : publicAddresses)(target, resolve)
    if (!target.secure && !addresses.every(address => refusalOf(address) === 'loopback'))
      throw failure.sourceUntrusted(shownHost(target.host), new Error('plain http leaves this machine'))
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
      return new Response(await boundedBytes(answer), { status: answer.status, headers: answer.headers })
    } catch (error) {
      if (error instanceof TooLong) throw failure.providerBroken(error)
      // The errors of fetched files mention files, so another error takes their place.
      throw error instanceof Failure ? failure.providerUnreachable(error) : error
    }
  }
}

class TooLong extends Error {}

/** The body of an answer, up to `ANSWER_BYTES`; null for a status that has no body. */
async function boundedBytes({ body }: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!body) return null
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > ANSWER_BYTES) throw new TooLong(`more than ${ANSWER_BYTES} bytes`)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
