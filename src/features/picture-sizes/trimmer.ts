/**
 * Keeps the total size of the pictures in configured sizes within `BILDGROESSEN_MAX_MB`. The pictures that
 * nobody has requested for the longest time are removed first.
 */
import { MEGABYTE, MINUTE } from '../../contract/values/units.ts'
import type { Queries } from '../../database/database.ts'
import type { FeatureParts } from '../feature.ts'
import type { Discards } from '../media/discards.ts'
import { createKickedRuns } from '../media/kicked-runs.ts'
import { bytesOfSizes, dropSizes, longestUnasked, markAsked, type SizeRow } from './sizes.store.ts'

/**
 * Milliseconds by which the recorded time of the last request may be late, so that many requests need only
 * one write.
 */
const ASKED_STEP = MINUTE
/** Milliseconds from making a picture to the check of the limit, because many are made at once. */
const TRIM_DELAY = 500
const BATCH = 200
/**
 * Maximum number of requested pictures that are noted in memory. Beyond that, requests are not recorded, so
 * that their pictures may be removed earlier.
 */
const NOTED_MAX = 10_000

export interface TrimmerParts extends Pick<FeatureParts, 'database' | 'settings' | 'log' | 'now'> {
  discards: Discards
}

export function createTrimmer({ database, settings, discards, log, now }: TrimmerParts) {
  const asked = new Set<number>()

  async function writeDown(): Promise<void> {
    const numbers = [...asked]
    asked.clear()
    for (let at = 0; at < numbers.length; at += BATCH)
      await database.transaction(tx => markAsked(tx, numbers.slice(at, at + BATCH), now()))
  }

  async function work(): Promise<number> {
    await writeDown()
    const limit = settings.current().BILDGROESSEN_MAX_MB * MEGABYTE
    if ((await bytesOfSizes(database.browse)) <= limit) return 0
    let removed = 0
    for (;;) {
      const count = await database.transaction(drop(limit))
      if (count === 0) break
      removed += count
    }
    if (removed > 0) discards.kick()
    return removed
  }

  /**
   * Removes pictures until the rest is within the limit. The bytes are counted in the transaction, because
   * another process may remove pictures too.
   */
  const drop = (limit: number) => async (tx: Queries) => {
    let bytes = await bytesOfSizes(tx)
    const going: number[] = []
    for (const { nr, size } of bytes > limit ? await longestUnasked(tx, BATCH) : []) {
      if (bytes <= limit) break
      going.push(nr)
      bytes -= Number(size)
    }
    if (going.length > 0) await dropSizes(tx, going, discards.dueAt())
    return going.length
  }

  const runs = createKickedRuns({
    ...{ work, log, delay: TRIM_DELAY },
    failed: 'the sizes of pictures could not be kept below their limit',
  })
  return {
    ...runs,
    writeDown,
    /** Called when a picture was requested. */
    note({ nr, asked_at }: SizeRow) {
      if (Math.abs(now() - asked_at) > ASKED_STEP && asked.size < NOTED_MAX) asked.add(nr)
    },
  }
}
