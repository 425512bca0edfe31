/**
 * Shared helpers for tests of several workers on one port. Each request has a connection of its own, so that
 * it reaches any of them.
 */
import { join } from 'node:path'
import type { HeaderMap } from '../../support/api.ts'
import { ADMIN_ENV } from '../../support/dashboard.ts'
import { childrenOf } from '../../support/processes.ts'
import type { Service } from '../../support/service.ts'
import { GERMAN } from '../../support/tools.ts'

export const TWO = { WORKERS: '2', ...ADMIN_ENV, TRUST_PROXY: '127.0.0.0/8' }

export const ask = ({ url }: Service, route: string, init: RequestInit = {}) =>
  fetch(url + route, { ...init, keepalive: false })
export const put = (service: Service, token: string, path: string, body: string, headers: HeaderMap = {}) =>
  ask(service, '/api/upload', {
    method: 'POST',
    body,
    headers: { Authorization: `Bearer ${token}`, 'X-Path': path, ...headers },
  })
export const statuses = async (answers: Promise<Response>[]) => {
  const counts: Record<number, number> = {}
  for (const { status } of await Promise.all(answers)) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** The samples of `/metrics` by name and labels. */
export async function samples(service: Service): Promise<Map<string, number>> {
  const lines = (await (await ask(service, '/metrics')).text()).split('\n')
  return new Map(lines.map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}
export const workersOf = (service: Service) => childrenOf(service.pid)
/** The process ids that `/metrics` names. */
export async function answering(service: Service): Promise<number[]> {
  const names = [...(await samples(service).catch(() => new Map<string, number>())).keys()]
  return names.flatMap(name => /^fundus_instance_info\{.*pid="(\d+)"/.exec(name)?.[1] ?? []).map(Number)
}

/** Starts two workers without waiting until they answer. */
export const startTwo = (env: Record<string, string>) =>
  Bun.spawn([process.execPath, 'src/cli.ts', 'start', '--no-build'], {
    cwd: join(import.meta.dir, '../../..'),
    env: { ...GERMAN, PATH: process.env.PATH ?? '', HOST: '127.0.0.1', WORKERS: '2', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** Polls without a pause, so that it sees the first process soon after its start. */
export function untilFirstWorker({ pid }: { pid: number }): void {
  const end = performance.now() + 30_000
  while (childrenOf(pid).length === 0 && performance.now() < end);
}
