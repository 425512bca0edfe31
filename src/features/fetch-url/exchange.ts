/** Sends one request on one connection and reads its answer. */
import { type IncomingHttpHeaders, type IncomingMessage, request as startRequest } from 'node:http'
import type { Socket } from 'node:net'
import { errorCode } from '../../base/system/error-code.ts'
import { failure } from '../../errors/errors.ts'
import type { Target } from './check-target.ts'
import { abortFailure } from './time.ts'

export interface HttpAnswer {
  status: number
  headers: IncomingHttpHeaders
  /** Can be read only once. Rejects if the source disconnects, stalls or takes too long. */
  bytes: AsyncIterable<Uint8Array>
}

/**
 * The parts of a request that the caller of `requestOverSocket` chooses. Without a `RequestMessage`, the
 * request is a plain GET.
 */
export interface RequestMessage {
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
 * `deadline` limits head and body together.
 */
export async function requestOverSocket(
  target: Target,
  socket: Socket,
  stallTime: number,
  deadline: AbortSignal,
  message?: RequestMessage,
): Promise<HttpAnswer> {
  const watch = watchSocket(socket, stallTime, deadline)
  try {
    const response = await sendRequest(target, socket, message)
    const { statusCode = 0, headers } = response
    return { status: statusCode, headers, bytes: readBody(response, watch) }
  } catch (error) {
    throw (
      watch.timeoutFailure() ??
      (isParseError(error) ? failure.sourceMalformed(error) : failure.sourceCut(error))
    )
  }
}

/** Whether the HTTP parser reported the error; all other errors come from the connection. */
const isParseError = (error: unknown) => errorCode(error).startsWith('HPE_')

/** Resolves when the head of the answer has arrived. */
function sendRequest({ url }: Target, socket: Socket, message?: RequestMessage): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = startRequest({
      method: message?.method ?? 'GET',
      path: `${url.pathname}${url.search}`,
      headers: { ...headersFor(url), ...message?.headers },
      // Uses the open socket: resolves no name, uses no proxy and shares no connection.
      createConnection: () => socket,
    })
    request.on('response', resolve)
    // This listener is never removed: the connection may break at any time, even while nobody waits for it.
    request.on('error', reject)
    request.on('close', () => reject(new Error('the connection was closed')))
    request.end(message?.body)
  })
}

type SocketWatch = ReturnType<typeof watchSocket>

async function* readBody(response: IncomingMessage, watch: SocketWatch): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response) {
      watch.restartTimer()
      yield chunk as Uint8Array
    }
  } catch (error) {
    throw watch.timeoutFailure() ?? failure.sourceCut(error)
  }
  const lateFailure = watch.timeoutFailure()
  if (lateFailure) throw lateFailure
  // The runtime should already have rejected an incomplete body. This is checked again, because a truncated
  // file must never be stored as a complete one.
  if (!response.complete) throw failure.sourceCut(undefined)
}

/**
 * Closes the connection if `restartTimer` is not called for `stallTime` milliseconds (no chunk of the body
 * was read), or at the deadline.
 */
function watchSocket(socket: Socket, stallTime: number, deadline: AbortSignal) {
  let isStalled = false
  const timer = setTimeout(() => {
    isStalled = true
    socket.destroy()
  }, stallTime)
  const stop = () => void socket.destroy()
  deadline.addEventListener('abort', stop, { once: true })
  if (deadline.aborted) stop()
  socket.once('close', () => {
    clearTimeout(timer)
    deadline.removeEventListener('abort', stop)
  })
  return {
    restartTimer: () => void timer.refresh(),
    /** The failure if the connection stalled or the deadline has passed; null otherwise. */
    timeoutFailure: () =>
      isStalled ? failure.sourceTooSlow() : deadline.aborted ? abortFailure(deadline) : null,
  }
}
