/** A daily job whose work does not show when it last ran: the table `job_run` records when the job last began. */
import type { Database } from '../database/database.ts'
import type { DailyJob } from './job.ts'

export function dailyJobInDatabase(
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

  async function noteBegin(): Promise<void> {
    const values = { job: job.name, begun_at: now() }
    await database.transaction(tx =>
      tx
        .insertInto('job_run')
        .values(values)
        .onConflict(conflict => conflict.column('job').doUpdateSet(values))
        .execute(),
    )
  }

  return {
    ...job,
    lastRun,
    async run(signal) {
      await noteBegin()
      return job.run(signal)
    },
  }
}
