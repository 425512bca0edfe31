/**
 * Restores files from the trash, and deletes them for good: on request, by age, and if the trash is too
 * large.
 */

import { batches } from '../../base/batches.ts'
import { TRASH_MAX_AGE } from '../../contract/files/trash.ts'
import { REPLACED_FILE_DETAIL } from '../../contract/values/limits.ts'
import { MEGABYTE } from '../../contract/values/units.ts'
import type { Queries } from '../../database/database.ts'
import { highestNumber } from '../../database/highest-number.ts'
import { type Failure, failure } from '../../errors/errors.ts'
import type { Actor } from '../../http/access/actor.ts'
import type { Area } from '../../http/access/area.ts'
import type { ClockWatch } from '../../jobs/clock-watch.ts'
import type { FeatureParts } from '../feature.ts'
import { rowsAt } from '../folders/files-below.ts'
import { recordHistory } from '../history/history.store.ts'
import type { Discards } from '../media/discards.ts'
import type { Relocations } from '../media/relocations.ts'
import { displaceFiles } from './displace.ts'
import {
  entriesUpTo,
  findEntries,
  oldestEntries,
  putBack,
  removeEntries,
  type TrashRow,
  trashTotal,
} from './trash.store.ts'

/** Number of entries per transaction: few enough that no other writer waits long. */
const ENTRIES_PER_TRANSACTION = 100

export interface RestoreOutcome {
  /** `nr` is the number in the trash, `mediaNr` the number in the library. */
  restored: { nr: number; path: string; size: number; mediaNr: number }[]
  refused: { nr: number; why: Failure }[]
}

export interface RemovedAmount {
  files: number
  bytes: number
}

export type Trash = ReturnType<typeof createTrash>

export interface TrashParts extends Pick<FeatureParts, 'database' | 'now' | 'newId' | 'settings'> {
  clockWatch: Pick<ClockWatch, 'mayRemoveByAge'>
  discards: Discards
  relocations: Pick<Relocations, 'kick'>
  isDerivable: (mime: string) => boolean
  /** Called for each restored file, to have its preview remade. */
  onRestored: (nr: number) => void
}

export function createTrash(parts: TrashParts) {
  const { database, clockWatch, relocations, settings, now, newId } = parts
  const removeAll = createRemoval(parts)
  /** Maximum bytes of the trash. */
  const maxBytes = () => Math.round(settings.current().PAPIERKORB_MAX_MB * MEGABYTE)

  return {
    maxBytes,

    /**
     * Restores entries to their paths. An unknown number or a taken path is refused without affecting the
     * other entries. With `replace`, the file at a taken path goes to the trash instead. Of several entries
     * with the same path, only one is restored. Sends no webhook message.
     */
    async restore(
      numbers: readonly number[],
      by: Actor,
      { reach, replace = false, action = newId() }: { reach: Area; replace?: boolean; action?: string },
    ) {
      const outcome: RestoreOutcome = { restored: [], refused: [] }
      for (const batch of batches([...new Set(numbers)], ENTRIES_PER_TRANSACTION)) {
        const { restored, refused } = await database.transaction(tx =>
          restoreBatch(tx, batch, { by, action, reach, replace }, parts),
        )
        outcome.restored.push(...restored)
        outcome.refused.push(...refused)
        for (const { mediaNr } of restored) parts.onRestored(mediaNr)
      }
      if (outcome.restored.length > 0) relocations.kick()
      return outcome
    },

    /**
     * Deletes these entries for good, or without `numbers` all that are in the trash now. Unknown numbers are
     * ignored.
     */
    async empty(numbers: readonly number[] | undefined, by: Actor, reach: Area) {
      const action = newId()
      if (numbers === undefined) {
        // Files that are deleted meanwhile have a higher number than `lastNumber` and are kept.
        const lastNumber = await highestNumber(database.read, 'trash')
        return removeAll(tx => entriesUpTo(tx, lastNumber, reach, ENTRIES_PER_TRANSACTION), { by, action })
      }
      let removedAmount = NOTHING_REMOVED
      for (const batch of batches([...new Set(numbers)], ENTRIES_PER_TRANSACTION))
        removedAmount = addAmounts(
          removedAmount,
          await removeAll(tx => findEntries(tx, batch, reach), { by, action }),
        )
      return removedAmount
    },

    /**
     * Deletes entries that are too old, unless the clock is in doubt. Then deletes the oldest entries beyond
     * the maximum size.
     */
    async cleanUp() {
      const context = { by: 'service', action: newId() } as const
      const removedByAge = (await clockWatch.mayRemoveByAge())
        ? await removeAll(tx => oldestEntries(tx, ENTRIES_PER_TRANSACTION, now() - TRASH_MAX_AGE), context)
        : NOTHING_REMOVED
      return addAmounts(removedByAge, await removeAll(tx => entriesBeyondLimit(tx, maxBytes()), context))
    },
  }
}

