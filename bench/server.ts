/** The servers that are compared, seen alike: files under `/f/<path>`, uploads in each one's own manner. */
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Service, startService } from '../test/support/service.ts'
import type { Line } from './line.ts'
import { SERVER_CORE } from './machine.ts'

export interface UploadRequest {
  method: 'PUT' | 'POST'
  target: string
  headers: Record<string, string>
}

export interface Server {
  readonly name: string
  readonly port: number
  /** The ports among which uploads are spread; without them all go to `port`. */
  readonly ports?: readonly number[]
  readonly pid: number
  /** Takes no uploads. */
  readonly readOnly?: boolean
  upload(path: string): UploadRequest
  /** For a server that takes uploads only into folders that are there. */
  makeFolder?(name: string): Promise<void>
  /** The end of what it has written, for when it goes away in the middle. */
  lastWords(): string
  stop(): Promise<void>
}

export interface FundusOptions {
  /** The server's own core unless given. */
  cores?: string
  workers?: number
}

export async function startFundus(
  folder: string,
  line: Line,
  { cores = SERVER_CORE, workers = 1 }: FundusOptions = {},
): Promise<Server> {
  const dataDir = await mkdtemp(join(folder, 'fundus-'))
  const host = line.address === '127.0.0.1' ? line.address : '0.0.0.0'
  const service = await startService({
    dataDir,
    env: { HOST: host, WORKERS: String(workers) },
    wrapper: ['taskset', '-c', cores],
  })
  return {
    ...(await asServer('Fundus', service)),
    async stop() {
      await service.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Requests go to the first instance of the service. */
export async function asServer(name: string, service: Service): Promise<Server> {
  const token = await service.createToken('--name', 'bench', '--may-delete')
  return {
    name,
    port: service.instances[0]!.run.port,
    pid: service.pid,
    upload: path => ({
      method: 'POST',
      target: '/api/upload',
      headers: { authorization: `Bearer ${token}`, 'x-path': path },
    }),
    lastWords: () => service.output().slice(-4000),
    stop: async () => void (await service.stop()),
  }
}
