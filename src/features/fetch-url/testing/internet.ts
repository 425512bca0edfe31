/**
 * For tests: a fake internet on this machine. It resolves names to addresses, and has three servers that
 * stand for all addresses: one with TLS for port 443, one for the other ports, and one that never answers. It
 * records resolved names, dialled addresses, requests and TLS server names. The servers speak raw HTTP, so
 * that an answer can be wrong in any way.
 */
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import type { Network } from '../network.ts'

const readPem = (name: string) => readFileSync(join(import.meta.dir, `${name}.pem`), 'utf8')

export const PUBLIC_ADDRESS = '93.184.216.34'
export const OTHER_PUBLIC_ADDRESS = '93.184.216.35'
export const PUBLIC_IPV6_ADDRESS = '2606:2800:21f:cb07:6820:80da:af6b:8b2c'

/** The bytes to send before the connection is closed, or a function that answers by itself. */
export type Reply = string | Uint8Array | ((socket: Socket, request: string) => unknown)

export type Internet = Awaited<ReturnType<typeof openInternet>>

export const answer = (body: string | Uint8Array, headers = '', status = '200 OK') =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status}\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`),
    Buffer.from(body as string),
  ])

export const redirect = (location: string, status = 302) =>
  `HTTP/1.1 ${status} Moved\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`

/** The first byte that a TLS client sends; a plain HTTP server answers it with an error. */
const TLS_HANDSHAKE = 0x16

export interface InternetOptions {
  limits?: Partial<Network['limits']>
  certificate?: 'server' | 'expired'
  /** Whether the certificates' authority is trusted. */
  isTrusted?: boolean
}

export async function openInternet(options: InternetOptions = {}) {
  const { certificate = 'server', isTrusted = true } = options
  /**
   * Lists of addresses by name. Each lookup of a name gets the next list of that name; the last list is
   * repeated.
   */
  const addressListsByName = new Map<string, readonly (readonly string[])[]>()
  /** Replies by host and path, such as `bilder.example/bild.png`, for http and https. */
  const repliesByPage = new Map<string, Reply>()
  const resolvedNames: string[] = []
  const dialledAddresses: string[] = []
  const requests: string[] = []
  /** The SNI name of each TLS connection; empty if there was none. */
  const serverNames: string[] = []
  /** Addresses that accept a connection but never answer. */
  const silentAddresses = new Set<string>()
  const refusingAddresses = new Set<string>()
  const sockets = new Set<Socket>()

  function serve(socket: Socket): void {
    sockets.add(socket)
    socket.on('error', () => {})
    let requestHead = ''
    const read = (chunk: Buffer) => {
      if (chunk[0] === TLS_HANDSHAKE) return socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
      requestHead += chunk.toString('latin1')
      if (!requestHead.includes('\r\n\r\n')) return
      socket.off('data', read)
      requests.push(requestHead)
      const host = /\r\nhost: (.*)\r\n/i.exec(requestHead)?.[1]
      const reply =
        repliesByPage.get(`${host}${requestHead.split(' ')[1]}`) ?? answer('', '', '404 Not Found')
      if (typeof reply === 'function') reply(socket, requestHead)
      else socket.end(reply)
    }
    socket.on('data', read)
  }

  const plainServer = createServer(serve)
  const secureServer = createTlsServer(
    { cert: readPem(certificate), key: readPem(`${certificate}-key`) },
    socket => {
      serverNames.push(socket.servername || '')
      serve(socket)
    },
  )
  const silentServer = createServer(socket => void sockets.add(socket.on('error', () => {})))
  const ports = await Promise.all([plainServer, secureServer, silentServer].map(listen))
  const closedPort = await freePort()

  const network: Network = {
    async resolve(host) {
      resolvedNames.push(host)
      const addressLists = addressListsByName.get(host)
      if (!addressLists)
        throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' })
      return (
        addressLists[Math.min(resolvedNames.filter(name => name === host).length, addressLists.length) - 1] ??
        []
      )
    },
    dial(address, port) {
      dialledAddresses.push(`${address} ${port}`)
      const localPort = refusingAddresses.has(address)
        ? closedPort
        : silentAddresses.has(address)
          ? ports[2]!
          : ports[port === 443 ? 1 : 0]!
      return connect({ host: '127.0.0.1', port: localPort })
    },
    ...(isTrusted && { ca: readPem('authority') }),
    limits: { connect: 2000, total: 5000, stall: 2000, ...options.limits },
  }

  return {
    network,
    names: addressListsByName,
    pages: repliesByPage,
    resolvedNames,
    dialledAddresses,
    requests,
    serverNames,
    silentAddresses,
    refusingAddresses,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await Promise.all(
        [plainServer, secureServer, silentServer].map(
          server => new Promise(resolve => server.close(resolve)),
        ),
      )
    },
  }
}

function listen(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise(resolve =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  )
}

/** A port on which nobody listens. */
async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  await new Promise(resolve => server.close(resolve))
  return port
}