/** The actor, and the id of the action for the history. */
interface ActionContext {
  by: Actor
  action: string
}

async function restoreBatch(
  tx: Queries,
  numbers: readonly number[],
  { by, action, reach, replace }: ActionContext & { reach: Area; replace: boolean },
  { now, isDerivable }: TrashParts,
): Promise<RestoreOutcome> {
  const entries = new Map((await findEntries(tx, numbers, reach)).map(entry => [entry.nr, entry]))
  const paths = [...new Set([...entries.values()].map(entry => entry.path))]
  const rowsByPath = new Map((await rowsAt(tx, paths)).map(row => [row.path, row]))
  const entriesByPath = new Map<string, TrashRow>()
  const refused: RestoreOutcome['refused'] = []
  for (const nr of numbers) {
    const entry = entries.get(nr)
    if (!entry) refused.push({ nr, why: failure.trashEntryAbsent(nr) })
    else if (entriesByPath.has(entry.path) || (rowsByPath.has(entry.path) && !replace))
      refused.push({ nr, why: failure.pathTaken(entry.path) })
    else entriesByPath.set(entry.path, entry)
  }
  const at = now()
  const rowsToRestore = await displaceFiles(tx, [...entriesByPath.values()], rowsByPath, { by, at })
  const mediaNumbers = await putBack(tx, rowsToRestore, mime => (isDerivable(mime) ? 'pending' : 'done'))
  const restored = rowsToRestore.map(({ nr, id, path, size }) => ({
    nr,
    path,
    size,
    mediaNr: mediaNumbers.get(id)!,
  }))
  const what = 'wiederhergestellt' as const
  const historyEntries = restored.map(({ path, size }) => ({
    ...{ what, path, bytes: size },
    ...(rowsByPath.has(path) && { details: REPLACED_FILE_DETAIL }),
  }))
  await recordHistory(tx, by, at, historyEntries, action)
  return { restored, refused }
}

/** Returns a function that removes the entries that `nextBatch` returns, until it returns none. */
function createRemoval({ database, discards, now }: TrashParts) {
  return async (
    nextBatch: (tx: Queries) => Promise<TrashRow[]>,
    { by, action }: ActionContext,
  ): Promise<RemovedAmount> => {
    let removedAmount = NOTHING_REMOVED
    for (;;) {
      const rows = await database.transaction(async tx => {
        const removedEntries = await nextBatch(tx)
        await removeEntries(tx, removedEntries, by, { at: now(), action, dueAt: discards.dueAt() })
        return removedEntries
      })
      if (rows.length === 0) break
      for (const { size } of rows) removedAmount = addAmounts(removedAmount, { files: 1, bytes: size })
    }
    if (removedAmount.files > 0) discards.kick()
    return removedAmount
  }
}

const NOTHING_REMOVED: RemovedAmount = { files: 0, bytes: 0 }

const addAmounts = (one: RemovedAmount, other: RemovedAmount): RemovedAmount => ({
  files: one.files + other.files,
  bytes: one.bytes + other.bytes,
})

/** The oldest entries that together free enough space, at most one batch; empty if the trash fits. */
async function entriesBeyondLimit(tx: Queries, maxBytes: number): Promise<TrashRow[]> {
  let excessBytes = (await trashTotal(tx)).bytes - maxBytes
  if (excessBytes <= 0) return []
  const rows = await oldestEntries(tx, ENTRIES_PER_TRANSACTION)
  const lastIndex = rows.findIndex(({ size }) => {
    excessBytes -= size
    return excessBytes <= 0
  })
  return lastIndex < 0 ? rows : rows.slice(0, lastIndex + 1)
}
