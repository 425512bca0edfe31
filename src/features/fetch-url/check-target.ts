/** Checks an address to fetch from: the URL itself, and every IP address that its name resolves to. */
import { isIP } from 'node:net'
import { FETCH_PORTS, REFUSED_NETWORKS } from '../../contract/upload/ingest.ts'
import { ownValue } from '../../contract/values/own-value.ts'
import { failure } from '../../errors/errors.ts'
import { refusedNetworkOf } from './refused-networks.ts'

export interface Target {
  url: URL
  /** The host as it is resolved and as a certificate names it: without brackets and without a final dot. */
  host: string
  port: number
  isSecure: boolean
}

/** Resolves a name to all its addresses, IPv4 and IPv6. */
export type ResolveHost = (host: string) => Promise<readonly string[]>

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/** Maximum number of characters of a host in an error; an invalid name may be very long. */
const MAX_SHOWN_HOST_LENGTH = 100
export const truncateHost = (host: string) => host.slice(0, MAX_SHOWN_HOST_LENGTH)

/**
 * Returns the target of an address. Throws 400 if the address is refused; if `allowedPorts` is null, any port
 * is allowed. The URL parser has already normalised spellings of IP addresses such as `0x7f.1` and `２１３`.
 */
export function targetOf(url: URL, allowedPorts: readonly number[] | null = FETCH_PORTS): Target {
  const defaultPort = ownValue(DEFAULT_PORTS, url.protocol)
  if (defaultPort === undefined) throw failure.fetchScheme()
  if (url.username !== '' || url.password !== '') throw failure.fetchCredentials()
  const port = url.port === '' ? defaultPort : Number(url.port)
  if (allowedPorts && !allowedPorts.includes(port)) throw failure.fetchPort(allowedPorts)
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (host === '') throw failure.fetchAddressBroken()
  return { url, host, port, isSecure: url.protocol === 'https:' }
}

/**
 * Resolves the name once and checks every address. If a single address is not public, the whole name is
 * refused, since whoever returns such an address wants the service to connect there. Only the returned
 * addresses may be connected to.
 */
export async function resolvePublicAddresses(
  target: Target,
  resolve: ResolveHost,
): Promise<readonly string[]> {
  const { host } = target
  const addresses = await resolveAddresses(target, resolve)
  for (const address of addresses) {
    const network = refusedNetworkOf(address)
    if (network) throw failure.fetchNetwork(truncateHost(host), REFUSED_NETWORKS[network])
  }
  return addresses
}

/** Resolves a name without checks; the addresses may be in any network. */
export async function resolveAddresses({ host }: Target, resolve: ResolveHost): Promise<readonly string[]> {
  if (isIP(host)) return [host]
  let resolveError: unknown
  const addresses = await resolve(host).catch(error => {
    resolveError = error
    return []
  })
  if (addresses.length === 0) throw failure.sourceUnresolved(truncateHost(host), resolveError)
  return addresses
}
