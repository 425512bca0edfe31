/** One request on one connection, and its answer. */
import { request as ask, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { failure } from '../../errors.ts'
import { errorCode } from '../../storage/platform.ts'
import type { Target } from './target.ts'
import { outOfTime } from './time.ts'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  /** To be read once. Rejects when the source breaks off, stalls or takes too long. */
  bytes: AsyncIterable<Uint8Array>
}

/** `Host` is the name that was asked for, not the address that was dialled. No cookies, no packed content. */
const headersFor = (url: URL) => ({
  Host: url.host,
  'User-Agent': 'Fundus',
  Accept: '*/*',
  'Accept-Encoding': 'identity',
  Connection: 'close',
})

/** Whoever opened the socket closes it. `time` covers head and body. */
export async function exchange(
  target: Target,
  socket: Socket,
  stall: number,
  time: AbortSignal,
): Promise<Answer> {
  const watch = watchOver(socket, stall, time)
  try {
    const message = await head(target, socket)
    const { statusCode = 0, headers } = message
    return { status: statusCode, headers, bytes: body(message, watch) }
  } catch (error) {
    throw watch.overdue() ?? (isParseError(error) ? failure.sourceMalformed(error) : failure.sourceCut(error))
  }
}

/** The parser's own codes begin like this; all others are the connection's. */
const isParseError = (error: unknown) => errorCode(error).startsWith('HPE_')

function head({ url }: Target, socket: Socket): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = ask({
      method: 'GET',
      path: `${url.pathname}${url.search}`,
      headers: headersFor(url),
      // The socket that is there: nothing is resolved, no proxy asked, no connection shared.
      createConnection: () => socket,
    })
    request.on('response', resolve)
    // Stays for good, like that of the socket.
    request.on('error', reject)
    request.on('close', () => reject(new Error('the connection was closed')))
    request.end()
  })
}

async function* body(message: IncomingMessage, watch: Watch): AsyncGenerator<Uint8Array> {
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
  // The runtime rejects before this; said again here, since half a file must never pass for a whole one.
  if (!message.complete) throw failure.sourceCut(undefined)
}

interface Watch {
  /** A byte came. */
  alive(): void
  /** What was too slow, if anything was. */
  overdue(): Error | null
}

/** Ends the connection when nothing comes for too long, or all of it takes too long; until it is closed. */
function watchOver(socket: Socket, stall: number, time: AbortSignal): Watch {
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
    overdue: () => (stalled ? failure.sourceTooSlow() : time.aborted ? outOfTime(time) : null),
  }
}
