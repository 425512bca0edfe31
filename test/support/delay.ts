/** A port that forwards to another one and delays every answer, like a slow network. */
import { connect, createServer, type Socket } from 'node:net'

export interface Delay extends AsyncDisposable {
  readonly port: number
  milliseconds: number
  /** How often clients have sent something after an answer, over all connections. */
  roundTrips(): number
}

export async function startDelay(target: number, milliseconds: number): Promise<Delay> {
  const clients = new Set<Socket>()
  let trips = 0
  const server = createServer({ noDelay: true }, client => {
    const other = connect({ host: '127.0.0.1', port: target, noDelay: true })
    let answered = true
    clients.add(client)
    client.pipe(other)
    client.on('data', () => {
      if (answered) trips++
      answered = false
    })
    other.on('data', chunk =>
      setTimeout(() => {
        answered = true
        client.write(chunk)
      }, delay.milliseconds),
    )
    other.on('close', () => client.destroySoon())
    client.on('close', () => {
      clients.delete(client)
      other.destroy()
    })
    for (const side of [client, other]) side.on('error', () => {})
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const delay = {
    milliseconds,
    port: (server.address() as { port: number }).port,
    roundTrips: () => trips,
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
  return delay
}
