/** One client's stream of server-sent events, with bounded buffering and a heartbeat. */
import { EVENTS_RECONNECT_DELAY, type ServiceEvent } from '../../contract/files/events.ts'

/**
 * Maximum number of buffered characters per stream. If a client reads so slowly that more would be buffered,
 * it is disconnected; it then reconnects.
 */
const MAX_BUFFERED_LENGTH = 256 * 1024

export type EventStream = ReturnType<typeof createEventStream>

export interface EventStreamParts {
  /** Called at each heartbeat and by `check`; false, or a rejection, ends the stream. */
  mayContinue: () => Promise<boolean>
  /** Called once, whichever side ended the stream. */
  onEnd: () => void
  /** Milliseconds between two heartbeats. */
  heartbeatInterval: number
}

export function createEventStream({ mayContinue, onEnd, heartbeatInterval }: EventStreamParts) {
  const encoder = new TextEncoder()
  let bufferedText = `retry: ${EVENTS_RECONNECT_DELAY}\n\n`
  let isEnded = false
  let isCancelled = false
  let wakeReader: (() => void) | undefined

  /** Ends the stream if it may not go on. */
  async function check(): Promise<void> {
    if (!(await mayContinue().catch(() => false))) end()
  }

  const timer = setInterval(async () => {
    await check()
    write(': ich bin da\n\n')
  }, heartbeatInterval)

  function write(text: string): void {
    if (isEnded) return
    if (bufferedText.length + text.length > MAX_BUFFERED_LENGTH) end()
    else bufferedText += text
    wakeReader?.()
  }

  function end(): void {
    if (isEnded) return
    isEnded = true
    clearInterval(timer)
    wakeReader?.()
    onEnd()
  }

  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (bufferedText === '' && !isEnded) await new Promise<void>(resolve => (wakeReader = resolve))
        wakeReader = undefined
        if (isCancelled) return
        if (bufferedText !== '') controller.enqueue(encoder.encode(bufferedText))
        bufferedText = ''
        if (isEnded) controller.close()
      },
      cancel() {
        isCancelled = true
        end()
      },
    },
    { highWaterMark: 0 },
  )

  return { body, end, check, send: (event: ServiceEvent) => write(eventText(event)) }
}

/**
 * Every event has an id, so that a browser that reconnects sends `Last-Event-ID`. `JSON.stringify` writes no
 * line ends, so the data fits on one `data:` line.
 */
const eventText = ({ name, data }: ServiceEvent) => `event: ${name}\nid: 1\ndata: ${JSON.stringify(data)}\n\n`
