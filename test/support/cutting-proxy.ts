/**
 * A proxy that ends every connection after a number of bytes of requests, like a bad line or a strict proxy.
 */

export interface CuttingProxy extends Disposable {
  readonly url: string
  /** Number of connections cut so far. */
  readonly cuts: number
}

interface Side {
  other: Bun.Socket<Side> | null
  waiting: Buffer[]
  passed: number
  /** Nothing more comes from here; the other side is closed once it has what is waiting. */
  isEnding: boolean
}

interface CuttingOptions {
  /** What had come before the cut still reaches the service; without it, what is under way is lost. */
  delivers?: boolean
}

/** `port` is called for each connection, because a restarted service may have another one. */
export function startCuttingProxy(
  port: () => number,
  every: number,
  { delivers = false }: CuttingOptions = {},
): CuttingProxy {
  let cuts = 0
  const newSide = (other: Bun.Socket<Side> | null): Side => ({
    ...{ other, waiting: [], passed: 0 },
    isEnding: false,
  })

  function flush(from: Bun.Socket<Side>): void {
    const { other, waiting } = from.data
    while (other && waiting[0]) {
      const written = other.write(waiting[0])
      waiting[0] = waiting[0].subarray(Math.max(written, 0))
      if (waiting[0].length > 0) {
        from.pause()
        return
      }
      waiting.shift()
    }
    if (!from.data.isEnding) from.resume()
    else if (other) other.end()
  }

  const drained = (to: Bun.Socket<Side>) => void (to.data.other && flush(to.data.other))
  const listener = Bun.listen<Side>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      async open(client) {
        client.data = newSide(null)
        const service = await Bun.connect<Side>({
          hostname: '127.0.0.1',
          port: port(),
          data: newSide(client),
          socket: {
            data(from, chunk) {
              from.data.waiting.push(Buffer.from(chunk))
              flush(from)
            },
            drain: drained,
            close: () => void client.end(),
            error: () => void client.end(),
          },
        }).catch(() => null)
        if (!service) return void client.terminate()
        client.data.other = service
        flush(client)
      },
      data(client, chunk) {
        client.data.passed += chunk.length
        client.data.waiting.push(Buffer.from(chunk))
        flush(client)
        if (client.data.passed < every) return
        cuts++
        if (!delivers) client.data.other?.terminate()
        client.terminate()
      },
      drain: drained,
      close(client) {
        if (!client.data) return
        client.data.isEnding = true
        flush(client)
      },
      error() {},
    },
  })
  return {
    url: `http://127.0.0.1:${listener.port}`,
    get cuts() {
      return cuts
    },
    [Symbol.dispose]: () => void listener.stop(true),
  }
}
