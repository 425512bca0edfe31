/** Renames, moves and deletes files by their paths. */

import { batches } from '../../../base/batches.ts'
import { LONG_TRANSACTION, pace } from '../../../base/pace.ts'
import { splitPath } from '../../../contract/paths/paths.ts'
import type { Queries } from '../../../database/database.ts'
import { type Failure, failure } from '../../../errors/errors.ts'
import type { Actor } from '../../../http/access/actor.ts'
import { checkValidPath } from '../../../http/path-check.ts'
import type { FeatureParts } from '../../feature.ts'
import { rowsAt } from '../../folders/files-below.ts'
import { keyOf } from '../../folders/folder-keys.ts'
import { findByPath, type MediaRow } from '../../media/media.store.ts'
import type { Retrievals } from '../../retrievals/retrievals.ts'
import { moveToTrash } from '../../trash/trash.store.ts'
import { applyMoves, applyPossibleMoves, findConflicts, type Move, type MoveInfo } from '../change/moves.ts'

export interface Refusal {
  path: string
  why: Failure
}

export interface MoveResult {
  moved: Move[]
  refused: Refusal[]
}

export interface Deletion {
  removedPaths: string[]
  /** Trash numbers, in the order of the removed paths. */
  numbers: number[]
  refused: Refusal[]
}

export interface FilesParts extends Pick<FeatureParts, 'database' | 'now' | 'newId'> {
  /** Writes retrieval counts from memory to the rows, before an answer shows them. */
  retrievals: Pick<Retrievals, 'flush' | 'writeDown'>
  /** Called after files were moved or deleted, so that their objects are moved too. */
  onChanged: () => void
}

export function createFiles({ database, now, newId, retrievals: counter, onChanged }: FilesParts) {
  const { moveRows, removeRows } = createFileSteps({ database })
  const { rowsPerStatement: rowsAtOnce } = database.queryTraits
  return {
    /** `name` is the new file name; the folder stays the same. */
    async rename(path: string, name: string, actor: Actor) {
      const { folder } = splitPath(path)
      const to = keyOf(folder) + name
      checkValidPath(to)
      const currentFile = await findByPath(database.read, path)
      if (currentFile) await counter.writeDown([currentFile.nr])
      const retrievals = await database.transaction(async tx => {
        const file = await findByPath(tx, path)
        if (!file) throw failure.fileAbsent()
        if (to === path) return file.retrievals
        const moves = [{ file, to }]
        for (const { why: reason } of await findConflicts(tx, moves)) throw reason
        const occurrenceOf = () => 'umbenannt' as const
        await applyMoves(tx, moves, { by: actor, at: now(), action: newId(), occurrenceOf, rowsAtOnce })
        return file.retrievals
      })
      onChanged()
      return { to, retrievals }
    },

    /** Each file is moved or refused separately. All files that can be moved are moved in one transaction. */
    async move(paths: readonly string[], folder: string, actor: Actor) {
      const actionId = newId()
      const outcome = await database.transaction(async tx => {
        const { existingFiles, refused: refusals } = await splitByExistence(tx, paths)
        const { moved, refused: moveRefusals } = await moveRows(tx, existingFiles, folder, {
          by: actor,
          at: now(),
          action: actionId,
        })
        return { moved, refused: [...refusals, ...moveRefusals], action: actionId }
      }, LONG_TRANSACTION)
      onChanged()
      return outcome
    },

    async remove(paths: readonly string[], actor: Actor) {
      const actionId = newId()
      const outcome = await database.transaction(async tx => {
        const { existingFiles, refused: refusals } = await splitByExistence(tx, paths)
        return {
          ...(await removeRows(tx, existingFiles, { by: actor, at: now(), action: actionId })),
          refused: refusals,
        }
      }, LONG_TRANSACTION)
      onChanged()
      return outcome
    },
  }
}

type ActionContext = Pick<MoveInfo, 'by' | 'at' | 'action'>

/** Creates functions that move or remove the given rows in the transaction of the caller. */
export function createFileSteps({ database }: Pick<FilesParts, 'database'>) {
  const { rowsPerStatement: rowsAtOnce } = database.queryTraits
  return {
    async moveRows(tx: Queries, rows: readonly MediaRow[], folder: string, context: ActionContext) {
      const { moves, refused } = planMoves(rows, folder)
      const outcome = await applyPossibleMoves(tx, moves, {
        ...context,
        occurrenceOf: () => 'verschoben',
        rowsAtOnce,
      })
      return { moved: outcome.moved, refused: [...refused, ...outcome.refused] }
    },

    async removeRows(
      tx: Queries,
      rows: readonly MediaRow[],
      { by: actor, at: deletedAt, action: actionId }: ActionContext,
    ): Promise<Deletion> {
      const trashNumbers: number[] = []
      for (const batch of batches(rows, rowsAtOnce)) {
        trashNumbers.push(...(await moveToTrash(tx, batch, actor, { at: deletedAt, action: actionId })))
        await pace()
      }
      return { removedPaths: rows.map(row => row.path), numbers: trashNumbers, refused: [] }
    },
  }
}

/** Splits paths into existing files and refusals, in the order of `paths`. Each path counts once. */
async function splitByExistence(
  tx: Queries,
  paths: readonly string[],
): Promise<{ existingFiles: MediaRow[]; refused: Refusal[] }> {
  const uniquePaths = [...new Set(paths)]
  const rowsByPath = new Map((await rowsAt(tx, uniquePaths)).map(row => [row.path, row]))
  return {
    existingFiles: uniquePaths.flatMap(path => rowsByPath.get(path) ?? []),
    refused: uniquePaths
      .filter(path => !rowsByPath.has(path))
      .map(path => ({ path, why: failure.fileAbsent() })),
  }
}

/** Of several files with the same name only the first can move, since all would get the same path. */
function planMoves(rows: readonly MediaRow[], folder: string) {
  const movesByTarget = new Map<string, Move<MediaRow>>()
  const refusals: Refusal[] = []
  for (const file of rows) {
    const { folder: from, stem, extension } = splitPath(file.path)
    const to = keyOf(folder) + stem + extension
    if (from === folder) refusals.push({ path: file.path, why: failure.alreadyThere() })
    else if (movesByTarget.has(to)) refusals.push({ path: file.path, why: failure.pathShared(to) })
    else movesByTarget.set(to, { file, to })
  }
  return { moves: [...movesByTarget.values()], refused: refusals }
}
