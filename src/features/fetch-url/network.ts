/** The network access that fetching a file needs; tests replace it. */
import { lookup } from 'node:dns/promises'
import { connect, type Socket } from 'node:net'
import { FETCH_CONNECT_TIMEOUT, FETCH_TOTAL_TIMEOUT } from '../../contract/upload/ingest.ts'
import type { ResolveHost } from './check-target.ts'

export interface Network {
  resolve: ResolveHost
  /** Connects to exactly this IP address; it is never a host name. */
  dial(address: string, port: number): Socket
  /** CA certificates (PEM) that are trusted instead of the default ones. */
  ca?: string
  /** Limits in milliseconds. */
  limits: {
    /** For each connection, from resolving the name to the end of the TLS handshake. */
    connect: number
    /** For one request or one fetched file, including all redirects. */
    total: number
    /** Maximum time from the request to the first chunk of the body, and from each chunk to the next. */
    stall: number
  }
}

export const internet: Network = {
  resolve: async host => (await lookup(host, { all: true })).map(({ address }) => address),
  dial: (address, port) => connect({ host: address, port }),
  limits: { connect: FETCH_CONNECT_TIMEOUT, total: FETCH_TOTAL_TIMEOUT, stall: 15_000 },
}
