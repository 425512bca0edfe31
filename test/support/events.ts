/** Pages that listen to `GET /api/dash/ereignisse`. */
import { afterEach } from 'bun:test'
import type { Service } from './service.ts'
import { eventually } from './wait.ts'

interface Received {
  event: string
  data: Record<string, unknown>
}

export interface Listening {
  response: Response
  text(): string
  events(): Received[]
  ended(): boolean
  close(): void
}

/** Opens streams, and closes them after each test. */
export function useListeners() {
  const listening: Listening[] = []
  afterEach(() => {
    for (const each of listening.splice(0)) each.close()
  })

  return async (
    service: Pick<Service, 'url'>,
    cookie: string,
    headers: Record<string, string> = {},
  ): Promise<Listening> => {
    const controller = new AbortController()
    const response = await fetch(`${service.url}/api/dash/ereignisse`, {
      headers: { Cookie: `fundus_sitzung=${cookie}`, ...headers },
      signal: controller.signal,
    })
    let text = ''
    let ended = false
    const reading = async () => {
      const decoder = new TextDecoder()
      for await (const part of response.body!) text += decoder.decode(part, { stream: true })
    }
    reading()
      .catch(() => {})
      .finally(() => {
        ended = true
      })
    const opened: Listening = {
      response,
      text: () => text,
      events: () =>
        text
          .split('\n\n')
          .map(block => Object.fromEntries(block.split('\n').map(line => line.split(/: (.*)/s).slice(0, 2))))
          .filter(fields => fields.event)
          .map(fields => ({ event: fields.event, data: JSON.parse(fields.data) })),
      ended: () => ended,
      close: () => controller.abort(),
    }
    listening.push(opened)
    if (response.status === 200)
      await eventually('the stream is ready', () => opened.events().some(({ event }) => event === 'bereit'))
    return opened
  }
}
