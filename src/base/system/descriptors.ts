/** Divides the file descriptors of this process between connections and stored files that stay open. */
import { readFileSync } from 'node:fs'
import { attempt } from '../attempt.ts'

/** Number of descriptors that is assumed if the limit of the system cannot be read. */
const DEFAULT_LIMIT = 1024
/** Descriptors reserved for the database, decoders, jobs, and connections that are being refused. */
const RESERVED_DESCRIPTORS = 64
/**
 * Maximum number of served connections, even if there are more descriptors, because each connection may hold
 * some hundred KB of a request body in memory.
 */
const MAX_CONNECTIONS = 4096
const MIN_CONNECTIONS = 16
/** Maximum number of files that stay open between requests, and their maximum share of all descriptors. */
export const MAX_OPEN_FILES = 256
const OPEN_FILES_SHARE = 1 / 8
/** Maximum share of all connections that one network of clients (IPv4 /24 or IPv6 /64) may have. */
const NETWORK_SHARE = 1 / 4
/** Maximum number of further connections that are open only until they are refused. */
const MAX_REFUSALS = 16

export interface ConnectionLimits {
  /** Maximum number of connections that are served. */
  total: number
  /** Maximum number of served connections from one network of clients (IPv4 /24 or IPv6 /64). */
  perNetwork: number
  /** Maximum number of further connections that are open only until they are refused. */
  refusals: number
}

/**
 * Divides `limit` descriptors. `maxOpenFiles`: how many files may stay open between requests. Each connection
 * counts as two descriptors: its socket and the file that it sends.
 */
export function divideDescriptors(limit: number): { connections: ConnectionLimits; maxOpenFiles: number } {
  const maxOpenFiles = Math.min(MAX_OPEN_FILES, Math.floor(limit * OPEN_FILES_SHARE))
  const maxConnections = Math.floor((limit - RESERVED_DESCRIPTORS - maxOpenFiles) / 2)
  const total = Math.max(MIN_CONNECTIONS, Math.min(MAX_CONNECTIONS, maxConnections))
  const perNetwork = Math.max(MIN_CONNECTIONS, Math.floor(total * NETWORK_SHARE))
  return { connections: { total, perNetwork, refusals: MAX_REFUSALS }, maxOpenFiles }
}

/**
 * The number of descriptors that this process may open (RLIMIT_NOFILE, which the runtime has raised to its
 * hard limit); `DEFAULT_LIMIT` if it cannot be read. Infinite on Windows and if the system has no limit.
 */
export function descriptorLimit(): number {
  if (process.platform === 'win32') return Number.POSITIVE_INFINITY
  const limits = attempt(() => readFileSync('/proc/self/limits', 'latin1')) ?? ''
  const [, limit = DEFAULT_LIMIT] = /^Max open files +(\d+|unlimited) /m.exec(limits) ?? []
  return limit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limit)
}
