/** Sends one request on one connection and reads its answer. */
import { request as ask, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { errorCode } from '../../base/error-code.ts'
import { failure } from '../../errors/errors.ts'
import type { Target } from './target.ts'
import { outOfTime } from './time.ts'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  /** Can be read only once. Rejects if the source disconnects, stalls or takes too long. */
  bytes: AsyncIterable<Uint8Array>
}

/** What is sent. Without a message the request is a GET. */
export interface Message {
  method: 'GET' | 'POST'
  headers: Readonly<Record<string, string>>
  body?: string | undefined
}

/** `Host` is the requested name, not the dialled address. No cookies, no compression. */
const headersFor = (url: URL) => ({
  Host: url.host,
  'User-Agent': 'Fundus',
  Accept: '*/*',
  'Accept-Encoding': 'identity',
  Connection: 'close',
})

/**
 * Sends the request and resolves when the head of the answer has arrived. The caller closes the socket.
 * `time` limits head and body together.
 */
export async function exchange(
  target: Target,
  socket: Socket,
  stall: number,
  time: AbortSignal,
  sent?: Message,
): Promise<Answer> {
  const watch = watchOver(socket, stall, time)
  try {
    const message = await sendRequest(target, socket, sent)
    const { statusCode = 0, headers } = message
    return { status: statusCode, headers, bytes: readBody(message, watch) }
  } catch (error) {
    throw watch.overdue() ?? (isParseError(error) ? failure.sourceMalformed(error) : failure.sourceCut(error))
  }
}

/** Codes of the HTTP parser; all others come from the connection. */
const isParseError = (error: unknown) => errorCode(error).startsWith('HPE_')

/** Resolves when the head of the answer has arrived. */
function sendRequest({ url }: Target, socket: Socket, sent?: Message): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = ask({
      method: sent?.method ?? 'GET',
      path: `${url.pathname}${url.search}`,
      headers: { ...headersFor(url), ...sent?.headers },
      // The open socket: no name is resolved, no proxy asked, no connection shared.
      createConnection: () => socket,
    })
    request.on('response', resolve)
    // Like the listener of the socket, this one is never removed.
    request.on('error', reject)
    request.on('close', () => reject(new Error('the connection was closed')))
    request.end(sent?.body)
  })
}

type Watch = ReturnType<typeof watchOver>

async function* readBody(message: IncomingMessage, watch: Watch): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of message) {
      watch.alive()
      yield chunk as Uint8Array
    }
  } catch (error) {
    throw watch.overdue() ?? failure.sourceCut(error)
  }
  const late = watch.overdue()
  if (late) throw late
  // The runtime rejects an incomplete body before this line. It is checked again, since half a file must
  // never pass for a whole one.
  if (!message.complete) throw failure.sourceCut(undefined)
}

/** Closes the connection if nothing arrives for `stall` milliseconds, or when `time` is over. */
function watchOver(socket: Socket, stall: number, time: AbortSignal) {
  let stalled = false
  const timer = setTimeout(() => {
    stalled = true
    socket.destroy()
  }, stall)
  const stop = () => void socket.destroy()
  time.addEventListener('abort', stop, { once: true })
  if (time.aborted) stop()
  socket.once('close', () => {
    clearTimeout(timer)
    time.removeEventListener('abort', stop)
  })
  return {
    alive: () => void timer.refresh(),
    /** The error that says what was too slow; null if nothing was. */
    overdue: () => (stalled ? failure.sourceTooSlow() : time.aborted ? outOfTime(time) : null),
  }
}
