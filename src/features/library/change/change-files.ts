/** Renames, moves and deletes files by their paths. */

import { batches } from '../../../base/batches.ts'
import { LONG_TRANSACTION, pace } from '../../../base/pace.ts'
import { splitPath } from '../../../contract/paths/path-parts.ts'
import type { Queries } from '../../../database/database.ts'
import { type Failure, failure } from '../../../errors/errors.ts'
import type { Actor } from '../../../http/access/actor.ts'
import { checkValidPath } from '../../../http/path-check.ts'
import type { FeatureParts } from '../../feature.ts'
import { rowsAtPaths } from '../../folders/files-below.ts'
import { keyOf } from '../../folders/folder-keys.ts'
import { findByPath, type MediaRow } from '../../media/media.store.ts'
import type { Retrievals } from '../../retrievals/retrievals.ts'
import { moveToTrash } from '../../trash/move-to-trash.ts'
import { applyMoves, applyPossibleMoves, findConflicts, type Move, type MoveContext } from './moves.ts'

export interface Refusal {
  path: string
  reason: Failure
}

export interface MoveResult {
  appliedMoves: Move[]
  refusals: Refusal[]
}

export interface DeletionResult {
  removedPaths: string[]
  /** Trash numbers, in the order of the removed paths. */
  trashNumbers: number[]
  refusals: Refusal[]
}

export interface FileChangeParts extends Pick<FeatureParts, 'database' | 'now' | 'newId'> {
  /** Writes retrieval counts from memory to the rows, before an answer shows them. */
  retrievals: Pick<Retrievals, 'flush' | 'writeDown'>
  /** Called after files were moved or deleted, so that their objects are moved too. */
  onChanged: () => void
}

export function createFileChanges({
  database,
  now,
  newId,
  retrievals: retrievalCounter,
  onChanged,
}: FileChangeParts) {
  const { moveRows, moveRowsToTrash: removeRows } = createRowChanges({ database })
  const { rowsPerStatement } = database.queryTraits
  return {
    /** `name` is the new file name; the folder stays the same. */
    async rename(path: string, name: string, actor: Actor) {
      const { folder } = splitPath(path)
      const to = keyOf(folder) + name
      checkValidPath(to)
      const currentFile = await findByPath(database.read, path)
      if (currentFile) await retrievalCounter.writeDown([currentFile.nr])
      const retrievals = await database.transaction(async tx => {
        const file = await findByPath(tx, path)
        if (!file) throw failure.fileAbsent()
        if (to === path) return file.retrievals
        const moves = [{ file, to }]
        for (const { reason } of await findConflicts(tx, moves)) throw reason
        const occurrenceOf = () => 'umbenannt' as const
        await applyMoves(tx, moves, {
          actor,
          movedAt: now(),
          actionId: newId(),
          occurrenceOf,
          rowsPerStatement,
        })
        return file.retrievals
      })
      onChanged()
      return { to, retrievals }
    },

    /** Each file is moved or refused separately. All files that can be moved are moved in one transaction. */
    async move(paths: readonly string[], folder: string, actor: Actor) {
      const actionId = newId()
      const outcome = await database.transaction(async tx => {
        const { existingFiles, refusals } = await splitByExistence(tx, paths)
        const { appliedMoves, refusals: moveRefusals } = await moveRows(tx, existingFiles, folder, {
          actor,
          movedAt: now(),
          actionId,
        })
        return { appliedMoves, refusals: [...refusals, ...moveRefusals], action: actionId }
      }, LONG_TRANSACTION)
      onChanged()
      return outcome
    },

    async remove(paths: readonly string[], actor: Actor) {
      const actionId = newId()
      const outcome = await database.transaction(async tx => {
        const { existingFiles, refusals } = await splitByExistence(tx, paths)
        return {
          ...(await removeRows(tx, existingFiles, { actor, movedAt: now(), actionId })),
          refusals,
        }
      }, LONG_TRANSACTION)
      onChanged()
      return outcome
    },
  }
}

type ActionContext = Pick<MoveContext, 'actor' | 'movedAt' | 'actionId'>

/**
 * Creates functions that move the given rows to a folder or to the trash, in the transaction of the caller.
 */
export function createRowChanges({ database }: Pick<FileChangeParts, 'database'>) {
  const { rowsPerStatement } = database.queryTraits
  return {
    async moveRows(tx: Queries, rows: readonly MediaRow[], folder: string, context: ActionContext) {
      const { moves, refusals } = planMoves(rows, folder)
      const outcome = await applyPossibleMoves(tx, moves, {
        ...context,
        occurrenceOf: () => 'verschoben',
        rowsPerStatement,
      })
      return { appliedMoves: outcome.appliedMoves, refusals: [...refusals, ...outcome.refusals] }
    },

    async moveRowsToTrash(
      tx: Queries,
      rows: readonly MediaRow[],
      { actor, movedAt: deletedAt, actionId }: ActionContext,
    ): Promise<DeletionResult> {
      const trashNumbers: number[] = []
      for (const batch of batches(rows, rowsPerStatement)) {
        trashNumbers.push(...(await moveToTrash(tx, batch, actor, { at: deletedAt, action: actionId })))
        await pace()
      }
      return { removedPaths: rows.map(row => row.path), trashNumbers, refusals: [] }
    },
  }
}

/** Splits paths into existing files and refusals, in the order of `paths`. Each path counts once. */
async function splitByExistence(
  tx: Queries,
  paths: readonly string[],
): Promise<{ existingFiles: MediaRow[]; refusals: Refusal[] }> {
  const uniquePaths = [...new Set(paths)]
  const rowsByPath = new Map((await rowsAtPaths(tx, uniquePaths)).map(row => [row.path, row]))
  return {
    existingFiles: uniquePaths.flatMap(path => rowsByPath.get(path) ?? []),
    refusals: uniquePaths
      .filter(path => !rowsByPath.has(path))
      .map(path => ({ path, reason: failure.fileAbsent() })),
  }
}

/** Of several files with the same name only the first can move, since all would get the same path. */
function planMoves(rows: readonly MediaRow[], folder: string) {
  const movesByTarget = new Map<string, Move<MediaRow>>()
  const refusals: Refusal[] = []
  for (const file of rows) {
    const { folder: from, stem, extension } = splitPath(file.path)
    const to = keyOf(folder) + stem + extension
    if (from === folder) refusals.push({ path: file.path, reason: failure.alreadyThere() })
    else if (movesByTarget.has(to)) refusals.push({ path: file.path, reason: failure.pathShared(to) })
    else movesByTarget.set(to, { file, to })
  }
  return { moves: [...movesByTarget.values()], refusals }
}
