/** The checks of `fundus doctor` for the network: the port, and the public address with its proxy. */

import { type Config, ConfigError } from '../../../config/config.ts'
import { listen } from '../../../service/listen.ts'
import { type Finding, hintFinding, okFinding, wrongFinding } from './doctor-finding.ts'
import { findServicePort } from './service-port.ts'

/** Milliseconds within which a request must be answered. */
const REQUEST_TIMEOUT = 5000

const PORT_CHECK = ['Port', 'Port'] as const
const ADDRESS_CHECK = ['Adresse', 'Address'] as const
const PROXY_CHECK = ['Proxy', 'Proxy'] as const

/**
 * `publicUrl` is null for the default address, which can be reached only from this machine. It is undefined
 * if the address is unknown.
 */
export async function examineNetwork(
  config: Config,
  publicUrl: string | null | undefined,
): Promise<Finding[]> {
  const portResult = await portFinding(config)
  if (publicUrl === undefined) return [portResult]
  if (publicUrl === null) return [portResult, NO_ADDRESS_FINDING]
  return [portResult, ...(await addressFindings(config, publicUrl))]
}

const NO_ADDRESS_FINDING = hintFinding(
  ADDRESS_CHECK,
  'PUBLIC_URL ist nicht gesetzt: Genannte Adressen beginnen mit http://localhost und gelten nur auf diesem Rechner.',
  'PUBLIC_URL is not set: addresses begin with http://localhost and hold on this machine only.',
)

/** Whether a healthy Fundus answers at this address. Rejects if nothing answers in time. */
async function isHealthy(address: string): Promise<boolean> {
  const answer = await fetch(`${address}/health`, { signal: AbortSignal.timeout(REQUEST_TIMEOUT) })
  const body: unknown = await answer.json().catch(() => null)
  return (body as { ok?: unknown } | null)?.ok === true
}

async function portFinding(config: Config): Promise<Finding> {
  const { host } = config
  // The service may have been started with another PORT than this command.
  const runningPort = findServicePort(config.dataDir)
  const port = runningPort ?? config.port
  const localHost = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  if (port > 0 && (await isHealthy(`http://${localHost}:${port}`).catch(() => false)))
    return okFinding(PORT_CHECK, `Port ${port}: Fundus läuft dort.`, `Port ${port}: Fundus is running there.`)
  if (runningPort !== null)
    return wrongFinding(
      PORT_CHECK,
      `Port ${port}: Fundus läuft dort, antwortet aber nicht. Was ihm fehlt, steht in seinem Protokoll; sonst hilft ein Neustart.`,
      `Port ${port}: Fundus is running there but does not answer. Its log says why; otherwise restart it.`,
    )
  try {
    const refuse = () => new Response(null, { status: 503 })
    await listen(config, { fetch: refuse, error: refuse }).stop(true)
    return okFinding(PORT_CHECK, `Port ${port} ist frei.`, `Port ${port} is free.`)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return wrongFinding(PORT_CHECK, error.message, error.english)
  }
}

async function addressFindings(config: Config, address: string): Promise<Finding[]> {
  const isReachable = await isHealthy(address).catch(() => null)
  if (isReachable !== true)
    return [
      hintFinding(
        ADDRESS_CHECK,
        `Unter PUBLIC_URL ${address} antwortet Fundus von hier aus nicht; läuft der Dienst, so liegt es am Proxy, am Namen oder an der Firewall.`,
        `Fundus does not answer at PUBLIC_URL ${address} from here; while the service runs, look at the proxy, the name or the firewall.`,
      ),
    ]
  const reachedFinding: Finding = okFinding(
    ADDRESS_CHECK,
    `Fundus antwortet unter ${address}.`,
    `Fundus answers at ${address}.`,
  )
  if (await isApiCached(address)) return [reachedFinding, PROXY_CACHE_FINDING]
  return [reachedFinding, config.trustedProxies.length > 0 ? TRUSTED_PROXY_FINDING : UNTRUSTED_PROXY_FINDING]
}

const PROXY_CACHE_FINDING = wrongFinding(
  PROXY_CHECK,
  'Der Proxy antwortet aus seinem Cache: Er muss ihn für /api/, /f/, /t/, /b/ und /u/ umgehen (deploy/ hat fertige Dateien).',
  'The proxy answers out of its cache: it must bypass it for /api/, /f/, /t/, /b/ and /u/ (deploy/ has ready files).',
)
const TRUSTED_PROXY_FINDING = okFinding(
  PROXY_CHECK,
  'TRUST_PROXY ist gesetzt, und /api/ kommt nicht aus einem Cache.',
  'TRUST_PROXY is set, and /api/ does not come out of a cache.',
)
const UNTRUSTED_PROXY_FINDING = hintFinding(
  PROXY_CHECK,
  'TRUST_PROXY ist leer. Steht ein Proxy davor, gehört seine Adresse hinein (etwa TRUST_PROXY=127.0.0.1); sonst sperrt ein falsches Passwort alle aus.',
  'TRUST_PROXY is empty. With a proxy in front, its address belongs there (such as TRUST_PROXY=127.0.0.1); otherwise one wrong password locks everybody out.',
)

/** Headers in which proxies report a cache hit. */
const CACHE_HEADERS = ['x-cache', 'x-cache-status', 'x-proxy-cache', 'cf-cache-status']

/**
 * Whether requests to the API at this address are answered from a cache. The same request is sent twice,
 * because the first one may fill the cache.
 */
async function isApiCached(address: string): Promise<boolean> {
  const requestAddress = () =>
    fetch(`${address}/api/exists?pfad=doctor.png`, { signal: AbortSignal.timeout(REQUEST_TIMEOUT) }).catch(
      () => null,
    )
  await requestAddress()
  const headers = (await requestAddress())?.headers
  if (!headers) return false
  return headers.has('age') || CACHE_HEADERS.some(name => /hit/i.test(headers.get(name) ?? ''))
}
