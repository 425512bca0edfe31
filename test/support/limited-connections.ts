/** A service with few descriptors, and so with few connections, for tests of their limits. */
import { head, type RawConnection } from './raw.ts'
import { type Service, startService } from './service.ts'

export const DESCRIPTORS = 256
const METRICS_TOKEN = 'for-the-figures-of-this-test'
export const startLimited = ({
  wrapper = [],
  host = '127.0.0.1',
  descriptors = DESCRIPTORS,
}: {
  wrapper?: readonly string[]
  host?: string
  descriptors?: number
} = {}) =>
  startService({
    env: { WORKERS: '1', METRICS_TOKEN, HOST: host },
    mode: 'embedded',
    wrapper: [...wrapper, 'sh', '-c', `ulimit -n ${descriptors}; exec "$@"`, 'sh'],
  })

/** A metric's value. */
export async function figure({ url }: Pick<Service, 'url'>, name: string): Promise<number> {
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` }
  const text = await (await fetch(`${url}/metrics`, { headers, keepalive: false })).text()
  const line = text.split('\n').find(each => each.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1))
}

/** The log lines about too many connections. */
export const crowdLines = (service: Service) =>
  service.logs().filter(({ message }) => String(message).startsWith('too many connections'))

/** Begins an upload that then waits for its sender: a connection that is not idle. */
export async function beginUpload(connection: RawConnection, token: string, path: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, 'X-Path': path, 'Content-Length': 1000 }
  await connection.write(`${head('POST /api/upload', headers)}begun`)
}
