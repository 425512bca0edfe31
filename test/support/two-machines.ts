/** Two instances on one database and store of their own, each through a proxy: so that one alone can be cut off. */
import { type Ceph, startCeph } from './ceph.ts'
import type { Environment } from './host-client.ts'
import { type PostgresServer, startPostgres } from './postgres.ts'
import { type PostgresProxy, startPostgresProxy } from './postgres-proxy.ts'
import { type Service, type ServiceOptions, startService } from './service.ts'
import { makePlace, type SharedPlace } from './shared-place.ts'

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
  /** One more instance, with its own way to the database. */
  start(options?: ServiceOptions): Promise<Machine>
}

export async function startTwoMachines(options: ServiceOptions = {}): Promise<Machines> {
  const opened = new AsyncDisposableStack()
  try {
    return await openMachines(opened, options)
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

async function openMachines(opened: AsyncDisposableStack, options: ServiceOptions): Promise<Machines> {
  const [postgres, ceph] = await Promise.all([startPostgres({ flushed: true }), startCeph()])
  opened.defer(() => postgres.stop())
  opened.use(ceph)
  const place = await makePlace(postgres, ceph.place)
  let token = ''

  async function start(given: ServiceOptions = options): Promise<Machine> {
    const proxy = opened.use(await startPostgresProxy(postgres))
    const env: Environment = {
      FUNDUS_TEST_UNFLUSHED: '',
      ...given.env,
      DATABASE_URL: place.databaseUrl.replace(String(postgres.port), String(proxy.port)),
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
