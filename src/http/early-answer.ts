/**
 * Answers that are given before the body was read to its end: a wrong key, a file too large, an unknown address. If the
 * connection were closed at once, a sender still busy sending would hear of a reset and never of the answer; nginx
 * makes a 502 of that. So the rest is read and thrown away, up to a bound, and only then the connection is closed.
 */
import { MEGABYTE } from '../contract/units.ts'

export interface RestLimits {
  /** Milliseconds an answer is held back for a body that is here already, or nearly: its connection stays in use. */
  grace: number
  /**
   * Milliseconds without a byte, after which nothing more is expected. Long enough for a lost packet to be sent again;
   * short, since nginx stops sending when it sees an answer and waits for its end.
   */
  pause: number
  /** Milliseconds in all: as long as nginx lingers by default (`lingering_time`). */
  whole: number
  /** What the documented proxies let through (`client_max_body_size 300m`), so that no sender behind one is cut off. */
  bytes: number
}

const LIMITS: RestLimits = { grace: 100, pause: 500, whole: 30_000, bytes: 300 * MEGABYTE }

export interface EarlyAnswers {
  /** To be called with every answer. Nothing else may read the request's body from then on. */
  finish(request: Request, answer: Response | Promise<Response>): Response | Promise<Response>
  /** Gives up on every rest that is still being read. */
  stop(): void
}

export function createEarlyAnswers(limits: RestLimits = LIMITS): EarlyAnswers {
  const reading = new Set<() => void>()

  /** Resolves when the body has ended or nothing more of it is wanted; says whether it ended. */
  async function readRest(body: ReadableStream<Uint8Array>): Promise<boolean> {
    // A reader that was left behind by mistake must not cost the answer.
    if (body.locked) return false
    const reader = body.getReader()
    const giveUp = () => reader.releaseLock()
    reading.add(giveUp)
    let silent = 0
    // Twice, since after a stall of this process its timers run before what lies ready is read.
    const pause = setInterval(() => ++silent > 1 && giveUp(), limits.pause / 2)
    const whole = setTimeout(giveUp, limits.whole)
    try {
      for (let left = limits.bytes; left > 0; silent = 0) {
        const { done, value } = await reader.read()
        if (done) return true
        left -= value.length
        // Left to the collector, the thrown-away bytes of many senders would pile up.
        ;(value.buffer as ArrayBuffer).transfer(0)
      }
      return false
    } catch {
      // Given up, or the sender is gone.
      return false
    } finally {
      clearInterval(pause)
      clearTimeout(whole)
      reading.delete(giveUp)
    }
  }

  async function afterRest(body: ReadableStream<Uint8Array>, response: Response): Promise<Response> {
    const rest = readRest(body)
    if (await Promise.race([rest, Bun.sleep(limits.grace)])) return response
    return response.status < 400 ? closing(response) : heldOpen(closing(response), rest)
  }

  return {
    finish(request, answer) {
      const { body } = request
      if (body) return Promise.resolve(answer).then(response => afterRest(body, response))
      if (!announcesBody(request.headers)) return answer
      return answer instanceof Response ? closing(answer) : answer.then(closing)
    },
    stop() {
      for (const giveUp of reading) giveUp()
    },
  }
}

/** Of a GET Bun hands no body on, but would read it without end. */
const announcesBody = (headers: Headers) =>
  headers.has('Transfer-Encoding') || (headers.get('Content-Length') ?? '0') !== '0'

function closing(response: Response): Response {
  response.headers.set('Connection', 'close')
  return response
}

/**
 * The same answer, sent at once but ended only after `rest`: Bun closes the connection with the end of the answer, and a
 * request's body can be read only until then.
 */
async function heldOpen(response: Response, rest: Promise<unknown>): Promise<Response> {
  const bytes = await response.bytes()
  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(bytes)
      await rest
      // Throws when the client has gone meanwhile.
      try {
        controller.close()
      } catch {}
    },
  })
  return new Response(stream, { status: response.status, headers: response.headers })
}
