/** Runs of the backup. In the database, so that every process sees the run of another one, and what it reported. */
import type { Selectable } from 'kysely'
import { type BackupReport, type BackupStep, backupReport } from '../../contract/backup.ts'
import type { Queries } from '../../database/database.ts'
import type { BackupTable } from '../../database/schema.ts'
import { ownedAmount } from '../integrity/owners.ts'

/** Runs that are remembered. */
const KEPT = 100

export type RunRow = Selectable<BackupTable>

export async function beginRun(tx: Queries, at: number, step: BackupStep): Promise<number> {
  const { nr } = await tx
    .insertInto('backup')
    .values({ started_at: at, step, done: 0, total: null, report: null, ok: null })
    .returning('nr')
    .executeTakeFirstOrThrow()
  await tx
    .deleteFrom('backup')
    .where('nr', '<=', nr - KEPT)
    .execute()
  return nr
}

export async function noteProgress(
  tx: Queries,
  nr: number,
  at: Pick<RunRow, 'step' | 'done' | 'total'>,
): Promise<void> {
  await tx.updateTable('backup').set(at).where('nr', '=', nr).where('report', 'is', null).execute()
}

/** False when the run has its report already: it was given up for dead meanwhile, or the other way round. */
export async function endRun(
  tx: Queries,
  nr: number,
  report: BackupReport,
  places: readonly string[],
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('backup')
    .set({ report: JSON.stringify(report), ok: report.ok ? 1 : 0, places: JSON.stringify(places) })
    .where('nr', '=', nr)
    .where('report', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function newestRun(db: Queries): Promise<RunRow | null> {
  return (await db.selectFrom('backup').selectAll().orderBy('nr', 'desc').limit(1).executeTakeFirst()) ?? null
}

export interface EndedRun {
  report: BackupReport
  /** Where its archive was put; null: an earlier version did not note it. */
  places: string[] | null
}

/** The newest run that has a report; `before`: of those with a lower number. */
export async function lastEnded(db: Queries, before?: number): Promise<EndedRun | null> {
  const row = await db
    .selectFrom('backup')
    .select(['report', 'places'])
    .where('report', 'is not', null)
    .$if(before !== undefined, query => query.where('nr', '<', before!))
    .orderBy('nr', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return null
  return {
    report: backupReport.parse(JSON.parse(row.report!)),
    places: row.places === null ? null : (JSON.parse(row.places) as string[]),
  }
}

export async function reportOf(db: Queries, nr: number): Promise<BackupReport | null> {
  const row = await db.selectFrom('backup').select('report').where('nr', '=', nr).executeTakeFirst()
  return row?.report ? backupReport.parse(JSON.parse(row.report)) : null
}

/** Roughly what an archive of now would take. */
export async function estimateBytes(db: Queries): Promise<number> {
  const { files, bytes } = await ownedAmount(db)
  const entries = await db
    .selectFrom('history')
    .select('nr')
    .orderBy('nr', 'desc')
    .limit(1)
    .executeTakeFirst()
  return bytes + files * BYTES_PER_FILE + (entries?.nr ?? 0) * BYTES_PER_ENTRY + BYTES_AROUND
}

/** Row, header, padding and checksum of a file; a line of the history; manifest, ends and small tables. */
const BYTES_PER_FILE = 2048
const BYTES_PER_ENTRY = 256
const BYTES_AROUND = 1024 * 1024
