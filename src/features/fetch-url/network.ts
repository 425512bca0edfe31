/** The network access that fetching a file needs; tests replace it. */
import { lookup } from 'node:dns/promises'
import { connect, type Socket } from 'node:net'
import { FETCH_CONNECT_TIME, FETCH_TOTAL_TIME } from '../../contract/upload/ingest.ts'
import type { Resolve } from './target.ts'

export interface Network {
  resolve: Resolve
  /** Connects to exactly this address, which is never a name. */
  dial(address: string, port: number): Socket
  /** Certificates to trust instead of the default ones. */
  ca?: string
  /** All limits are in milliseconds. */
  limits: {
    connect: number
    total: number
    /** Maximum milliseconds without a single byte. */
    stall: number
  }
}

export const internet: Network = {
  resolve: async host => (await lookup(host, { all: true })).map(({ address }) => address),
  dial: (address, port) => connect({ host: address, port }),
  limits: { connect: FETCH_CONNECT_TIME, total: FETCH_TOTAL_TIME, stall: 15_000 },
}
