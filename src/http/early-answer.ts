/**
 * Finishes answers that are given before the request's body was read to its end: the answers to a wrong key, a file too
 * large, an unknown address. If the service closed the connection at once, a sender that is still sending would see a
 * reset and never the answer; nginx turns such a reset into a 502. So the rest of the body is read and thrown away, up
 * to a bound, and only then is the connection closed.
 */
import { MEGABYTE } from '../contract/units.ts'
import { isShort } from './body.ts'

interface RestLimits {
  /**
   * Milliseconds for which an answer waits for a body that has arrived or almost arrived. If the body ends in this
   * time, its connection stays in use.
   */
  grace: number
  /**
   * Milliseconds without a byte after which no more bytes are expected. Long enough for a lost packet to be sent again;
   * short, because nginx stops sending when it sees an answer and waits for the end of that answer.
   */
  pause: number
  /** Milliseconds for reading the rest in all: as long as nginx lingers by default (`lingering_time`). */
  whole: number
  /**
   * The most bytes of the rest that are read. The documented proxies let through as many (`client_max_body_size 300m`),
   * so no sender behind such a proxy is cut off.
   */
  bytes: number
}

const LIMITS: RestLimits = { grace: 100, pause: 500, whole: 30_000, bytes: 300 * MEGABYTE }

export interface EarlyAnswers {
  /** Must be called with every answer. After this call nothing else may read the request's body. */
  finish(request: Request, answer: Response | Promise<Response>): Response | Promise<Response>
  /** From now on every connection is closed after its next answer. */
  drain(): void
  /** Stops reading every rest that is still being read. */
  stop(): void
}

/** Reads what is left of bodies and throws it away, within the limits. */
function createRestReader(limits: RestLimits) {
  const reading = new Set<() => void>()

  /** Resolves when the body has ended or reading was given up. The result is true if the body has ended. */
  async function read(body: ReadableStream<Uint8Array>): Promise<boolean> {
    // If other code forgot to release its reader, the client must still get its answer.
    if (body.locked) return false
    const reader = body.getReader()
    const giveUp = () => reader.releaseLock()
    reading.add(giveUp)
    let silent = 0
    // Reading is given up at the second silent tick, not at the first: after a stall of this process its timers run
    // before the bytes that lie ready are read.
    const pause = setInterval(() => ++silent > 1 && giveUp(), limits.pause / 2)
    const whole = setTimeout(giveUp, limits.whole)
    try {
      for (let left = limits.bytes; left > 0; silent = 0) {
        const { done, value } = await reader.read()
        if (done) return true
        left -= value.length
        // Frees the bytes at once. If the garbage collector had to do so, the thrown-away bytes of many senders would
        // pile up.
        ;(value.buffer as ArrayBuffer).transfer(0)
      }
      return false
    } catch {
      // Reading was given up, or the sender is gone.
      return false
    } finally {
      clearInterval(pause)
      clearTimeout(whole)
      reading.delete(giveUp)
    }
  }

  return {
    read,
    stop() {
      for (const giveUp of reading) giveUp()
    },
  }
}

export function createEarlyAnswers(limits: RestLimits = LIMITS): EarlyAnswers {
  const rests = createRestReader(limits)
  let draining = false

  async function afterRest(body: ReadableStream<Uint8Array>, response: Response): Promise<Response> {
    const rest = rests.read(body)
    if (await Promise.race([rest, Bun.sleep(limits.grace)])) return response
    return response.status < 400 ? closing(response) : heldOpen(closing(response), rest)
  }

  return {
    finish(request, given) {
      const answer = draining ? Promise.resolve(given).then(closing) : given
      // Asking for the body costs time on the way of every file that is read, where there is never one.
      const mayHaveBody = !isReading(request.method)
      // A short body is mostly read as a whole, which is quicker while nobody has asked for it as a stream.
      if (mayHaveBody && isShort(request))
        return Promise.resolve(answer).then(response =>
          request.bodyUsed || !request.body ? response : afterRest(request.body, response),
        )
      const body = mayHaveBody ? request.body : null
      if (body) return Promise.resolve(answer).then(response => afterRest(body, response))
      if (!announcesBody(request.headers)) return answer
      return answer instanceof Response ? closing(answer) : answer.then(closing)
    },
    drain() {
      draining = true
    },
    stop: rests.stop,
  }
}

const isReading = (method: string) => method === 'GET' || method === 'HEAD'

/**
 * Whether the headers announce a body. Bun does not hand on the body of a GET, but would read that body without end.
 */
const announcesBody = (headers: Headers) =>
  headers.has('Transfer-Encoding') || (headers.get('Content-Length') ?? '0') !== '0'

function closing(response: Response): Response {
  response.headers.set('Connection', 'close')
  return response
}

/**
 * The same answer, sent at once but ended only after `rest`: Bun closes the connection when the answer ends, and the
 * body of a request can be read only until then.
 */
async function heldOpen(response: Response, rest: Promise<unknown>): Promise<Response> {
  const bytes = await response.bytes()
  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(bytes)
      await rest
      // `close` throws when the client has gone in the meantime.
      try {
        controller.close()
      } catch {}
    },
  })
  return new Response(stream, { status: response.status, headers: response.headers })
}
