/**
 * Turns new entries of the two histories (of files and of the administration), and the progress of backup and
 * maintenance, into events. It polls the database instead of being called by the code that writes, so that
 * changes by other processes become events too, and rolled-back transactions do not. Polling is cheap, since
 * the database reports whether anything was committed. Polling stops while nobody listens.
 *
 * This relies on the numbers of entries becoming visible in order. SQLite guarantees that, because it has a
 * single writer. PostgreSQL assigns a number before the transaction commits, but each writing transaction
 * acquires the write lock before it gets its numbers, and holds it until it has committed.
 */

import type { ServiceEvent } from '../../contract/files/events.ts'
import type { Queries } from '../../database/database.ts'
import { readHighestRowNumber } from '../../database/highest-number.ts'
import { actorTextOfRow } from '../../http/access/actor.ts'
import type { FeatureParts } from '../feature.ts'
import { type BackupProgress, progressEvent, readBackupProgress } from './backup-progress.ts'
import { type ProgressPosition, readProgress, stepsOf } from './progress.ts'

/**
 * Maximum number of events per check, counted over both histories. If there are more, for example after a
 * folder was renamed, a single `neu_laden` (reload) replaces them.
 */
const MAX_EVENTS_PER_CHECK = 200
const RELOAD_EVENT: ServiceEvent = { name: 'neu_laden', data: {} }

interface WatchPosition {
  historyNr: number
  administrationNr: number
  backup: BackupProgress | null
  progress: ProgressPosition
}

export interface ChangeWatcherParts extends Pick<FeatureParts, 'database' | 'log'> {
  publish: (events: readonly ServiceEvent[]) => void | Promise<void>
  /** Milliseconds between two checks. */
  interval: number
}

export function createChangeWatcher({ database, publish, log, interval }: ChangeWatcherParts) {
  const { read } = database
  let timer: Timer | undefined
  let currentStartPromise: Promise<WatchPosition> | undefined
  let checkedVersion: number | undefined

  async function check(position: WatchPosition): Promise<WatchPosition> {
    const { version: currentVersion } = await database.currentState()
    if (currentVersion === checkedVersion) return position
    const { events, nextPosition } = await readEventsSince(read, position)
    checkedVersion = currentVersion
    if (events.length > 0) await publish(events)
    return nextPosition
  }

  function scheduleCheck(position: WatchPosition, startPromise: Promise<WatchPosition>): void {
    timer = setTimeout(async () => {
      const nextPosition = await check(position).catch(cause => {
        log.warn('the histories could not be read for the event streams', { cause })
        return position
      })
      if (currentStartPromise === startPromise) scheduleCheck(nextPosition, startPromise)
    }, interval)
  }

  return {
    /** Starts polling. Once the returned promise has resolved, no later commit is missed. */
    async start() {
      if (!currentStartPromise) {
        const startPromise = newestPosition(read)
        currentStartPromise = startPromise
        checkedVersion = undefined
        startPromise.then(
          position => currentStartPromise === startPromise && scheduleCheck(position, startPromise),
          () => {
            if (currentStartPromise === startPromise) currentStartPromise = undefined
          },
        )
      }
      await currentStartPromise
    },
    stop() {
      currentStartPromise = undefined
      clearTimeout(timer)
    },
  }
}

interface NumberedEvent {
  nr: number
  event: ServiceEvent
}

const newestEntryNumbers = async (db: Queries) => ({
  historyNr: await readHighestRowNumber(db, 'history'),
  administrationNr: await readHighestRowNumber(db, 'administration'),
})

const newestPosition = async (db: Queries): Promise<WatchPosition> => ({
  ...(await newestEntryNumbers(db)),
  backup: await readBackupProgress(db),
  progress: stepsOf(await readProgress(db)),
})

/** Reads the events since `position`, and the position to continue from. */
async function readEventsSince(
  db: Queries,
  position: WatchPosition,
): Promise<{ events: ServiceEvent[]; nextPosition: WatchPosition }> {
  const fileEvents = await readFileEvents(db, position.historyNr)
  const administrationEvents = await readAdministrationEvents(db, position.administrationNr)
  const hasTooManyEvents = fileEvents.length + administrationEvents.length > MAX_EVENTS_PER_CHECK
  const backup = await readBackupProgress(db)
  const reports = await readProgress(db)
  const lastEntryNumbers = {
    historyNr: fileEvents.at(-1)?.nr ?? position.historyNr,
    administrationNr: administrationEvents.at(-1)?.nr ?? position.administrationNr,
  }
  const backupEvent = progressEvent(position.backup, backup)
  return {
    events: [
      ...(hasTooManyEvents
        ? [RELOAD_EVENT]
        : [...fileEvents, ...administrationEvents].map(({ event }) => event)),
      ...(backupEvent ? [backupEvent] : []),
      ...reports.flatMap(({ event, step }) =>
        position.progress.get(event.data.aufgabe) === step ? [] : [event],
      ),
    ],
    nextPosition: {
      ...(hasTooManyEvents ? await newestEntryNumbers(db) : lastEntryNumbers),
      backup,
      progress: stepsOf(reports),
    },
  }
}

async function readFileEvents(db: Queries, afterNr: number): Promise<NumberedEvent[]> {
  const rows = await db
    .selectFrom('history')
    .leftJoin('media', 'media.path', 'history.path')
    .select(['history.nr', 'at', 'what', 'history.path', 'bytes', 'who', 'who_kind', 'media.kind'])
    .where('history.nr', '>', afterNr)
    .orderBy('history.nr')
    .limit(MAX_EVENTS_PER_CHECK + 1)
    .execute()
  return rows.map(({ nr, at: time, what, path, kind, bytes, ...actor }) => ({
    nr,
    event: {
      name: 'datei',
      data: { zeit: time, was: what, pfad: path, art: kind, bytes, wer: actorTextOfRow(actor) },
    },
  }))
}

async function readAdministrationEvents(db: Queries, afterNr: number): Promise<NumberedEvent[]> {
  const rows = await db
    .selectFrom('administration')
    .select(['nr', 'at', 'what', 'who', 'who_kind'])
    .where('nr', '>', afterNr)
    .orderBy('nr')
    .limit(MAX_EVENTS_PER_CHECK + 1)
    .execute()
  return rows.map(({ nr, at: time, what, ...actor }) => ({
    nr,
    event: { name: 'verwaltung', data: { zeit: time, was: what, wer: actorTextOfRow(actor) } },
  }))
}
