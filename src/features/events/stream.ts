/** One client's stream of server-sent events, with bounded buffering and a heartbeat. */
import { EVENTS_RETRY, type ServiceEvent } from '../../contract/files/events.ts'

/** Maximum number of buffered characters. A client that reads too slowly is disconnected, and reconnects. */
const WAITING_MAX = 256 * 1024

export type EventStream = ReturnType<typeof createEventStream>

export interface EventStreamParts {
  /** Called at each heartbeat and by `check`; false, or a rejection, ends the stream. */
  mayGoOn: () => Promise<boolean>
  /** Called once, whichever side ended the stream. */
  onEnd: () => void
  /** Milliseconds between two heartbeats. */
  heartbeat: number
}

export function createEventStream({ mayGoOn, onEnd, heartbeat }: EventStreamParts) {
  const encoder = new TextEncoder()
  let waiting = `retry: ${EVENTS_RETRY}\n\n`
  let ended = false
  let cancelled = false
  let wake: (() => void) | undefined

  /** Ends the stream if it may not go on. */
  async function check(): Promise<void> {
    if (!(await mayGoOn().catch(() => false))) end()
  }

  const timer = setInterval(async () => {
    await check()
    write(': ich bin da\n\n')
  }, heartbeat)

  function write(text: string): void {
    if (ended) return
    if (waiting.length + text.length > WAITING_MAX) end()
    else waiting += text
    wake?.()
  }

  function end(): void {
    if (ended) return
    ended = true
    clearInterval(timer)
    wake?.()
    onEnd()
  }

  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (waiting === '' && !ended) await new Promise<void>(resolve => (wake = resolve))
        wake = undefined
        if (cancelled) return
        if (waiting !== '') controller.enqueue(encoder.encode(waiting))
        waiting = ''
        if (ended) controller.close()
      },
      cancel() {
        cancelled = true
        end()
      },
    },
    { highWaterMark: 0 },
  )

  return { body, end, check, send: (event: ServiceEvent) => write(onWire(event)) }
}

/**
 * Every event has an id, so that a browser that reconnects sends `Last-Event-ID`. JSON contains no line ends,
 * so the data fits on one `data:` line.
 */
const onWire = ({ name, data }: ServiceEvent) => `event: ${name}\nid: 1\ndata: ${JSON.stringify(data)}\n\n`
