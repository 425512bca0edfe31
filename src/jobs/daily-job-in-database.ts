/**
 * Daily jobs that record their last start in the table `job_run`, because nothing else shows when they ran.
 */
import type { Database } from '../database/database.ts'
import type { DailyJob } from './job.ts'

export async function recordJobStart(database: Database, job: string, startedAt: number): Promise<void> {
  const values = { job, begun_at: startedAt }
  await database.transaction(tx =>
    tx
      .insertInto('job_run')
      .values(values)
      .onConflict(conflict => conflict.column('job').doUpdateSet(values))
      .execute(),
  )
}

export function createRecordedDailyJob(
  parts: { database: Database; now: () => number },
  job: Omit<DailyJob, 'lastRun'>,
): DailyJob {
  const { database, now } = parts

  async function lastRun(): Promise<number | null> {
    const row = await database.read
      .selectFrom('job_run')
      .select('begun_at')
      .where('job', '=', job.name)
      .executeTakeFirst()
    return row?.begun_at ?? null
  }

  return {
    ...job,
    lastRun,
    async run(signal) {
      await recordJobStart(database, job.name, now())
      return job.run(signal)
    },
  }
}
