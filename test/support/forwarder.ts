/**
 * A load balancer for two instances: connections go to each in turn, skipping one that does not listen. Bytes
 * are forwarded as they arrive, so that early answers, cut connections and streams look as without it.
 */
import { connect, createServer, type Socket } from 'node:net'

/** Milliseconds for which a client may continue to send after its instance has closed. */
const LINGER = 2_000

export interface Forwarder extends AsyncDisposable {
  readonly port: number
  /** The ports of the instances from now on. */
  targets: number[]
}

export async function startForwarder(): Promise<Forwarder> {
  const clients = new Set<Socket>()
  let turn = 0
  const server = createServer({ allowHalfOpen: true }, client => {
    clients.add(client)
    client.on('close', () => clients.delete(client))
    client.on('error', () => {})
    const first = turn++
    reach(
      client,
      forwarder.targets.map((_, at, all) => all[(first + at) % all.length]!),
    )
  })
  const forwarder: Forwarder = {
    port: 0,
    targets: [],
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(forwarder, { port: (server.address() as { port: number }).port })
}

function reach(client: Socket, [port, ...others]: number[]): void {
  if (port === undefined) {
    client.destroy()
    return
  }
  const instance = connect({ host: '127.0.0.1', port, allowHalfOpen: true, noDelay: true })
  const refused = () => reach(client, others)
  instance.once('error', refused)
  instance.once('connect', () => {
    instance.off('error', refused)
    // Like real balancers, reads what the client still sends for a while, because a reset could overtake the
    // answer.
    const linger = () => {
      client.end()
      client.resume()
      setTimeout(() => client.destroy(), LINGER).unref()
    }
    instance.on('error', linger)
    client.on('error', () => instance.resetAndDestroy())
    client.on('close', () => instance.destroy())
    instance.on('close', linger)
    client.setNoDelay(true)
    client.pipe(instance)
    instance.pipe(client)
    client.resume()
  })
}
