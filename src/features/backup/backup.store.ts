/** Runs of the backup. In the database, so that every process sees the run of another one, and what it reported. */
import type { Selectable } from 'kysely'
import { type BackupReport, type BackupStep, backupReport } from '../../contract/backup.ts'
import type { Queries } from '../../database/database.ts'
import type { BackupTable } from '../../database/schema.ts'

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
export async function endRun(tx: Queries, nr: number, report: BackupReport): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('backup')
    .set({ report: JSON.stringify(report), ok: report.ok ? 1 : 0 })
    .where('nr', '=', nr)
    .where('report', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function newestRun(db: Queries): Promise<RunRow | null> {
  return (await db.selectFrom('backup').selectAll().orderBy('nr', 'desc').limit(1).executeTakeFirst()) ?? null
}

/** The report of the newest run that has one; `before`: of those with a lower number. */
export async function lastReport(db: Queries, before?: number): Promise<BackupReport | null> {
  const row = await db
    .selectFrom('backup')
    .select('report')
    .where('report', 'is not', null)
    .$if(before !== undefined, query => query.where('nr', '<', before!))
    .orderBy('nr', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? backupReport.parse(JSON.parse(row.report!)) : null
}

export async function reportOf(db: Queries, nr: number): Promise<BackupReport | null> {
  const row = await db.selectFrom('backup').select('report').where('nr', '=', nr).executeTakeFirst()
  return row?.report ? backupReport.parse(JSON.parse(row.report)) : null
}

/** Roughly what an archive of now would take. */
export async function estimateBytes(db: Queries): Promise<number> {
  const { files, bytes } = await db
    .selectFrom('folder_usage')
    .select(({ fn }) => [
      fn.sum<number | string | null>('files').as('files'),
      fn.sum<number | string | null>('bytes').as('bytes'),
    ])
    .executeTakeFirstOrThrow()
  const trash = await db.selectFrom('trash_total').selectAll().executeTakeFirstOrThrow()
  const entries = await db
    .selectFrom('history')
    .select('nr')
    .orderBy('nr', 'desc')
    .limit(1)
    .executeTakeFirst()
  return (
    Number(bytes) +
    Number(trash.bytes) +
    (Number(files) + Number(trash.files)) * BYTES_PER_FILE +
    (entries?.nr ?? 0) * BYTES_PER_ENTRY +
    BYTES_AROUND
  )
}

/** Row, header, padding and checksum of a file; a line of the history; manifest, ends and small tables. */
const BYTES_PER_FILE = 2048
const BYTES_PER_ENTRY = 256
const BYTES_AROUND = 1024 * 1024
