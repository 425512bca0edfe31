/**
 * A process claims a file in its row before it works on the file, so that no other process does the same work
 * beside it. The claim of a process that died ends by itself.
 */
import { sql, type UpdateObject } from 'kysely'
import type { Log } from '../../base/log.ts'
import type { Database } from '../../database/database.ts'
import { hasPassed, passedIn } from '../../database/deadline.ts'
import type { Schema } from '../../database/schema.ts'
import type { MediaRow } from '../media/media.store.ts'

/**
 * Milliseconds that a file stays claimed after its process last renewed the claim, and between two renewals.
 */
const CLAIM = 20_000
const RENEWAL = 6_000
/** How far ahead a claim reaches at most. */
export const LONGEST_CLAIM = 2 * CLAIM

export const isClaimed = ({ derive_until }: Pick<MediaRow, 'derive_until'>, at: number) =>
  derive_until !== null && !hasPassed(derive_until, at, LONGEST_CLAIM)

export function createClaims({ database, now, log }: { database: Database; now: () => number; log: Log }) {
  /** True when the file is this process's from now on, and the try is counted: see `derive_attempts`. */
  async function claim(row: MediaRow): Promise<boolean> {
    const at = now()
    const { numUpdatedRows } = await database.transaction(tx =>
      tx
        .updateTable('media')
        .set({ derive_attempts: sql`derive_attempts + 1`, derive_until: at + CLAIM })
        .where('nr', '=', row.nr)
        .where('id', '=', row.id)
        .where('derived', '=', 'pending')
        .where(({ or, eb }) =>
          or([eb('derive_until', 'is', null), passedIn('derive_until', at, LONGEST_CLAIM)]),
        )
        .executeTakeFirst(),
    )
    return numUpdatedRows > 0n
  }

  async function change(row: MediaRow, changes: UpdateObject<Schema, 'media'>): Promise<void> {
    await database.transaction(tx =>
      tx.updateTable('media').set(changes).where('nr', '=', row.nr).where('id', '=', row.id).execute(),
    )
  }

  /** Renews the claim again and again, until the answered timer is cleared. */
  const renewal = (row: MediaRow) =>
    setInterval(() => {
      change(row, { derive_until: now() + CLAIM }).catch(error =>
        log.warn('the claim of a file could not be renewed', { path: row.path, cause: error }),
      )
    }, RENEWAL)

  /** Takes the claim back with the try that it counted: what happened is no failure of the file. */
  const unclaim = (row: MediaRow) =>
    change(row, { derive_attempts: sql`derive_attempts - 1`, derive_until: null })

  return { claim, change, renewal, unclaim }
}
