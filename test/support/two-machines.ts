/**
 * Two instances on a database and store of their own, each through a proxy, so that one alone can be cut off.
 */
import { afterAll, beforeAll, setDefaultTimeout } from 'bun:test'
import { type Ceph, findCeph, startCeph } from './ceph.ts'
import type { Environment } from './host-client.ts'
import { findPostgres, type PostgresOptions, type PostgresServer, startPostgres } from './postgres.ts'
import { type PostgresProxy, startPostgresProxy } from './postgres-proxy.ts'
import { type Service, type ServiceOptions, startService } from './service.ts'
import { makePlace, type SharedPlace } from './shared-place.ts'
import { findTool, needsTool } from './tools.ts'

export interface Machine {
  service: Service
  proxy: PostgresProxy
  put(path: string, body: string | Uint8Array<ArrayBuffer>): Promise<Response>
  get(path: string): Promise<Response>
}

export interface Machines extends AsyncDisposable {
  postgres: PostgresServer
  ceph: Ceph
  place: SharedPlace
  one: Machine
  other: Machine
  token: string
  /** One more instance, with its own connection to the database unless its environment has another one. */
  start(options?: ServiceOptions): Promise<Machine>
}

/**
 * The two machines of a test file; if PostgreSQL or Ceph is missing, each of its tests fails with a message.
 */
export function useTwoMachines(): () => Machines {
  setDefaultTimeout(180_000)
  needsTool('postgresql', findPostgres)
  needsTool('radosgw', findCeph)
  let machines: Machines | undefined
  beforeAll(async () => {
    if (findTool('postgresql', findPostgres) && findTool('radosgw', findCeph))
      machines = await startTwoMachines()
  })
  afterAll(() => machines?.[Symbol.asyncDispose]())
  return () => machines!
}

/** `address`: where PostgreSQL listens besides 127.0.0.1. */
export async function startTwoMachines({
  address,
}: Pick<PostgresOptions, 'address'> = {}): Promise<Machines> {
  const opened = new AsyncDisposableStack()
  try {
    return await openMachines(opened, address)
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

async function openMachines(opened: AsyncDisposableStack, address?: string): Promise<Machines> {
  const starting = [
    startPostgres({ flushed: true, address }).then(postgres => opened.adopt(postgres, each => each.stop())),
    startCeph().then(ceph => opened.use(ceph)),
  ] as const
  // All of them, so that one that starts after another has failed is stopped too.
  await Promise.allSettled(starting)
  const [postgres, ceph] = await Promise.all(starting)
  const place = await makePlace(postgres, ceph.place)
  let token = ''

  async function start(given: ServiceOptions = {}): Promise<Machine> {
    const proxy = opened.use(await startPostgresProxy(postgres))
    const env: Environment = {
      FUNDUS_TEST_UNFLUSHED: '',
      DATABASE_URL: place.databaseUrl.replace(String(postgres.port), String(proxy.port)),
      ...given.env,
    }
    const service = opened.use(await startService({ ...given, place, instances: 1, env }))
    return {
      service,
      proxy,
      put: (path, body) =>
        fetch(`${service.url}/api/upload`, {
          method: 'POST',
          body,
          headers: { Authorization: `Bearer ${token}`, 'X-Path': path },
          keepalive: false,
        }),
      get: path => fetch(`${service.url}/f/${path}`, { keepalive: false }),
    }
  }

  const one = await start()
  const other = await start()
  token = await one.service.createToken('--may-delete')
  return {
    ...{ postgres, ceph, place, one, other, token, start },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
