/**
 * The daily job of the statistics: records how much is stored, and removes old daily counts of retrievals per
 * file.
 */

import { lastDays, localDay } from '../../base/local-time.ts'
import { STATISTICS_DAYS } from '../../contract/files/statistics.ts'
import type { Database } from '../../database/database.ts'
import { EVERYTHING } from '../../http/access/area.ts'
import type { ClockWatch } from '../../jobs/clock-watch.ts'
import { filesAndBytes } from '../folders/folders.store.ts'
import { removeFileDaysBefore } from '../retrievals/file-days.store.ts'
import { noteUsage } from './statistics.store.ts'

/** Number of rows per transaction, so that no other request waits long. */
const PORTION = 500

interface KeepDaysParts {
  database: Database
  now: () => number
  clockWatch: Pick<ClockWatch, 'mayRemoveByAge'>
}

export function createKeepDays({ database, now, clockWatch }: KeepDaysParts) {
  /** The last day that this process has recorded. */
  let done = ''
  return async (signal: AbortSignal): Promise<void> => {
    const today = localDay(now())
    if (today === done) return
    await database.transaction(async tx => noteUsage(tx, today, await filesAndBytes(tx, EVERYTHING)))
    const [oldest] = lastDays(now(), STATISTICS_DAYS)
    let removed = PORTION
    const mayRemove = await clockWatch.mayRemoveByAge()
    while (mayRemove && removed === PORTION && !signal.aborted)
      removed = await database.transaction(tx => removeFileDaysBefore(tx, oldest!, PORTION))
    if (mayRemove && !signal.aborted) done = today
  }
}
