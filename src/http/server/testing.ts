/** For tests: servers on real sockets, and clients that see every byte. */
import { afterEach } from 'bun:test'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { useFolder } from '../../../test/support/folder.ts'
import { FAILURE_BY_REFUSAL } from '../refusals.ts'
import { pathOf } from '../url-parts.ts'
import type { Answer } from './answers.ts'
import type { HttpServer, PeerRequest, Refusal } from './http-server.ts'
import type { RemainderLimits } from './receiving/body-remainder.ts'
import { loadSendfile } from './sending/sendfile.ts'
import { type OwnServerParts, startServer } from './server.ts'

export type Handler = (request: PeerRequest) => Answer | Promise<Answer>

const sendfileCalls = loadSendfile({
  isAllowed: true,
  onUnavailable(reason) {
    throw new Error(reason)
  },
})

const queryText = (url: string) => (url.includes('?') ? url.slice(url.indexOf('?')) : '')

/**
 * Called at the top of a test file. After each test, closes the connections and servers that it has opened.
 */
export function useServers() {
  const servers: HttpServer[] = []
  const clients: Client[] = []

  afterEach(async () => {
    for (const client of clients.splice(0)) client.socket.destroy()
    for (const server of servers.splice(0)) {
      await until(() => server.pendingRequests === 0)
      server.stop(true)
    }
  })

  return {
    /** Starts a server. The handler sees only the path and query of a URL. */
    serve(
      fetch: Handler,
      remainderLimits?: RemainderLimits,
      otherParts: Partial<OwnServerParts> = {},
    ): HttpServer {
      const error = (cause: unknown) => new Response(`error: ${(cause as Error).message}`, { status: 500 })
      const refuse = (refusal: Refusal) => {
        const { status } = FAILURE_BY_REFUSAL[refusal]()
        return new Response(`error ${status}`, { status })
      }
      const parts = {
        hostname: '127.0.0.1',
        port: 0,
        reusePort: false,
        sendfileCalls,
        error,
        refuse,
        networkOf: () => null,
        onOverload() {},
      }
      const server = startServer({
        ...parts,
        ...(remainderLimits && { remainderLimits }),
        ...otherParts,
        fetch: request =>
          fetch(Object.assign(request, { url: pathOf(request.url) + queryText(request.url) })),
      })
      servers.push(server)
      return server
    },

    connectTo(server: HttpServer): Client {
      const client = new Client(server)
      clients.push(client)
      return client
    },
  }
}

/** Called at the top of a test file; makes files that are removed after the last test of the test file. */
export async function useFiles() {
  const folder = await useFolder()
  return {
    folder,
    fileOf(name: string, bytes: Uint8Array): string {
      const file = join(folder, name)
      writeFileSync(file, bytes)
      return file
    },
  }
}

export async function until(condition: () => boolean, timeout = 30_000): Promise<void> {
  const end = Date.now() + timeout
  while (!condition()) {
    if (Date.now() > end) throw new Error(`waited in vain until ${condition}`)
    await Bun.sleep(2)
  }
}

export interface ReceivedAnswer {
  status: number
  headers: Headers
  body: Buffer
}

/** The client side of a connection; the test sees every byte that it receives. */
export class Client {
  readonly socket: Socket
  private unreadBytes: Buffer = Buffer.alloc(0)
  /** Whether and how the connection has ended. */
  connectionState: 'open' | 'ended' | 'broken' = 'open'
  private newParts: Buffer[] = []

