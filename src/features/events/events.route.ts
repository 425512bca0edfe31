/** `GET /api/dash/ereignisse`: the event stream for an open dashboard page. */
import { z } from 'zod'
import { eventSchemas } from '../../contract/files/events.ts'
import { DASHBOARD_ROUTE } from '../../contract/paths/addresses.ts'
import { type SessionRoute, sessionRoute } from '../../http/route-rights.ts'
import { StreamAnswer } from '../../http/server/answers.ts'
import type { Events } from './events.ts'

const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // Otherwise nginx would buffer the events.
  'X-Accel-Buffering': 'no',
}

export function eventsRoute(events: Events): SessionRoute {
  return sessionRoute('GET', `${DASHBOARD_ROUTE}/ereignisse`, {
    role: 'ansicht',
    targets: 'nothing',
    summary: 'Was gerade geschieht, als Server-Sent Events: je Ereignis sein Name und JSON',
    answer: z.object(eventSchemas).partial(),
    answerType: 'text/event-stream',
    async handle({ request: { method, headers, signal } }, session) {
      // The client of a HEAD request would neither read nor close a stream.
      if (method === 'HEAD') return new Response(null, { headers: STREAM_HEADERS })
      const stream = await events.open(session, { isReconnecting: headers.has('Last-Event-ID') })
      signal.addEventListener('abort', stream.end)
      return new StreamAnswer(stream.body, { headers: STREAM_HEADERS }, true)
    },
  })
}
