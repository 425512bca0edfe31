/** The reports of rehearsed restores, in the database. */
import { type RehearsalReport, rehearsalReport } from '../../../contract/service/backup.ts'
import type { Queries } from '../../../database/database.ts'

/** Number of reports that are kept. */
const MAX_STORED_REPORTS = 100

export async function addRehearsal(tx: Queries, report: RehearsalReport): Promise<void> {
  const { nr } = await tx
    .insertInto('rehearsal')
    .values({ report: JSON.stringify(report) })
    .returning('nr')
    .executeTakeFirstOrThrow()
  await tx
    .deleteFrom('rehearsal')
    .where('nr', '<=', nr - MAX_STORED_REPORTS)
    .execute()
}

/** The report of the last rehearsal; null before the first. */
export async function lastRehearsal(db: Queries): Promise<RehearsalReport | null> {
  const row = await db
    .selectFrom('rehearsal')
    .select('report')
    .orderBy('nr', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? rehearsalReport.parse(JSON.parse(row.report)) : null
}
