/** The open event streams of this process, limited per session. */

import type { Delays } from '../../config/delays.ts'
import { hasRole } from '../../contract/accounts/roles.ts'
import { EVENTS_STREAMS_MAX, type ServiceEvent } from '../../contract/files/events.ts'
import { failure } from '../../errors/errors.ts'
import type { Session } from '../../http/access/callers.ts'
import { allowedAreaOf, isPathInside } from '../../http/access/library-area.ts'
import type { FeatureParts } from '../feature.ts'
import type { Factors } from '../session/factors/factors.ts'
import type { Sessions } from '../session/sessions.ts'
import { createProgressReports } from './progress.ts'
import { createEventStream, type EventStream } from './stream.ts'
import { createChangeWatcher } from './watch.ts'

export type Events = ReturnType<typeof createEvents>

export interface EventsParts extends Pick<FeatureParts, 'database' | 'log'> {
  sessions: Pick<Sessions, 'current'>
  factors: Pick<Factors, 'areMissing'>
  delays: Pick<Delays, 'changeCheck' | 'heartbeat'>
}

export function createEvents({ database, sessions, factors, log, delays }: EventsParts) {
  const progressReports = createProgressReports({ database, log })
  const watch = createChangeWatcher({ database, publish: deliver, log, interval: delays.changeCheck })
  const streams = new Map<EventStream, Session>()
  let lastDelivery = Promise.resolve()
  let isClosed = false

  /** Reads the session with the rights of its account again; false if the stream has to end. */
  async function refreshSession(stream: EventStream, { id }: Session): Promise<boolean> {
    const session = await sessions.current(id)
    if (!session || (await factors.areMissing(session.account))) return false
    if (streams.has(stream)) streams.set(stream, session)
    return true
  }

  /**
   * Sends events to the pages that are connected to this process, one batch after the other. The rights of
   * accounts are checked again only now, after the events were read: an account that lost a right before an
   * event must not receive that event.
   */
  function deliver(events: readonly ServiceEvent[]): Promise<void> {
    lastDelivery = lastDelivery.then(() => deliverNow(events))
    return lastDelivery
  }

  async function deliverNow(events: readonly ServiceEvent[]): Promise<void> {
    // Every change of a role adds an entry to the administration history. Its event is `verwaltung`, or
    // `neu_laden` (reload) if there are too many events. The folders of an account also change when a folder
    // is renamed or moved, so accounts that are limited to folders are checked again for every event.
    const mayConcernAll = events.some(({ name }) => name === 'verwaltung' || name === 'neu_laden')
    const streamsToCheck = [...streams].filter(([, { account }]) => mayConcernAll || account.folders !== null)
    await Promise.all(streamsToCheck.map(([stream]) => stream.check()))
    // Iterates over a copy, because a stream may end while it is written to.
    for (const event of events)
      for (const [stream, { account }] of [...streams]) if (mayReceive(account, event)) stream.send(event)
  }

  function beginStream(session: Session): EventStream {
    const stream = createEventStream({
      mayContinue: () => refreshSession(stream, session),
      onEnd() {
        streams.delete(stream)
        if (streams.size === 0) watch.stop()
      },
      heartbeatInterval: delays.heartbeat,
    })
    streams.set(stream, session)
    return stream
  }

  return {
    /** Sends progress to every open page of an operator, whichever process it is connected to. */
    publish: progressReports.report,
    /** Sends an event to the pages that are connected to this process and whose account may receive it. */
    publishHere: (event: ServiceEvent) => void deliver([event]),
    /** For the shutdown: resolves when the last progress is written. */
    finishProgress: progressReports.finishWrites,

    /**
     * Opens a stream. `isReconnecting`: the client was connected before, so it gets a reload event. Rejects
     * with 429 if the session has too many streams. While the service is stopping, the stream ends
     * immediately.
     */
    async open(session: Session, { isReconnecting }: { isReconnecting: boolean }) {
      const sessionStreamCount = [...streams.values()].filter(({ id }) => id === session.id).length
      if (sessionStreamCount >= EVENTS_STREAMS_MAX) throw failure.streamsCrowded(EVENTS_STREAMS_MAX)
      const stream = beginStream(session)
      if (isClosed) {
        stream.end()
        return stream
      }
      try {
        await watch.start()
      } catch (error) {
        stream.end()
        throw error
      }
      // Rights may have been withdrawn between the permission check of this request and the start of polling.
      await stream.check()
      stream.send({ name: 'bereit', data: {} })
      if (isReconnecting) stream.send({ name: 'neu_laden', data: {} })
      return stream
    },

    /**
     * Ends every open stream, and every later one as soon as it is opened, so that none delays the shutdown.
     */
    close() {
      isClosed = true
      for (const stream of [...streams.keys()]) stream.end()
    },
  }
}

function mayReceive(account: Session['account'], event: ServiceEvent): boolean {
  switch (event.name) {
    case 'datei':
    case 'vorschau':
      return isPathInside(event.data.pfad, allowedAreaOf(account))
    case 'verwaltung':
    case 'fortschritt':
      return hasRole(account.role, 'betreiber')
    case 'bereit':
    case 'neu_laden':
      return true
  }
}
