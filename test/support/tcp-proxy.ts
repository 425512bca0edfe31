/** A proxy between a service and its store that can cut off, delay and damage answers. */

export interface TcpProxy extends AsyncDisposable {
  readonly port: number
  /** The first lines of the requests that have passed. */
  readonly requests: readonly string[]
  /**
   * Lets this many bytes of answers pass on each connection, then cuts it or holds the rest back; null:
   * everything passes.
   */
  limit(bytes: number | null, then?: 'cut' | 'hold'): void
  /**
   * What happens to the n-th request from now on, once; null: nothing. `fail`: it does not arrive and is
   * answered with 500. `cut`: it does not arrive, and the connection ends. `lose-answer`: it arrives, and the
   * connection ends instead of the answer. `hold`: it arrives, and the answer is held back until the next
   * call.
   */
  stopAt(request: number | null, fate?: RequestFate): { readonly isReached: boolean }
  /** Changes answers on their way; null stops that. */
  alter(change: ((chunk: Buffer) => Buffer) | null): void
}

export type RequestFate = 'fail' | 'cut' | 'lose-answer' | 'hold'

const FAILED = 'HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'

/** One end of a connection, and the bytes from it that the other end has not taken yet. */
interface Side {
  other?: Bun.Socket<Side>
  passed: number
  waiting: Buffer[]
  /** For the connection to the store: what happens to its next answer. */
  fate?: 'lose-answer' | 'hold'
}
const newSide = (other?: Bun.Socket<Side>): Side => ({ passed: 0, waiting: [], ...(other && { other }) })

const REQUEST = /^(?:GET|HEAD|PUT|POST|DELETE) [^\r\n]*/

/** `address`: where the proxy listens. */
export async function startTcpProxy(target: { port: number }, address = '127.0.0.1'): Promise<TcpProxy> {
  const requests: string[] = []
  const stores = new Set<Bun.Socket<Side>>()
  let rule: { bytes: number; then: 'cut' | 'hold' } | null = null
  let change: ((chunk: Buffer) => Buffer) | null = null
  let stop: { left: number; fate: RequestFate; isReached: boolean } | null = null

  /** Whether the request goes no further. */
  function isStopped(client: Bun.Socket<Side>): boolean {
    if (!stop || --stop.left !== 0) return false
    stop.isReached = true
    const store = client.data.other
    if (stop.fate === 'fail') client.end(FAILED)
    if (stop.fate === 'cut') client.terminate()
    if (stop.fate === 'fail' || stop.fate === 'cut') {
      store?.terminate()
      return true
    }
    if (store) store.data.fate = stop.fate
    return false
  }

  /** Forwards what has come from this side, as far as the other takes it and the rule lets answers pass. */
  function flush(from: Bun.Socket<Side>): void {
    const { waiting, other, fate } = from.data
    if (waiting[0] && fate === 'lose-answer') {
      other?.terminate()
      from.terminate()
    }
    if (fate) return
    const held = stores.has(from) ? rule : null
    while (other && waiting[0]) {
      const allowed = held ? held.bytes - from.data.passed : waiting[0].length
      if (allowed <= 0) {
        if (held?.then === 'cut') other.terminate()
        return
      }
      const part = waiting[0].subarray(0, allowed)
      const written = other.write(part)
      from.data.passed += written
      waiting[0] = waiting[0].subarray(written)
      if (waiting[0].length === 0) waiting.shift()
      if (written < part.length) return
    }
  }

  const connect = (client: Bun.Socket<Side>) =>
    Bun.connect<Side>({
      hostname: '127.0.0.1',
      port: target.port,
      data: newSide(client),
      socket: {
        data(store, chunk) {
          store.data.waiting.push(change ? change(Buffer.from(chunk)) : Buffer.from(chunk))
          flush(store)
        },
        drain: () => flush(client),
        close(store) {
          stores.delete(store)
          client.end()
        },
        error: () => void client.end(),
      },
    })

  const listener = Bun.listen<Side>({
    hostname: address,
    port: 0,
    socket: {
      async open(client) {
        client.data = newSide()
        const store = await connect(client).catch(() => null)
        if (!store) {
          client.end()
          return
        }
        stores.add(store)
        client.data.other = store
        flush(client)
      },
      data(client, chunk) {
        const line = REQUEST.exec(Buffer.from(chunk.subarray(0, 2000)).toString('latin1'))?.[0]
        if (line) {
          requests.push(line)
          if (isStopped(client)) return
        }
        client.data.waiting.push(Buffer.from(chunk))
        flush(client)
      },
      drain: client => void (client.data.other && flush(client.data.other)),
      close: client => void client.data?.other?.end(),
      error() {},
    },
  })

  return {
    port: listener.port,
    requests,
    limit(bytes, then = 'cut') {
      rule = bytes === null ? null : { bytes, then }
      for (const store of stores) {
        store.data.passed = 0
        flush(store)
      }
    },
    stopAt(request, fate = 'cut') {
      for (const store of stores) {
        if (store.data.fate !== 'hold') continue
        delete store.data.fate
        flush(store)
      }
      const armed = { left: request ?? 0, fate, isReached: false }
      stop = request === null ? null : armed
      return armed
    },
    alter(value) {
      change = value
    },
    async [Symbol.asyncDispose]() {
      for (const store of stores) store.terminate()
      listener.stop(true)
    },
  }
}