  constructor({ port }: HttpServer) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
    this.socket.on('data', (bytes: Buffer) => void this.newParts.push(bytes))
    this.socket.on('end', () => {
      if (this.connectionState === 'open') this.connectionState = 'ended'
    })
    this.socket.on('error', () => {
      this.connectionState = 'broken'
    })
  }

  send(bytes: string | Uint8Array): this {
    this.socket.write(bytes)
    return this
  }

  /** The received bytes that `answer` has not returned yet. */
  receivedBytes(): Buffer {
    if (this.newParts.length > 0)
      this.unreadBytes = Buffer.concat([this.unreadBytes, ...this.newParts.splice(0)])
    return this.unreadBytes
  }

  get text(): string {
    return this.receivedBytes().toString('latin1')
  }

  /** Number of answers in the received bytes, complete or not. */
  get answerCount(): number {
    return this.text.split('HTTP/1.1 ').length - 1
  }

  /**
   * Waits for the next complete answer. Rejects if the connection ends before it, or after the time limit of
   * `until`.
   */
  async answer(method = 'GET'): Promise<ReceivedAnswer> {
    let result: { answer: ReceivedAnswer; rest: Buffer } | null = null
    await until(() => {
      result = readAnswer(this.receivedBytes(), method, this.connectionState === 'ended')
      return result !== null || this.connectionState !== 'open'
    })
    result ??= readAnswer(this.receivedBytes(), method, this.connectionState === 'ended')
    if (!result) throw new Error(`no whole answer: ${this.text.slice(0, 300)}`)
    this.unreadBytes = result.rest
    return result.answer
  }

  async statuses(count: number): Promise<number[]> {
    const statuses: number[] = []
    while (statuses.length < count) statuses.push((await this.answer()).status)
    return statuses
  }

  async waitForEnd(): Promise<'ended' | 'broken'> {
    await until(() => this.connectionState !== 'open')
    return this.connectionState as 'ended' | 'broken'
  }
}

function readAnswer(
  bytes: Buffer,
  method: string,
  hasEnded: boolean,
): { answer: ReceivedAnswer; rest: Buffer } | null {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const [statusLine, ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) [\w ]+$/.exec(statusLine!)?.[1])
  const headers = new Headers(lines.map(line => line.split(': ', 2) as [string, string]))
  const start = headEnd + 4
  const resultWith = (body: Buffer, end: number) => ({
    answer: { status, headers, body },
    rest: bytes.subarray(end),
  })
  if (method === 'HEAD' || status === 204 || status === 304 || status < 200)
    return resultWith(Buffer.alloc(0), start)
  if (headers.get('Transfer-Encoding') === 'chunked') return readChunks(bytes, start, resultWith)
  const length = headers.get('Content-Length')
  if (length === null) return hasEnded ? resultWith(bytes.subarray(start), bytes.length) : null
  const end = start + Number(length)
  return bytes.length < end ? null : resultWith(bytes.subarray(start, end), end)
}

function readChunks<T>(bytes: Buffer, start: number, resultWith: (body: Buffer, end: number) => T): T | null {
  const parts: Buffer[] = []
  for (let position = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', position)
    if (lineEnd < 0) return null
    const size = Number.parseInt(bytes.toString('latin1', position, lineEnd), 16)
    const dataEnd = lineEnd + 2 + size
    if (bytes.length < dataEnd + 2) return null
    if (size === 0) return resultWith(Buffer.concat(parts), dataEnd + 2)
    parts.push(bytes.subarray(lineEnd + 2, dataEnd))
    position = dataEnd + 2
  }
}

export const getRequest = (path: string, ...fields: string[]) => requestText('GET', path, ...fields)
export const requestText = (method: string, path: string, ...fields: string[]) =>
  `${[`${method} ${path} HTTP/1.1`, 'Host: x', ...fields].join('\r\n')}\r\n\r\n`
export const postRequest = (body: string, path = '/') =>
  `${requestText('POST', path, `Content-Length: ${body.length}`)}${body}`
export const chunksOf = (...parts: string[]) =>
  [...parts, ''].map(part => `${part.length.toString(16)}\r\n${part}\r\n`).join('')

export const echo: Handler = async request =>
  new Response(`${request.method} ${request.url} ${Buffer.from(await request.bytes()).toString('latin1')}`)
export const echoPath: Handler = ({ url }) => new Response(url)
export const readBodies = async (client: Client, count: number) => {
  const texts: string[] = []
  while (texts.length < count) texts.push((await client.answer()).body.toString('latin1'))
  return texts
}
export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** A stream whose parts the test supplies one by one. */
export function manualStream() {
  let streamController!: ReadableStreamDefaultController<Uint8Array>
  const state = { cancelled: false, stream: null as unknown as ReadableStream<Uint8Array> }
  state.stream = new ReadableStream<Uint8Array>({
    start(controller) {
      streamController = controller
    },
    cancel() {
      state.cancelled = true
    },
  })
  return Object.assign(state, {
    give: (text: string) => streamController.enqueue(Buffer.from(text)),
    close: () => streamController.close(),
    fail: () => streamController.error(new Error('the source is dry')),
  })
}
