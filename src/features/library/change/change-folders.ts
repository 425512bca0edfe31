/** Renames, moves and deletes whole folders. All paths inside change in one transaction. */

import { LONG_TRANSACTION, pace } from '../../../base/pace.ts'
import type { Occurrence } from '../../../contract/files/history.ts'
import { isBelow, splitPath } from '../../../contract/paths/path-parts.ts'
import { germanPathFault } from '../../../contract/paths/path-rules.ts'
import type { Queries } from '../../../database/database.ts'
import { failure } from '../../../errors/errors.ts'
import type { Actor } from '../../../http/access/actor.ts'
import { checkValidPath } from '../../../http/path-check.ts'
import { redirectDrops } from '../../drops/drops.store.ts'
import { filesInRange, pathRangeOf, rowsAtPaths } from '../../folders/files-below.ts'
import { keyOf } from '../../folders/folder-keys.ts'
import { folderExists } from '../../folders/folders.store.ts'
import { createRowChanges, type FileChangeParts } from './change-files.ts'
import { applyMoves, findConflicts, type Move } from './moves.ts'
import { redirectFolderReferences } from './redirect-references.ts'

export interface FolderChangeResult {
  files: number
  folder: string
  action: string
}

export function createFolderChanges({ database, now, newId, onChanged }: FileChangeParts) {
  const { rowsPerStatement } = database.queryTraits
  const { moveRowsToTrash: removeRows } = createRowChanges({ database })

  async function changeFolderPath(
    folder: string,
    to: string,
    actor: Actor,
    occurrence: Occurrence,
  ): Promise<FolderChangeResult> {
    const actionId = newId()
    const fileCount = await database.transaction(async tx => {
      const moves = await planFolderMoves(tx, folder, to)
      // The folder already has this path, so nothing has to be moved.
      if (to === folder) return moves.length
      await redirectFolderReferences(tx, folder, to)
      await redirectDrops(tx, folder, to)
      await applyMoves(tx, moves, {
        actor,
        movedAt: now(),
        actionId,
        occurrenceOf: () => occurrence,
        rowsPerStatement,
      })
      return moves.length
    }, LONG_TRANSACTION)
    onChanged()
    return { files: fileCount, folder: to, action: actionId }
  }

  return {
    async rename(folder: string, name: string, actor: Actor) {
      const to = keyOf(splitPath(folder).folder) + name
      checkValidPath(to)
      return changeFolderPath(folder, to, actor, 'umbenannt')
    },

    /**
     * If `newParent` already contains a folder of the same name, the two folders are merged. Rejects if two
     * files would get the same path.
     */
    async move(folder: string, newParent: string, actor: Actor) {
      if (newParent === folder || isBelow(newParent, folder)) {
        // A missing folder is reported as missing, not as a move into itself.
        if (!(await folderExists(database.read, folder))) throw failure.folderAbsent()
        throw failure.folderIntoItself()
      }
      const { stem, extension } = splitPath(folder)
      return changeFolderPath(folder, keyOf(newParent) + stem + extension, actor, 'verschoben')
    },

    /** Moves all files of a folder to the trash. `trashNumbers` in the result are their numbers there. */
    async remove(folder: string, actor: Actor) {
      const actionId = newId()
      const trashNumbers = await database.transaction(async tx => {
        const deletedAt = now()
        const numbers: number[] = []
        for await (const files of filesInRange(tx, pathRangeOf(keyOf(folder)))) {
          const rows = await rowsAtPaths(
            tx,
            files.map(file => file.path),
          )
          numbers.push(...(await removeRows(tx, rows, { actor, movedAt: deletedAt, actionId })).trashNumbers)
        }
        if (numbers.length === 0) throw failure.folderAbsent()
        return numbers
      }, LONG_TRANSACTION)
      onChanged()
      return { files: trashNumbers.length, folder, action: actionId, trashNumbers }
    },
  }
}

/**
 * Every file in the folder with its new path. Rejects if the folder has no files, or if a file cannot get its
 * new path.
 */
async function planFolderMoves(tx: Queries, folder: string, to: string): Promise<Move[]> {
  const moves: Move[] = []
  for await (const rows of filesInRange(tx, pathRangeOf(keyOf(folder)))) {
    for (const file of rows) {
      const path = to + file.path.slice(folder.length)
      const problem = germanPathFault(path)
      if (problem) throw failure.folderUnfit(path, problem)
      moves.push({ file, to: path })
    }
    await pace()
  }
  if (moves.length === 0) throw failure.folderAbsent()
  if (to === folder) return moves
  const [collision] = await findConflicts(tx, moves)
  if (collision) throw failure.foldersCollide(collision.move.to)
  return moves
}
