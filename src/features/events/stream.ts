/** One client's stream of server-sent events: bounded, kept awake, ended from either side. */
import { EVENTS_RETRY, type ServiceEvent } from '../../contract/events.ts'

/** Characters that wait for a client at the most. One that is slower is let go; it comes back and looks anew. */
const WAITING_MAX = 256 * 1024

export interface EventStream {
  readonly body: ReadableStream<Uint8Array>
  send(event: ServiceEvent): void
  end(): void
}

export interface EventStreamParts {
  /** Asked at each heartbeat; false ends the stream. */
  mayGoOn: () => Promise<boolean>
  /** Once, however it ended. */
  onEnd: () => void
  /** Milliseconds between two of them. */
  heartbeat: number
}

export function createEventStream({ mayGoOn, onEnd, heartbeat }: EventStreamParts): EventStream {
  const encoder = new TextEncoder()
  let waiting = `retry: ${EVENTS_RETRY}\n\n`
  let ended = false
  let cancelled = false
  let wake: (() => void) | undefined

  const timer = setInterval(async () => {
    if (await mayGoOn().catch(() => false)) write(': ich bin da\n\n')
    else end()
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

  return { body, end, send: event => write(onWire(event)) }
}

/** With an id, so that a browser that comes back says that it was here before. JSON has no bare line ends. */
const onWire = ({ name, data }: ServiceEvent) => `event: ${name}\nid: 1\ndata: ${JSON.stringify(data)}\n\n`
