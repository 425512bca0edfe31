/** How many files and connections this process may have open at a time, and what they are for. */
import { readFileSync } from 'node:fs'

/** Where the system does not tell: the usual limit of a process. */
const USUAL_LIMIT = 1024
/** For the database, decoders, jobs, and connections that are being refused. */
const RESERVE = 64
/**
 * The most connections, however many descriptors there are: each may have some hundred KB of a body waiting.
 */
const CONNECTIONS_MOST = 4096
const CONNECTIONS_LEAST = 16
/** Files that stay open between two readers, and the part of all descriptors that they may take. */
export const KEPT_FILES_MOST = 256
const KEPT_FILES_SHARE = 1 / 8
/** One network may have this part of all connections. */
const NETWORK_SHARE = 1 / 4
/** Connections that are being told that there are too many. */
const REFUSALS_MOST = 16

export interface ConnectionLimits {
  all: number
  perNetwork: number
  /** How many more may be open that only hear that there are too many. */
  refusals: number
}

export interface Descriptors {
  connections: ConnectionLimits
  /** Files of answers that stay open between two readers. */
  keptFiles: number
}

/**
 * Shares out `limit` descriptors. A connection may need a file of its own: the one that it uploads or reads.
 */
export function shareOut(limit: number): Descriptors {
  const keptFiles = Math.min(KEPT_FILES_MOST, Math.floor(limit * KEPT_FILES_SHARE))
  const pairs = Math.floor((limit - RESERVE - keptFiles) / 2)
  const all = Math.max(CONNECTIONS_LEAST, Math.min(CONNECTIONS_MOST, pairs))
  const perNetwork = Math.max(CONNECTIONS_LEAST, Math.floor(all * NETWORK_SHARE))
  return { connections: { all, perNetwork, refusals: REFUSALS_MOST }, keptFiles }
}

/**
 * The limit of this process. The runtime has raised it to the highest that the system allows (RLIMIT_NOFILE).
 */
export function descriptorLimit(): number {
  if (process.platform === 'win32') return Number.POSITIVE_INFINITY
  try {
    const [, limit] = /^Max open files +(\d+|unlimited) /m.exec(readFileSync('/proc/self/limits', 'latin1'))!
    return limit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limit)
  } catch {
    return USUAL_LIMIT
  }
}
