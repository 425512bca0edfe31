/**
 * A raw TCP connection, for requests that no well-behaved client sends: malformed, cut off, slow, too long.
 */
import { connect } from 'node:net'
import { slowness } from './wait.ts'

export interface RawConnection extends Disposable {
  /** Resolves when the bytes are sent or the other side has disconnected: tests expect both. */
  write(data: string | Uint8Array): Promise<void>
  /**
   * The next answer. Interim answers (1xx) are skipped. Throws if none is complete within the deadline.
   * `cutOff`: a client that keeps sending is disconnected, so the final chunk may be missing.
   */
  answer(options?: { deadlineMs?: number; head?: boolean; cutOff?: boolean }): Promise<Response>
  /** What arrived and was not returned by `answer`, once the other side has ended the connection. */
  rest(): Promise<string>
  /** Stops reading, so that the other side's sending stalls, until `resume()`. */
  pause(): void
  resume(): void
  /** Ends only the sending side, after everything that was written: answers can still arrive. */
  endSending(): void
  /** Disconnects at once, whatever is in progress. */
  close(): void
  readonly closed: boolean
  /** Whether something has arrived that was not returned yet. */
  readonly hasAnswer: boolean
}

const END_OF_HEAD = Buffer.from('\r\n\r\n')

export async function openRaw(port: number, host = '127.0.0.1'): Promise<RawConnection> {
  let parts: Buffer[] = []
  let size = 0
  let closed = false
  let failure: Error | undefined
  let wake = () => {}

  const socket = connect({ port, host, allowHalfOpen: true })
  socket.setNoDelay(true)
  socket.on('data', part => {
    const bytes = Buffer.from(part as Buffer)
    parts.push(bytes)
    size += bytes.length
    wake()
  })
  const hungUp = () => {
    closed = true
    wake()
  }
  socket.on('end', hungUp)
  socket.on('close', hungUp)
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.on('error', error => {
      failure = error
      hungUp()
      reject(error)
    })
  })

  /** Everything received and not returned yet, in one piece. */
  const received = () => {
    if (parts.length > 1) parts = [Buffer.concat(parts)]
    return parts[0] ?? Buffer.alloc(0)
  }
  const take = (length: number) => {
    const all = received()
    parts = [all.subarray(length)]
    size = all.length - length
    return all.subarray(0, length)
  }
  const until = async <T>(what: string, deadline: number, look: () => T | undefined): Promise<T> => {
    for (;;) {
      const found = look()
      if (found !== undefined) return found
      const left = deadline - Date.now()
      if (closed || left <= 0) {
        const cause = closed ? `the connection was closed (${failure?.message ?? 'no error'})` : 'time is up'
        throw new Error(`No ${what}: ${cause}. Received: ${received().toString('latin1').slice(0, 500)}`)
      }
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, left)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  const body = async (
    headers: Headers,
    deadline: number,
    cutOff: boolean,
  ): Promise<Uint8Array<ArrayBuffer>> => {
    if (headers.get('transfer-encoding')?.toLowerCase() === 'chunked') {
      const chunks: Buffer[] = []
      for (;;) {
        if (cutOff && closed && size === 0 && chunks.length > 0) return new Uint8Array(Buffer.concat(chunks))
        const lineEnd = await until('chunk size', deadline, () => {
          const at = received().indexOf('\r\n')
          return at < 0 ? undefined : at
        })
        const length = Number.parseInt(take(lineEnd + 2).toString('latin1'), 16)
        await until('chunk', deadline, () => (size >= length + 2 ? true : undefined))
        chunks.push(take(length + 2).subarray(0, length))
        if (length === 0) return new Uint8Array(Buffer.concat(chunks))
      }
    }
    const announced = headers.get('content-length')
    if (announced === null) await until('end', deadline, () => (closed ? true : undefined))
    const length = announced === null ? size : Number(announced)
    await until(`body of ${length} bytes`, deadline, () => (size >= length ? true : undefined))
    return new Uint8Array(take(length))
  }

  const connection: RawConnection = {
    get closed() {
      return closed
    },
    get hasAnswer() {
      return size > 0
    },
    write: data =>
      new Promise(resolve => {
        if (closed || socket.destroyed) return resolve()
        socket.once('close', resolve)
        socket.write(data, () => {
          socket.off('close', resolve)
          resolve()
        })
      }),
    async answer({ deadlineMs = 5000, head = false, cutOff = false } = {}) {
      const deadline = Date.now() + deadlineMs * slowness()
      for (;;) {
        const headEnd = await until('answer', deadline, () => {
          const at = received().indexOf(END_OF_HEAD)
          return at < 0 ? undefined : at
        })
        const [statusLine = '', ...lines] = take(headEnd + 4)
          .toString('latin1')
          .trimEnd()
          .split('\r\n')
        const status = Number(statusLine.split(' ')[1])
        if (status >= 100 && status < 200) continue
        const headers = new Headers()
        for (const line of lines) {
          const colon = line.indexOf(':')
          headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
        }
        const bodiless = head || status === 204 || status === 304
        return new Response(bodiless ? null : await body(headers, deadline, cutOff), { status, headers })
      }
    },
    async rest() {
      await until('end', Date.now() + 5000 * slowness(), () => (closed ? true : undefined))
      return received().toString('latin1')
    },
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    endSending: () => void socket.end(),
    close: () => void socket.destroy(),
    [Symbol.dispose]: () => void socket.destroy(),
  }
  return connection
}

/** Sends these bytes unchanged and returns the first complete response. */
export async function sendRaw(port: number, data: string | Uint8Array, options?: { head?: boolean }) {
  using connection = await openRaw(port)
  await connection.write(data)
  return await connection.answer(options)
}

/** A request head, line by line, with nothing added but `Host` and the blank line. */
export function head(requestLine: string, headers: Record<string, string | number> = {}): string {
  const given = { Host: 'localhost', ...headers }
  const lines = Object.entries(given).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${requestLine} HTTP/1.1\r\n${lines.join('')}\r\n`
}
