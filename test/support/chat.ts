/** The receiver of the webhook: a server on loopback that records what it was sent. */
import { keepSecret } from './secrets.ts'
import { eventually } from './wait.ts'

export interface ReceivedMessage {
  path: string
  /** With its `?`, or empty. */
  query: string
  body: Record<string, unknown>
  /** The text of the message, in either form. */
  text: string
}

export interface Chat extends Disposable {
  /** `<address>/api/webhooks/…`; the rest of the path does not matter. */
  readonly url: string
  readonly origin: string
  readonly received: ReceivedMessage[]
  /** Sets the answer from now on. */
  answerWith(answer: (message: ReceivedMessage) => Response | Promise<Response>): void
  /** Waits until this many messages have arrived in total. */
  count(messages: number, deadlineMs?: number): Promise<ReceivedMessage[]>
}

export const CHAT_SECRET = keepSecret('the address of the chat', 'nobody-may-read-this')

export function openChat(): Chat {
  const received: ReceivedMessage[] = []
  let answer: Parameters<Chat['answerWith']>[0] = () => new Response(null, { status: 204 })
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 30,
    async fetch(request) {
      const body = (await request.json()) as Record<string, unknown>
      const { pathname, search } = new URL(request.url)
      const message = { path: pathname, query: search, body, text: String(body.content ?? body.text) }
      received.push(message)
      return answer(message)
    },
  })
  const origin = `http://127.0.0.1:${server.port}`
  return {
    origin,
    url: `${origin}/api/webhooks/1/${CHAT_SECRET}`,
    received,
    answerWith(given) {
      answer = given
    },
    count: (messages, deadlineMs) =>
      eventually(`${messages} messages`, () => received.length >= messages && received, deadlineMs),
    [Symbol.dispose]() {
      void server.stop(true)
    },
  }
}
