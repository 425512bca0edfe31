/**
 * The daily job of the statistics: records how much is stored, and removes old daily retrieval counts of
 * files. Days begin at midnight in the time zone of the service.
 */

import { lastDays, localDay } from '../../base/local-time.ts'
import { STATISTICS_DAYS } from '../../contract/values/input-limits.ts'
import type { Database } from '../../database/database.ts'
import { WHOLE_LIBRARY } from '../../http/access/library-area.ts'
import type { ClockWatch } from '../../jobs/clock-watch.ts'
import { readAreaTotals } from '../folders/folders.store.ts'
import { removeFileDaysBefore } from '../retrievals/file-days.store.ts'
import { recordUsage } from './statistics.store.ts'

/** Number of rows removed per transaction: few enough that other requests do not wait long. */
const ROWS_PER_TRANSACTION = 500

interface StatisticsJobParts {
  database: Database
  now: () => number
  clockWatch: Pick<ClockWatch, 'mayRemoveByAge'>
}

export function createStatisticsJob({ database, now, clockWatch }: StatisticsJobParts) {
  /** The last day on which this process has completed the job. */
  let lastRecordedDay = ''
  return async (signal: AbortSignal): Promise<void> => {
    const today = localDay(now())
    if (today === lastRecordedDay) return
    await database.transaction(async tx => recordUsage(tx, today, await readAreaTotals(tx, WHOLE_LIBRARY)))
    const [firstKeptDay] = lastDays(now(), STATISTICS_DAYS)
    let removedCount = ROWS_PER_TRANSACTION
    const mayRemove = await clockWatch.mayRemoveByAge()
    while (mayRemove && removedCount === ROWS_PER_TRANSACTION && !signal.aborted)
      removedCount = await database.transaction(tx =>
        removeFileDaysBefore(tx, firstKeptDay!, ROWS_PER_TRANSACTION),
      )
    if (mayRemove && !signal.aborted) lastRecordedDay = today
  }
}
