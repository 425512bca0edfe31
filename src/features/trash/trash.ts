/**
 * Restores files from the trash, and deletes them for good: on request, when they are too old, and when the
 * trash is too large.
 */

import { batches } from '../../base/batches.ts'
import { REPLACED_FILE_DETAIL } from '../../contract/files/history-details.ts'
import { TRASH_MAX_AGE } from '../../contract/files/trash.ts'
import { MEGABYTE } from '../../contract/values/units.ts'
import type { Queries } from '../../database/database.ts'
import { readHighestRowNumber } from '../../database/highest-number.ts'
import { type Failure, failure } from '../../errors/errors.ts'
import type { Actor } from '../../http/access/actor.ts'
import type { Area } from '../../http/access/library-area.ts'
import type { ClockWatch } from '../../jobs/clock-watch.ts'
import type { FeatureParts } from '../feature.ts'
import { rowsAtPaths } from '../folders/files-below.ts'
import { recordHistory } from '../history/history.store.ts'
import type { Discards } from '../media/discards.ts'
import type { Relocations } from '../media/relocations.ts'
import { displaceFiles } from './replace-on-restore.ts'
import {
  entriesUpToNumber,
  findEntries,
  oldestEntries,
  removeEntries,
  restoreEntries,
  type TrashRow,
  trashTotal,
} from './trash.store.ts'

/** Number of entries per transaction: few enough that no other writer waits long. */
const ENTRIES_PER_TRANSACTION = 100

export interface RestoreOutcome {
  /** `nr` is the number in the trash, `mediaNr` the number in the library. */
  restoredFiles: { nr: number; path: string; size: number; mediaNr: number }[]
  refusedEntries: { nr: number; reason: Failure }[]
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
  /** Called for each restored file with its number in the library, to have its preview remade. */
  onRestored: (nr: number) => void
}

export function createTrash(parts: TrashParts) {
  const { database, clockWatch, relocations, settings, now, newId } = parts
  const removeInBatches = createRemoveInBatches(parts)
  /** Maximum bytes of the trash. */
  const maxBytes = () => Math.round(settings.current().PAPIERKORB_MAX_MB * MEGABYTE)

  return {
    maxBytes,

    /**
     * Restores entries to their paths. An unknown number or a taken path is refused without affecting the
     * other entries. With `replace`, the file at a taken path goes to the trash instead. Of several entries
     * with the same path, only the first can be restored, even with `replace`. Sends no webhook message.
     */
    async restore(
      entryNumbers: readonly number[],
      actor: Actor,
      {
        allowedArea,
        replace = false,
        action = newId(),
      }: { allowedArea: Area; replace?: boolean; action?: string },
    ) {
      const outcome: RestoreOutcome = { restoredFiles: [], refusedEntries: [] }
      const restoredPaths = new Set<string>()
      for (const batch of batches([...new Set(entryNumbers)], ENTRIES_PER_TRANSACTION)) {
        const { restoredFiles, refusedEntries } = await database.transaction(tx =>
          restoreBatch(tx, batch, { actor, action, allowedArea, replace, restoredPaths }, parts),
        )
        for (const { path } of restoredFiles) restoredPaths.add(path)
        outcome.restoredFiles.push(...restoredFiles)
        outcome.refusedEntries.push(...refusedEntries)
        for (const { mediaNr } of restoredFiles) parts.onRestored(mediaNr)
      }
      if (outcome.restoredFiles.length > 0) relocations.kick()
      return outcome
    },

    /**
     * Deletes the entries with these numbers for good, or without `entryNumbers` all that are in the trash
     * now. Numbers that are unknown or outside of `allowedArea` are ignored.
     */
    async empty(entryNumbers: readonly number[] | undefined, actor: Actor, allowedArea: Area) {
      const action = newId()
      if (entryNumbers === undefined) {
        // Files that are deleted meanwhile have a higher number than `lastNumber` and are kept.
        const lastNumber = await readHighestRowNumber(database.read, 'trash')
        return removeInBatches(
          tx => entriesUpToNumber(tx, lastNumber, allowedArea, ENTRIES_PER_TRANSACTION),
          {
            actor,
            action,
          },
        )
      }
      let removedAmount = NOTHING_REMOVED
      for (const batch of batches([...new Set(entryNumbers)], ENTRIES_PER_TRANSACTION))
        removedAmount = addAmounts(
          removedAmount,
          await removeInBatches(tx => findEntries(tx, batch, allowedArea), { actor, action }),
        )
      return removedAmount
    },

    /**
     * Deletes entries that are too old, unless the clock may be wrong. Then deletes the oldest entries until
     * the trash is within its maximum size.
     */
    async cleanUp() {
      const context = { actor: 'service', action: newId() } as const
      const removedByAge = (await clockWatch.mayRemoveByAge())
        ? await removeInBatches(
            tx => oldestEntries(tx, ENTRIES_PER_TRANSACTION, now() - TRASH_MAX_AGE),
            context,
          )
        : NOTHING_REMOVED
      return addAmounts(
        removedByAge,
        await removeInBatches(tx => entriesBeyondLimit(tx, maxBytes()), context),
      )
    },
  }
}

