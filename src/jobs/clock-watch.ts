/**
 * Decides whether the clock is reliable enough for deleting by age: a single start with a clock that is weeks
 * ahead would otherwise empty the trash for good. The database keeps the time of the last check; before the
 * first check, the time of the newest history entry is used instead. If the clock differs from that time by
 * more than a day, it counts as having jumped, and nothing is deleted by age for an hour. After that hour,
 * deletion resumes once a file has been changed since the jump, or a day after the jump. A machine that was
 * off for more than a day is treated in the same way, because that cannot be distinguished from a wrong
 * clock.
 */

import type { Log } from '../base/log.ts'
import { DAY, HOUR } from '../contract/values/units.ts'
import type { Database, Queries } from '../database/database.ts'

/** Milliseconds by which the clock may differ from the time of the last check. More counts as a jump. */
const MAX_DRIFT = DAY
/** Milliseconds after a jump during which nothing is deleted by age, so that the clock can be corrected. */
const SETTLING_TIME = HOUR
/** Milliseconds without a further jump after which the clock is trusted although no file was changed. */
const CONFIRMATION_TIME = DAY

export type ClockWatch = ReturnType<typeof createClockWatch>

interface ClockWatchParts {
  database: Database
  now: () => number
  log: Log
}

export function createClockWatch({ database, now, log }: ClockWatchParts) {
  const hasJumped = (seenAt: number) => Math.abs(now() - seenAt) > MAX_DRIFT

  return {
    /** Whether deleting by age is allowed now. Also records the time of this check. */
    async mayRemoveByAge() {
      const { timeBeforeJump, isDoubted } = await database.transaction(async tx => {
        const clock = await findClock(tx)
        const seenAt = clock?.seen_at ?? (await newestEntryTime(tx)) ?? now()
        const timeBeforeJump = hasJumped(seenAt) ? seenAt : null
        const doubtedSince = timeBeforeJump === null ? (clock?.doubted_since ?? null) : now()
        const isDoubted = doubtedSince !== null && !(await isConfirmed(tx, doubtedSince, now()))
        await saveClock(tx, { seen_at: now(), doubted_since: isDoubted ? doubtedSince : null })
        return { timeBeforeJump, isDoubted }
      })
      if (timeBeforeJump !== null)
        log.warn('the clock has jumped; nothing is removed by age for now', {
          from: new Date(timeBeforeJump).toISOString(),
          to: new Date(now()).toISOString(),
        })
      return !isDoubted
    },

    /** Whether the clock was in doubt at the last check, or has jumped since. Records nothing. */
    async isDoubted() {
      const clock = await findClock(database.read)
      return clock !== undefined && (clock.doubted_since !== null || hasJumped(clock.seen_at))
    },
  }
}

interface ClockRow {
  seen_at: number
  doubted_since: number | null
}

const findClock = (db: Queries): Promise<ClockRow | undefined> =>
  db.selectFrom('clock').select(['seen_at', 'doubted_since']).executeTakeFirst()

async function saveClock(tx: Queries, row: ClockRow): Promise<void> {
  const { numUpdatedRows } = await tx.updateTable('clock').set(row).executeTakeFirst()
  if (numUpdatedRows === 0n) await tx.insertInto('clock').values(row).execute()
}

/**
 * The time of the newest history entry; null if there is none. The newest entry is the one with the highest
 * number, because the recorded times may be wrong.
 */
async function newestEntryTime(db: Queries): Promise<number | null> {
  const row = await db.selectFrom('history').select('at').orderBy('nr', 'desc').limit(1).executeTakeFirst()
  return row?.at ?? null
}

async function isConfirmed(db: Queries, doubtedSince: number, currentTime: number): Promise<boolean> {
  const elapsed = currentTime - doubtedSince
  if (elapsed < SETTLING_TIME) return false
  if (elapsed >= CONFIRMATION_TIME) return true
  const newestAt = await newestEntryTime(db)
  return newestAt !== null && newestAt >= doubtedSince && newestAt <= currentTime
}
