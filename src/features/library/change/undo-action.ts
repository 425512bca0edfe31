/**
 * Undoes an action: files that it renamed or moved get their former paths, and files that a retention rule or
 * the removal of equal files moved to the trash are restored. A file for which that is impossible is refused;
 * the others are not affected.
 */

import { readPages } from '../../../base/batches.ts'
import { LONG_TRANSACTION, pace } from '../../../base/pace.ts'
import type { Occurrence } from '../../../contract/files/history.ts'
import type { Queries } from '../../../database/database.ts'
import { failure } from '../../../errors/errors.ts'
import { type Area, isPathInside } from '../../../http/access/library-area.ts'
import { filesAtPaths } from '../../folders/files-below.ts'
import { whereInArea } from '../../folders/folder-keys.ts'
import type { FileChangeParts, Refusal } from './change-files.ts'
import { applyPossibleMoves, type Move, type MoveContext, occurrenceOfMove } from './moves.ts'
import { redirectEmptiedFolders } from './redirect-references.ts'
import { createUndoDeletion, type UndoDeletionParts } from './undo-deletion.ts'

const MOVE_OCCURRENCES = ['umbenannt', 'verschoben'] as const satisfies Occurrence[]
/**
 * The kinds of history entries for changes that put a file at a path, or move the file from there to the
 * trash. After such an entry, earlier entries no longer describe the file at that path.
 */
const FILE_CHANGES = [
  'hochgeladen',
  'wiederhergestellt',
  'geloescht',
  ...MOVE_OCCURRENCES,
] as const satisfies Occurrence[]

/** Number of history entries per read; each read also looks up the files at the paths of the entries. */
const ENTRIES_PER_PAGE = 200

interface UndoContext extends Pick<MoveContext, 'actor' | 'onMoved'> {
  accountArea: Area
}

export function createUndoAction(parts: FileChangeParts & UndoDeletionParts) {
  const { database, now, newId, onChanged } = parts
  const undoDeletion = createUndoDeletion(parts)
  /**
   * Undoes the action. Files whose path after the action is outside of `accountArea` are neither changed nor
   * reported.
   */
  return async (actionId: string, { actor, accountArea, onMoved }: UndoContext) => {
    const undoActionId = newId()
    const restoreOutcome = await undoDeletion(actionId, accountArea, {
      actor,
      actionId: undoActionId,
      onMoved,
    })
    if (restoreOutcome) return restoreOutcome
    const outcome = await database.transaction(async tx => {
      const { moves, refused: earlyRefusals } = await findReverseMoves(tx, actionId, accountArea)
      const { rowsPerStatement } = database.queryTraits
      const moveInfo = {
        actor,
        movedAt: now(),
        actionId: undoActionId,
        occurrenceOf: occurrenceOfMove,
        rowsPerStatement,
        onMoved,
      }
      const { appliedMoves, refusals } = await applyPossibleMoves(tx, moves, moveInfo)
      await redirectEmptiedFolders(tx, appliedMoves)
      return {
        files: appliedMoves.length,
        refused: [...earlyRefusals, ...refusals],
        /** The id of the undo, which is an action itself; null if no file was moved back. */
        action: appliedMoves.length > 0 ? undoActionId : null,
      }
    }, LONG_TRANSACTION)
    onChanged()
    return outcome
  }
}

/**
 * The moves that undo the action, and the files that cannot be moved back. Rejects if the action moved
 * nothing that the account may see.
 */
async function findReverseMoves(
  tx: Queries,
  actionId: string,
  accountArea: Area,
): Promise<{ moves: Move[]; refused: Refusal[] }> {
  const [moves, refusals]: [Move[], Refusal[]] = [[], []]
  for await (const entries of readPages<MoveEntry>(
    (lastEntry, limit) => readMoveEntries(tx, actionId, accountArea, { lastEntry, limit }),
    ENTRIES_PER_PAGE,
  )) {
    const paths = entries.map(({ path }) => path)
    const filesByPath = new Map<string, Move['file']>()
    for await (const files of filesAtPaths(tx, paths))
      for (const file of files) filesByPath.set(file.path, file)
    const latestChanges = await latestChangeByPath(tx, paths)
    for (const { nr, path, details } of entries) {
      const file = latestChanges.get(path) === nr ? filesByPath.get(path) : undefined
      if (details !== null && !isPathInside(details, accountArea))
        refusals.push({ path, reason: failure.folderForbidden() })
      else if (file && details !== null) moves.push({ file, to: details })
      else refusals.push({ path, reason: failure.changedSince() })
    }
    await pace()
  }
  if (moves.length + refusals.length === 0) throw failure.actionAbsent()
  return { moves, refused: refusals }
}

type MoveEntry = { nr: number; path: string; details: string | null }

const readMoveEntries = (
  db: Queries,
  actionId: string,
  accountArea: Area,
  { lastEntry, limit }: { lastEntry: MoveEntry | undefined; limit: number },
): Promise<MoveEntry[]> =>
  db
    .selectFrom('history')
    .select(['nr', 'path', 'details'])
    .where('action', '=', actionId)
    .where('what', 'in', MOVE_OCCURRENCES)
    .where('nr', '>', lastEntry?.nr ?? 0)
    .where(({ and }) => and(whereInArea('path', accountArea)))
    .orderBy('nr')
    .limit(limit)
    .execute()

/** For each path, the number of the last history entry of a kind in `FILE_CHANGES`. */
async function latestChangeByPath(db: Queries, paths: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('history')
    .select(({ fn }) => ['path', fn.max('nr').as('nr')])
    .where('path', 'in', paths)
    .where('what', 'in', FILE_CHANGES)
    .groupBy('path')
    .execute()
  return new Map(rows.map(({ path, nr }) => [path, Number(nr)]))
}