/** Who acts, and the id under which the history groups the entries of this action. */
interface ActionContext {
  actor: Actor
  action: string
}

interface RestoreContext extends ActionContext {
  allowedArea: Area
  replace: boolean
  /** The paths of the entries that earlier batches of the same call have restored. */
  restoredPaths: ReadonlySet<string>
}

async function restoreBatch(
  tx: Queries,
  entryNumbers: readonly number[],
  { actor, action, allowedArea, replace, restoredPaths }: RestoreContext,
  { now, isDerivable }: TrashParts,
): Promise<RestoreOutcome> {
  const entriesByNumber = new Map(
    (await findEntries(tx, entryNumbers, allowedArea)).map(entry => [entry.nr, entry]),
  )
  const paths = [...new Set([...entriesByNumber.values()].map(entry => entry.path))]
  const rowsByPath = new Map((await rowsAtPaths(tx, paths)).map(row => [row.path, row]))
  const entriesByPath = new Map<string, TrashRow>()
  const refusedEntries: RestoreOutcome['refusedEntries'] = []
  for (const nr of entryNumbers) {
    const entry = entriesByNumber.get(nr)
    if (!entry) refusedEntries.push({ nr, reason: failure.trashEntryAbsent(nr) })
    else if (
      entriesByPath.has(entry.path) ||
      restoredPaths.has(entry.path) ||
      (rowsByPath.has(entry.path) && !replace)
    )
      refusedEntries.push({ nr, reason: failure.pathTaken(entry.path) })
    else entriesByPath.set(entry.path, entry)
  }
  const restoredAt = now()
  const rowsToRestore = await displaceFiles(tx, [...entriesByPath.values()], rowsByPath, {
    actor,
    restoredAt,
  })
  const mediaNumbers = await restoreEntries(tx, rowsToRestore, mime =>
    isDerivable(mime) ? 'pending' : 'done',
  )
  const restoredFiles = rowsToRestore.map(({ nr, id, path, size }) => ({
    nr,
    path,
    size,
    mediaNr: mediaNumbers.get(id)!,
  }))
  const occurrence = 'wiederhergestellt' as const
  const historyEntries = restoredFiles.map(({ path, size }) => ({
    what: occurrence,
    path,
    bytes: size,
    ...(rowsByPath.has(path) && { details: REPLACED_FILE_DETAIL }),
  }))
  await recordHistory(tx, actor, restoredAt, historyEntries, action)
  return { restoredFiles, refusedEntries }
}

/** Returns a function that deletes entries for good, batch by batch, until `nextBatch` returns none. */
function createRemoveInBatches({ database, discards, now }: TrashParts) {
  return async (
    nextBatch: (tx: Queries) => Promise<TrashRow[]>,
    { actor, action }: ActionContext,
  ): Promise<RemovedAmount> => {
    let removedAmount = NOTHING_REMOVED
    for (;;) {
      const rows = await database.transaction(async tx => {
        const removedEntries = await nextBatch(tx)
        await removeEntries(tx, removedEntries, actor, { at: now(), action, dueAt: discards.dueAt() })
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

const addAmounts = (a: RemovedAmount, b: RemovedAmount): RemovedAmount => ({
  files: a.files + b.files,
  bytes: a.bytes + b.bytes,
})

/**
 * The oldest entries that together free enough space, at most one batch; empty if the trash is within its
 * limit.
 */
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
