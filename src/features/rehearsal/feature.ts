/**
 * Rehearses a restore about once a month, and the day after a failed rehearsal. A job checks every day
 * whether a rehearsal is due.
 */
import { createRecordedDailyJob } from '../../jobs/daily-job-in-database.ts'
import { createRehearsal, type RehearsalParts } from './rehearsal.ts'

/**
 * The local time at which the job runs: later than the removal of orphaned objects, the retention run and, at
 * its default time, the backup.
 */
const REHEARSAL_TIME = '05:30'

export function createRehearsalFeature(parts: RehearsalParts) {
  const { rehearseIfDue } = createRehearsal(parts)
  const job = {
    name: 'rehearsal',
    lease: 'rehearsal',
    dailyAt: () => REHEARSAL_TIME,
    run: rehearseIfDue,
  } as const
  return { jobs: [createRecordedDailyJob(parts, job)] }
}
