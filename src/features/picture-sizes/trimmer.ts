/**
 * Keeps the total size of the pictures in configured sizes within `BILDGROESSEN_MAX_MB`. The pictures that
 * nobody has requested for the longest time are removed first.
 */
import { MEGABYTE, MINUTE } from '../../contract/values/units.ts'
import type { Queries } from '../../database/database.ts'
import type { FeatureParts } from '../feature.ts'
import type { Discards } from '../media/discards.ts'
import { createKickedRuns } from '../media/kicked-runs.ts'
import {
  deleteSizeRows,
  listLeastRecentlyRequested,
  type SizeRow,
  setRequestTime,
  totalPictureBytes,
} from './sizes.store.ts'

/**
 * Minimum milliseconds between two recorded requests for the same picture. Requests in between are not
 * recorded, so that not every request needs a write.
 */
const REQUEST_RECORD_INTERVAL = MINUTE
/**
 * Milliseconds from making a picture to checking the limit. Often many pictures are made in a burst, and one
 * check is enough.
 */
const TRIM_DELAY = 500
const PICTURES_PER_TRANSACTION = 200
/**
 * Maximum number of pictures whose requests are noted in memory until the next write. Requests for other
 * pictures are then not recorded, so those pictures may be removed earlier.
 */
const MAX_NOTED_PICTURES = 10_000

export interface TrimmerParts extends Pick<FeatureParts, 'database' | 'settings' | 'log' | 'now'> {
  discards: Discards
}

export function createTrimmer({ database, settings, discards, log, now }: TrimmerParts) {
  const requestedRowNumbers = new Set<number>()

  async function writeRequestTimes(): Promise<void> {
    const rowNumbers = [...requestedRowNumbers]
    requestedRowNumbers.clear()
    for (let start = 0; start < rowNumbers.length; start += PICTURES_PER_TRANSACTION)
      await database.transaction(tx =>
        setRequestTime(tx, rowNumbers.slice(start, start + PICTURES_PER_TRANSACTION), now()),
      )
  }

  async function trim(): Promise<number> {
    await writeRequestTimes()
    const limit = settings.current().BILDGROESSEN_MAX_MB * MEGABYTE
    if ((await totalPictureBytes(database.slowRead)) <= limit) return 0
    let totalRemoved = 0
    for (;;) {
      const removedCount = await database.transaction(removeBatch(limit))
      if (removedCount === 0) break
      totalRemoved += removedCount
    }
    if (totalRemoved > 0) discards.kick()
    return totalRemoved
  }

  /**
   * Returns a callback for a transaction. The callback removes at most one batch of pictures, and no more
   * than necessary to reach the limit; it resolves with the number of removed pictures. The total size is
   * read in the same transaction, because another process may remove pictures too.
   */
  const removeBatch = (limit: number) => async (tx: Queries) => {
    let totalBytes = await totalPictureBytes(tx)
    const removedNumbers: number[] = []
    for (const { nr, size } of totalBytes > limit
      ? await listLeastRecentlyRequested(tx, PICTURES_PER_TRANSACTION)
      : []) {
      if (totalBytes <= limit) break
      removedNumbers.push(nr)
      totalBytes -= Number(size)
    }
    if (removedNumbers.length > 0) await deleteSizeRows(tx, removedNumbers, discards.dueAt())
    return removedNumbers.length
  }

  const trimRuns = createKickedRuns({
    task: trim,
    log,
    delay: TRIM_DELAY,
    failureText: 'the sizes of pictures could not be kept below their limit',
  })
  return {
    ...trimRuns,
    writeRequestTimes,
    /**
     * Notes that a picture was requested, unless the time in its row is recent or too many pictures are
     * noted.
     */
    recordRequest({ nr, asked_at }: SizeRow) {
      if (
        Math.abs(now() - asked_at) > REQUEST_RECORD_INTERVAL &&
        requestedRowNumbers.size < MAX_NOTED_PICTURES
      )
        requestedRowNumbers.add(nr)
    },
  }
}
