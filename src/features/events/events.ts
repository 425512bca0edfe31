/** The open event streams of this process, limited per session. */

import type { Delays } from '../../config/delays.ts'
import { hasRole } from '../../contract/accounts/roles.ts'
import { EVENTS_STREAMS_MAX, type ServiceEvent } from '../../contract/files/events.ts'
import { failure } from '../../errors/errors.ts'
import { isInside, reachOf } from '../../http/access/area.ts'
import type { Session } from '../../http/access/callers.ts'
import type { FeatureParts } from '../feature.ts'
import type { Sessions } from '../session/sessions.ts'
import { createProgressReports } from './progress.ts'
import { createEventStream, type EventStream } from './stream.ts'
import { createWatch } from './watch.ts'

export type Events = ReturnType<typeof createEvents>

export interface EventsParts extends Pick<FeatureParts, 'database' | 'log'> {
  sessions: Sessions
  delays: Pick<Delays, 'look' | 'heartbeat'>
}

export function createEvents({ database, sessions, log, delays }: EventsParts) {
  const reports = createProgressReports({ database, log })
  const watch = createWatch({ database, publish: publishHere, log, interval: delays.look })
  const streams = new Map<EventStream, Session>()
  let closed = false

  /** Reports to the pages that are connected to this process. */
  function publishHere(event: ServiceEvent): void {
    // A copy, because a stream may end while it is written to.
    for (const [stream, { account }] of [...streams]) if (isFor(account, event)) stream.send(event)
    // A lowered role ends the sessions of its account; their streams do not wait for the next heartbeat.
    if (event.name === 'verwaltung') for (const stream of [...streams.keys()]) void stream.check()
  }

  function begin(session: Session): EventStream {
    const stream = createEventStream({
      mayGoOn: () => sessions.isLive(session),
      onEnd() {
        streams.delete(stream)
        if (streams.size === 0) watch.stop()
      },
      heartbeat: delays.heartbeat,
    })
    streams.set(stream, session)
    return stream
  }

  return {
    /** Reports progress to every open page, whichever process it is connected to. */
    publish: reports.report,
    publishHere,
    /** Resolves when the last progress is written. */
    settled: reports.settled,

    /**
     * `again`: the client was connected before, and is told to reload. Rejects with 429 if the session has
     * too many streams. While the service is stopping, the stream ends at once.
     */
    async open(session: Session, { again }: { again: boolean }) {
      const own = [...streams.values()].filter(({ id }) => id === session.id).length
      if (own >= EVENTS_STREAMS_MAX) throw failure.streamsCrowded(EVENTS_STREAMS_MAX)
      const stream = begin(session)
      if (closed) {
        stream.end()
        return stream
      }
      try {
        await watch.start()
      } catch (error) {
        stream.end()
        throw error
      }
      stream.send({ name: 'bereit', data: {} })
      if (again) stream.send({ name: 'neu_laden', data: {} })
      return stream
    },

    /** Ends every stream and refuses new ones, so that none delays the shutdown. */
    close() {
      closed = true
      for (const stream of [...streams.keys()]) stream.end()
    },
  }
}

/** Whether the account may learn of the event. */
function isFor(account: Session['account'], event: ServiceEvent): boolean {
  switch (event.name) {
    case 'datei':
    case 'vorschau':
      return isInside(event.data.pfad, reachOf(account))
    case 'verwaltung':
    case 'fortschritt':
      return hasRole(account.role, 'betreiber')
    case 'bereit':
    case 'neu_laden':
      return true
  }
}
