/** An address to fetch from, as far as it can be judged without asking anybody. */
import { isIP } from 'node:net'
import { FETCH_PORTS, REFUSED_NETWORKS } from '../../contract/ingest.ts'
import { failure } from '../../errors.ts'
import { refusalOf } from './address-guard.ts'

export interface Target {
  url: URL
  /** As it is resolved and as a certificate names it: without brackets, without a final dot. */
  host: string
  port: number
  secure: boolean
}

/** Resolves a name to all its addresses, of both families. */
export type Resolve = (host: string) => Promise<readonly string[]>

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/** A sentence names the host; a name may have 253 characters, and one that is none far more. */
const HOST_SHOWN = 100
export const shown = (host: string) => host.slice(0, HOST_SHOWN)

/** Throws 400 for what is refused. The URL standard turns `0x7f.1`, `２１３` and the like into what they mean. */
export function targetOf(url: URL): Target {
  const standard = DEFAULT_PORTS[url.protocol]
  if (standard === undefined) throw failure.fetchScheme()
  if (url.username !== '' || url.password !== '') throw failure.fetchCredentials()
  const port = url.port === '' ? standard : Number(url.port)
  if (!FETCH_PORTS.includes(port)) throw failure.fetchPort(FETCH_PORTS)
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (host === '') throw failure.fetchAddressBroken()
  return { url, host, port, secure: url.protocol === 'https:' }
}

/**
 * Asks the resolver once and checks everything it says: one address that is not public refuses the name, since whoever
 * answers so means us to go there. Only what is returned here may be connected to.
 */
export async function publicAddresses({ host }: Target, resolve: Resolve): Promise<readonly string[]> {
  const addresses = isIP(host) ? [host] : await lookUp(host, resolve)
  for (const address of addresses) {
    const network = refusalOf(address)
    if (network) throw failure.fetchNetwork(shown(host), REFUSED_NETWORKS[network])
  }
  return addresses
}

async function lookUp(host: string, resolve: Resolve): Promise<readonly string[]> {
  let trouble: unknown
  const addresses = await resolve(host).catch(error => {
    trouble = error
    return []
  })
  if (addresses.length === 0) throw failure.sourceUnresolved(shown(host), trouble)
  return addresses
}
