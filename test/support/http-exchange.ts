/** Sends bytes over one connection and parses the answers. */
import { connect } from 'node:net'

/** Milliseconds after which a connection counts as hanging: more than the service takes to close one. */
const PATIENCE = 150_000

/** Everything that a server answers until it ends the connection; `reset`: the connection was reset. */
export function exchange(port: number, parts: Buffer[]): Promise<{ bytes: Buffer; reset: boolean }> {
  return new Promise((resolve, reject) => {
    const received: Buffer[] = []
    let reset = false
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
    const hanging = setTimeout(() => {
      reject(new Error(`a connection hangs after ${Buffer.concat(parts).toString('latin1')}`))
      socket.destroy()
    }, PATIENCE)
    socket.on('data', part => received.push(part as Buffer))
    socket.on('end', () => socket.destroy())
    socket.on('error', () => {
      reset = true
    })
    socket.on('close', () => {
      clearTimeout(hanging)
      resolve({ bytes: Buffer.concat(received), reset })
    })
    for (const part of parts) socket.write(part)
    socket.end()
  })
}

export interface Received {
  status: number
  code: string | undefined
  body: Buffer
}

interface Circumstances {
  reset: boolean
  /** Answers may lack their body. */
  isHead: boolean
  /** The last answer may end with the connection instead of having a length. */
  mayLackLength?: boolean
}

/** Parses the answers. Throws if some of the bytes are not an answer. */
export function answersIn(
  bytes: Buffer,
  { reset, isHead, mayLackLength = false }: Circumstances,
): Received[] {
  const answers: Received[] = []
  for (let at = 0; at < bytes.length; ) {
    const headEnd = bytes.indexOf('\r\n\r\n', at)
    const text = headEnd < 0 ? '' : bytes.toString('latin1', at, headEnd)
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1])
    const start = headEnd + 4
    const said = /^content-length: (\d+)$/im.exec(text)?.[1]
    const length = said ?? (mayLackLength ? bytes.length - start : undefined)
    const isBodiless =
      (status >= 100 && status < 200) ||
      status === 204 ||
      status === 304 ||
      (isHead && (start === bytes.length || bytes.toString('latin1', start, start + 9) === 'HTTP/1.1 '))
    if (!status || (length === undefined && !isBodiless)) {
      if (reset) return answers
      throw new Error(`no answer: ${bytes.toString('latin1', at, at + 300)}`)
    }
    const end = start + (isBodiless ? 0 : Number(length))
    if (end > bytes.length && !reset) throw new Error(`an answer is cut off: ${text}`)
    const code = /^x-fehler-code: (.*)$/im.exec(text)?.[1]
    answers.push({ status, code, body: bytes.subarray(start, end) })
    at = end
  }
  return answers
}
