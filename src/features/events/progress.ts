/**
 * Reports the progress of maintenance tasks to every open dashboard page of an operator. Reports go through
 * the database, because a page may be connected to another process: `watch.ts` reads them from there.
 */
import { sql } from 'kysely'
import type { Log } from '../../base/log.ts'
import type { ServiceEvent } from '../../contract/files/events.ts'
import type { Database, Queries } from '../../database/database.ts'

export type ProgressEvent = Extract<ServiceEvent, { name: 'fortschritt' }>
type Progress = ProgressEvent['data']

/**
 * Milliseconds to wait after each write: a task may report every file, and nobody needs updates that often.
 */
const WRITE_PAUSE = 250

export function createProgressReports({ database, log }: { database: Database; log: Log }) {
  const unwrittenReports = new Map<Progress['aufgabe'], Progress>()
  let currentWrite: Promise<void> | undefined
  let isStopping = false

  async function writeReports(): Promise<void> {
    while (unwrittenReports.size > 0) {
      const reports = [...unwrittenReports.values()]
      unwrittenReports.clear()
      await database
        .transaction(async tx => {
          for (const report of reports) await putProgress(tx, report)
        })
        .catch(error => log.warn('the progress of a task could not be written', { cause: error }))
      if (!isStopping) await Bun.sleep(WRITE_PAUSE)
    }
    currentWrite = undefined
  }

  return {
    /**
     * Reports progress without waiting. If a task reports several times before the next write, only its last
     * report is written.
     */
    report({ data }: ProgressEvent) {
      unwrittenReports.set(data.aufgabe, data)
      currentWrite ??= writeReports()
    },
    /** For the shutdown: resolves when the last report is written, without further pauses. */
    async finishWrites() {
      isStopping = true
      await currentWrite
    },
  }
}

async function putProgress(tx: Queries, { aufgabe, erledigt, gesamt, fertig }: Progress): Promise<void> {
  const values = { done: erledigt, total: gesamt, ended: fertig ? 1 : 0 }
  await tx
    .insertInto('progress')
    .values({ task: aufgabe, step: 1, ...values })
    .onConflict(conflict => conflict.column('task').doUpdateSet({ ...values, step: sql`progress.step + 1` }))
    .execute()
}

/**
 * Maps each task to its `step`, which grows with every report, so that a later check recognizes a new report.
 */
export type ProgressPosition = ReadonlyMap<string, number>

interface ProgressReport {
  event: ProgressEvent
  step: number
}

export const stepsOf = (reports: readonly ProgressReport[]): ProgressPosition =>
  new Map(reports.map(({ event, step }) => [event.data.aufgabe, step]))

export async function readProgress(db: Queries): Promise<ProgressReport[]> {
  const rows = await db.selectFrom('progress').selectAll().execute()
  return rows.map(({ task, step, done, total, ended }) => ({
    step,
    event: {
      name: 'fortschritt',
      data: { aufgabe: task, erledigt: done, gesamt: total, fertig: ended === 1 },
    },
  }))
}
