/** Renames, moves and deletes whole folders: all paths inside change in one transaction, or no path does. */
import type { Actor } from '../../access/actor.ts'
import { batches } from '../../batches.ts'
import type { Occurrence } from '../../contract/history.ts'
import { isBelow, pathProblem, splitPath } from '../../contract/paths.ts'
import type { Queries } from '../../database/database.ts'
import { failure } from '../../errors.ts'
import { createPace, LONG, type Pace } from '../../pace.ts'
import { checkValidPath } from '../../path-check.ts'
import { filesIn, rangeOf, rowsAt } from '../folders/files-below.ts'
import { keyOf } from '../folders/folder-keys.ts'
import { folderExists } from '../folders/folders.store.ts'
import { followFolder } from '../shares/follow-folder.ts'
import { moveToTrash } from '../trash/trash.store.ts'
import type { FilesParts } from './files.ts'
import { applyMoves, findConflicts, type Move, type Moving } from './moves.ts'

export interface FolderOutcome {
  files: number
  folder: string
  /** The id of the action in the history. */
  action: string
}

export interface Folders {
  rename(folder: string, name: string, by: Actor): Promise<FolderOutcome>
  /**
   * `into` is the new parent folder. A folder of the same name in it is merged with the moved one; rejects when two
   * files would get the same path.
   */
  move(folder: string, into: string, by: Actor): Promise<FolderOutcome>
  /** Moves all files of the folder into the trash; `numbers` are their trash numbers. */
  remove(folder: string, by: Actor): Promise<FolderOutcome & { numbers: number[] }>
}

export function createFolders({ database, now, newId, onChanged }: FilesParts): Folders {
  const { rowsAtOnce } = database.queries
  async function relocate(folder: string, to: string, by: Actor, what: Occurrence): Promise<FolderOutcome> {
    const [pace, action] = [createPace(), newId()]
    const files = await database.transaction(async tx => {
      const moves = await movesOf(tx, folder, to, pace)
      // The folder is already at its target: there is nothing to write.
      if (to === folder) return moves.length
      await followFolder(tx, folder, to)
      await applyMoves(tx, moves, { by, at: now(), action, what: () => what, pace, rowsAtOnce })
      return moves.length
    }, LONG)
    onChanged()
    return { files, folder: to, action }
  }

  return {
    async rename(folder, name, by) {
      const to = keyOf(splitPath(folder).folder) + name
      checkValidPath(to)
      return relocate(folder, to, by, 'umbenannt')
    },

    async move(folder, into, by) {
      if (into === folder || isBelow(into, folder)) {
        // A folder that does not exist is reported as absent, not as a move into itself.
        if (!(await folderExists(database.read, folder))) throw failure.folderAbsent()
        throw failure.folderIntoItself()
      }
      const { stem, extension } = splitPath(folder)
      return relocate(folder, keyOf(into) + stem + extension, by, 'verschoben')
    },

    async remove(folder, by) {
      const [pace, action] = [createPace(), newId()]
      const numbers = await database.transaction(
        tx => trashBelow(tx, folder, { by, at: now(), action, pace, rowsAtOnce }),
        LONG,
      )
      onChanged()
      return { files: numbers.length, folder, action, numbers }
    },
  }
}

/** Every file in the folder with its new path; rejects when a file cannot have its new path. */
async function movesOf(tx: Queries, folder: string, to: string, pace: Pace): Promise<Move[]> {
  const moves: Move[] = []
  for await (const rows of filesIn(tx, rangeOf(keyOf(folder)))) {
    for (const file of rows) {
      const path = to + file.path.slice(folder.length)
      const problem = pathProblem(path)
      if (problem) throw failure.folderUnfit(path, problem)
      moves.push({ file, to: path })
    }
    await pace()
  }
  if (moves.length === 0) throw failure.folderAbsent()
  if (to === folder) return moves
  const [collision] = await findConflicts(tx, moves, pace)
  if (collision) throw failure.foldersCollide(collision.move.to)
  return moves
}

/** Answers the trash numbers of the files. */
async function trashBelow(
  tx: Queries,
  folder: string,
  { by, at, action, pace, rowsAtOnce }: Omit<Moving, 'what'>,
): Promise<number[]> {
  const numbers: number[] = []
  for await (const rows of filesIn(tx, rangeOf(keyOf(folder)))) {
    for (const some of batches(rows, rowsAtOnce)) {
      const paths = some.map(row => row.path)
      numbers.push(...(await moveToTrash(tx, await rowsAt(tx, paths, pace), by, { at, action })))
      await pace()
    }
  }
  if (numbers.length === 0) throw failure.folderAbsent()
  return numbers
}
