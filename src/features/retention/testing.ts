/** For tests: an instance with a trash, retention rules, and files of any age. */
import { newId } from '../../base/ids.ts'
import { DAY } from '../../contract/values/units.ts'
import { createClockWatch } from '../../jobs/clock-watch.ts'
import { STEADY_CLOCK } from '../../testing/instance.ts'
import { createUndoAction } from '../library/change/undo-action.ts'
import { openTrashInstance } from '../trash/testing.ts'
import { createRetention } from './retention.ts'
import type { Rule } from './rules.ts'

/** `clock: 'watched'` uses the real clock watch; otherwise the clock is never in doubt. */
export async function openRetentionInstance({
  clock: clockKind = 'steady',
}: {
  clock?: 'steady' | 'watched'
} = {}) {
  const instance = await openTrashInstance()
  const { database, coordination, log, now, clock } = instance
  clock.now = Date.UTC(2026, 5, 15, 12)
  const flushed = { calls: 0 }
  const parts = {
    database,
    coordination,
    log,
    now,
    newId,
    clockWatch: clockKind === 'steady' ? STEADY_CLOCK : createClockWatch({ database, now, log }),
    retrievals: { flush: async () => void flushed.calls++ },
    relocations: { kick: () => {} },
    trashMaxBytes: () => instance.trash.maxBytes(),
  }
  const retention = createRetention(parts)
  const takeBack = createUndoAction({
    ...parts,
    retrievals: { ...parts.retrievals, writeDown: async () => {} },
    onChanged: () => {},
    restore: instance.trash.restore,
  })
  const actor = { account: 'anna' } as const

  return {
    ...instance,
    retention,
    takeBack,
    flushed,
    by: actor,
    save: (...rules: Rule[]) => retention.save(rules, actor),
    /**
     * Stores a file and makes it this many days old. `daysSinceRetrieval`: number of days since its last
     * retrieval.
     */
    async storeAged(path: string, days: number, daysSinceRetrieval?: number): Promise<void> {
      await instance.store(path, path)
      const ago = (count: number) => clock.now - count * DAY
      const times = { created_at: ago(days), updated_at: ago(days) }
      const retrieval =
        daysSinceRetrieval === undefined ? {} : { retrieved_at: ago(daysSinceRetrieval), retrievals: 1 }
      await database.transaction(tx =>
        tx
          .updateTable('media')
          .set({ ...times, ...retrieval })
          .where('path', '=', path)
          .execute(),
      )
    },
    paths: async () =>
      (await database.read.selectFrom('media').select('path').orderBy('path').execute()).map(
        ({ path }) => path,
      ),
    /** The paths of the files that the rules have moved to the trash. */
    async movedPaths(): Promise<string[]> {
      const moved = database.read.selectFrom('trash').select('path').where('removal_reason', '=', 'frist')
      return (await moved.orderBy('path').execute()).map(({ path }) => path)
    },
    async clear() {
      await database.transaction(async tx => {
        const tables = ['media', 'trash', 'relocation', 'discard', 'history', 'retention_rule'] as const
        for (const table of tables) await tx.deleteFrom(table).execute()
      })
    },
  }
}

export const ruleFromUpload = (folder: string, days: number | null): Rule => ({
  folder,
  days,
  start: 'hochgeladen',
})
export const ruleFromRetrieval = (folder: string, days: number): Rule => ({
  folder,
  days,
  start: 'abgerufen',
})
