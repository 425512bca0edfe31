/**
 * Stores backup runs and their reports in the database, so that every process sees them. Also estimates how
 * many bytes a backup needs.
 */
import type { Selectable } from 'kysely'
import { type BackupReport, type BackupStep, backupReport } from '../../../contract/service/backup.ts'
import type { Queries } from '../../../database/database.ts'
import { readHighestRowNumber } from '../../../database/highest-number.ts'
import type { BackupTable } from '../../../database/schema.ts'
import { totalFileAmount } from '../../integrity/owners.ts'
import { FILE_TABLES, rowsOf } from '../archive/tables.ts'
import { type ChecksumTable, createChecksumTable } from '../stock/checksum-table.ts'

/** Number of runs that the table keeps. */
const MAX_STORED_RUNS = 100

export type RunRow = Selectable<BackupTable>

export async function beginRun(tx: Queries, startedAt: number, step: BackupStep): Promise<number> {
  const { nr } = await tx
    .insertInto('backup')
    .values({ started_at: startedAt, step, done: 0, total: null, report: null, ok: null })
    .returning('nr')
    .executeTakeFirstOrThrow()
  await tx
    .deleteFrom('backup')
    .where('nr', '<=', nr - MAX_STORED_RUNS)
    .execute()
  return nr
}

export async function recordProgress(
  tx: Queries,
  nr: number,
  progress: Pick<RunRow, 'step' | 'done' | 'total'>,
): Promise<void> {
  await tx.updateTable('backup').set(progress).where('nr', '=', nr).where('report', 'is', null).execute()
}

/**
 * Writes the report of a run. Returns false if the run already has a report: its own, or one that says that
 * its process has died.
 */
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

/** The newest run, or the one with this number. */
export const findRun = (db: Queries, nr?: number): Promise<RunRow | undefined> =>
  db
    .selectFrom('backup')
    .selectAll()
    .$if(nr !== undefined, query => query.where('nr', '=', nr!))
    .orderBy('nr', 'desc')
    .limit(1)
    .executeTakeFirst()

/**
 * The newest run if it has no report, either because it is in progress or because its process has died; null
 * otherwise.
 */
export async function findOpenRun(db: Queries): Promise<RunRow | null> {
  const run = await findRun(db)
  return run?.report === null ? run : null
}

export interface EndedRun {
  report: BackupReport
  /** Names of the targets that have received the archive; null if an earlier version did not record them. */
  places: string[] | null
}

/** The last run that has a report. With `beforeNr`, only runs with a lower number count. */
export async function lastEndedRun(db: Queries, beforeNr?: number): Promise<EndedRun | null> {
  const row = await db
    .selectFrom('backup')
    .select(['report', 'places'])
    .where('report', 'is not', null)
    .$if(beforeNr !== undefined, query => query.where('nr', '<', beforeNr!))
    .orderBy('nr', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return null
  return {
    report: parseReport(row.report!),
    places: row.places === null ? null : (JSON.parse(row.places) as string[]),
  }
}

/** The reports of the newest successful runs, newest first. */
export async function successfulReports(db: Queries, limit = 10): Promise<BackupReport[]> {
  const rows = await db
    .selectFrom('backup')
    .select('report')
    .where('ok', '=', 1)
    .orderBy('nr', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ report }) => parseReport(report!))
}

/** The report of the newest successful run whose archive was stored at this target; null if there is none. */
export async function lastSuccessfulReport(db: Queries, targetName: string): Promise<BackupReport | null> {
  const rows = await db
    .selectFrom('backup')
    .select(['report', 'places'])
    .where('ok', '=', 1)
    .where('places', 'is not', null)
    .orderBy('nr', 'desc')
    .execute()
  const row = rows.find(({ places }) => (JSON.parse(places!) as string[]).includes(targetName))
  return row ? parseReport(row.report!) : null
}

export const parseReport = (text: string): BackupReport => backupReport.parse(JSON.parse(text))

/** Estimates the size in bytes of an archive that is made now, without the contents of the files. */
export async function estimateArchiveBytes(db: Queries): Promise<number> {
  const { files } = await totalFileAmount(db)
  const entryCount = await readHighestRowNumber(db, 'history')
  return files * BYTES_PER_FILE + entryCount * BYTES_PER_ENTRY + FIXED_BYTES
}

/**
 * Total bytes of the contents of library and trash that a content store lacks. `contentSizes`: the contents
 * that it has.
 */
export async function missingBytes(db: Queries, contentSizes: ChecksumTable): Promise<number> {
  const countedChecksums = createChecksumTable()
  let bytes = 0
  for (const table of FILE_TABLES)
    for await (const page of rowsOf(db, table, ['nr', 'sha256', 'size']))
      for (const { sha256, size } of page as { sha256: string; size: number }[]) {
        if (contentSizes.has(sha256) || countedChecksums.has(sha256)) continue
        countedChecksums.set(sha256, 1)
        bytes += Number(size)
      }
  return bytes
}

/**
 * Estimated bytes: for each file (its row, and its line in the file list), for each history entry, and for
 * the rest of the archive, such as the manifest and the other tables.
 */
const BYTES_PER_FILE = 1024
const BYTES_PER_ENTRY = 256
const FIXED_BYTES = 1024 * 1024
