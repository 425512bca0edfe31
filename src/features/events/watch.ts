/**
 * Turns new entries of the two histories, and the progress of backup and maintenance, into events. It polls
 * the database instead of being called by the code that writes, so that changes by other processes become
 * events too, and rolled-back transactions do not. Polling is cheap, since the database reports whether
 * anything was committed. It stops while nobody listens.
 *
 * This relies on the entries' numbers becoming visible in order, as with SQLite's single writer. On
 * PostgreSQL a number is drawn before its transaction commits: there the numbers have to be drawn under the
 * lock that orders the transactions.
 */

import type { ServiceEvent } from '../../contract/files/events.ts'
import type { Queries } from '../../database/database.ts'
import { highestNumber } from '../../database/highest-number.ts'
import { whoText } from '../../http/access/actor.ts'
import type { FeatureParts } from '../feature.ts'
import { type BackupProgress, backupProgress, progressEvent } from './backup-progress.ts'
import { type ProgressPosition, readProgress, stepsOf } from './progress.ts'

/** Maximum number of events per check; more, as of a renamed folder, become a single `neu_laden` (reload). */
const EVENTS_AT_ONCE = 200
const RELOAD: ServiceEvent = { name: 'neu_laden', data: {} }

interface Position {
  history: number
  administration: number
  backup: BackupProgress | null
  progress: ProgressPosition
}

export interface WatchParts extends Pick<FeatureParts, 'database' | 'log'> {
  publish: (events: readonly ServiceEvent[]) => void | Promise<void>
  /** Milliseconds between two checks. */
  interval: number
}

export function createWatch({ database, publish, log, interval }: WatchParts) {
  const { read } = database
  let timer: Timer | undefined
  let starting: Promise<Position> | undefined
  let version: number | undefined

  async function check(from: Position): Promise<Position> {
    const { version: now } = await database.currentState()
    if (now === version) return from
    const { events, to } = await changesSince(read, from)
    version = now
    if (events.length > 0) await publish(events)
    return to
  }

  function plan(position: Position, mine: Promise<Position>): void {
    timer = setTimeout(async () => {
      const next = await check(position).catch(cause => {
        log.warn('the histories could not be read for the event streams', { cause })
        return position
      })
      if (starting === mine) plan(next, mine)
    }, interval)
  }

  return {
    /** Starts polling. When it has resolved, no later commit will be missed. */
    async start() {
      if (!starting) {
        const mine = newest(read)
        starting = mine
        version = undefined
        mine.then(
          position => starting === mine && plan(position, mine),
          () => {
            if (starting === mine) starting = undefined
          },
        )
      }
      await starting
    },
    stop() {
      starting = undefined
      clearTimeout(timer)
    },
  }
}

interface FoundEvent {
  nr: number
  event: ServiceEvent
}

const newestEntries = async (db: Queries) => ({
  history: await highestNumber(db, 'history'),
  administration: await highestNumber(db, 'administration'),
})

const newest = async (db: Queries): Promise<Position> => ({
  ...(await newestEntries(db)),
  backup: await backupProgress(db),
  progress: stepsOf(await readProgress(db)),
})

/** What has happened since a position, and the position to continue from. */
async function changesSince(db: Queries, from: Position): Promise<{ events: ServiceEvent[]; to: Position }> {
  const files = await fileEvents(db, from.history)
  const others = await otherEvents(db, from.administration)
  const tooMany = files.length + others.length > EVENTS_AT_ONCE
  const backup = await backupProgress(db)
  const reports = await readProgress(db)
  const seen = {
    history: files.at(-1)?.nr ?? from.history,
    administration: others.at(-1)?.nr ?? from.administration,
  }
  const ofBackup = progressEvent(from.backup, backup)
  return {
    events: [
      ...(tooMany ? [RELOAD] : [...files, ...others].map(({ event }) => event)),
      ...(ofBackup ? [ofBackup] : []),
      ...reports.flatMap(({ event, step }) =>
        from.progress.get(event.data.aufgabe) === step ? [] : [event],
      ),
    ],
    to: { ...(tooMany ? await newestEntries(db) : seen), backup, progress: stepsOf(reports) },
  }
}

async function fileEvents(db: Queries, after: number): Promise<FoundEvent[]> {
  const rows = await db
    .selectFrom('history')
    .leftJoin('media', 'media.path', 'history.path')
    .select(['history.nr', 'at', 'what', 'history.path', 'bytes', 'who', 'who_kind', 'media.kind'])
    .where('history.nr', '>', after)
    .orderBy('history.nr')
    .limit(EVENTS_AT_ONCE + 1)
    .execute()
  return rows.map(({ nr, at, what, path, kind, bytes, ...actor }) => ({
    nr,
    event: {
      name: 'datei',
      data: { zeit: at, was: what, pfad: path, art: kind, bytes, wer: whoText(actor) },
    },
  }))
}

async function otherEvents(db: Queries, after: number): Promise<FoundEvent[]> {
  const rows = await db
    .selectFrom('administration')
    .select(['nr', 'at', 'what', 'who', 'who_kind'])
    .where('nr', '>', after)
    .orderBy('nr')
    .limit(EVENTS_AT_ONCE + 1)
    .execute()
  return rows.map(({ nr, at, what, ...actor }) => ({
    nr,
    event: { name: 'verwaltung', data: { zeit: at, was: what, wer: whoText(actor) } },
  }))
}
