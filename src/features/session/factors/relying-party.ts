/**
 * The host that passkeys belong to (in WebAuthn, the relying party): the host of `PUBLIC_URL`, if browsers
 * allow passkeys there.
 */
import { isIP } from 'node:net'

interface RelyingParty {
  /** The host name that a passkey is bound to. */
  id: string
  origin: string
}

/**
 * The relying party for this public address. Null if no browser offers passkeys there: at a bare IP address
 * (WebAuthn §5.1.3, "effective domain"), or at an address without HTTPS, except on `localhost` and its
 * subdomains.
 */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(publicUrl)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return null
  return protocol === 'https:' || isLocal ? { id: hostname, origin } : null
}
