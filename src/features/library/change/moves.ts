/**
 * Changes the paths of many files at once. Only rows change here; the table `relocation` lists the files
 * whose objects are moved later.
 *
 * Paths are unique at every moment. With a→b and b→c, the file a cannot get the path b until b is free; with
 * a↔b, neither file can be the first. So a file whose path is the target of another file first gets a
 * temporary path, which is no valid path and so is always free.
 */
import { sql } from 'kysely'
import { batches } from '../../../base/batches.ts'
import { pace } from '../../../base/pace.ts'
import type { Occurrence } from '../../../contract/files/history.ts'
import { splitPath } from '../../../contract/paths/path-parts.ts'
import { germanPathFault, isValidPath } from '../../../contract/paths/path-rules.ts'
import type { Queries } from '../../../database/database.ts'
import { naturalKey } from '../../../database/natural-key.ts'
import { type Failure, failure } from '../../../errors/errors.ts'
import type { Actor } from '../../../http/access/actor.ts'
import { takenPaths } from '../../folders/files-below.ts'
import { recordHistory } from '../../history/history.store.ts'
import type { MediaRow } from '../../media/media.store.ts'

export interface Move<File extends MovingFile = MovingFile> {
  file: File
  /** The new path; never the same as the current one. */
  to: string
}
type MovingFile = Pick<MediaRow, 'nr' | 'path' | 'size'>

/** The moves that are not possible, each with the reason. The current paths of moved files count as free. */
export async function findConflicts<M extends Move>(
  db: Queries,
  moves: readonly M[],
): Promise<{ move: M; reason: Failure }[]> {
  const leavingPaths = new Set(moves.map(move => move.file.path))
  const claimCounts = new Map<string, number>()
  for (const { to } of moves) claimCounts.set(to, (claimCounts.get(to) ?? 0) + 1)
  const stayingPaths = await takenPaths(
    db,
    [...claimCounts.keys()].filter(path => !leavingPaths.has(path) && isValidPath(path)),
  )
  const conflicts: { move: M; reason: Failure }[] = []
  for (const move of moves) {
    const reason = findMoveProblem(move.to, {
      isTaken: stayingPaths.has(move.to),
      claimCount: claimCounts.get(move.to)!,
    })
    if (reason) conflicts.push({ move, reason })
    await pace()
  }
  return conflicts
}

function findMoveProblem(
  to: string,
  { isTaken, claimCount }: { isTaken: boolean; claimCount: number },
): Failure | null {
  const problem = germanPathFault(to)
  if (problem) return failure.pathInvalid(problem)
  if (isTaken) return failure.pathTaken(to)
  return claimCount > 1 ? failure.pathShared(to) : null
}

export interface MoveContext {
  actor: Actor
  movedAt: number
  actionId: string
  occurrenceOf: (move: Move) => Occurrence
  /** Number of rows per statement (`rowsPerStatement` of the database's `queryTraits`). */
  rowsPerStatement: number
  /** Called with the number of files that have just got new paths, before the transaction is committed. */
  onMoved?: ((files: number) => void) | undefined
}

/** Applies the moves that are possible. Returns these, and for each other file why it was not moved. */
export async function applyPossibleMoves<M extends Move>(
  tx: Queries,
  moves: readonly M[],
  info: MoveContext,
) {
  const conflicts = withBlockedMoves(moves, await findConflicts(tx, moves))
  const conflictingMoves = new Set(conflicts.map(({ move }) => move))
  const possibleMoves = moves.filter(move => !conflictingMoves.has(move))
  await applyMoves(tx, possibleMoves, info)
  return {
    appliedMoves: possibleMoves,
    refusals: conflicts.map(({ move, reason }) => ({ path: move.file.path, reason })),
  }
}

/** Adds the moves whose target stays taken because the file there cannot be moved either. */
function withBlockedMoves<M extends Move>(
  moves: readonly M[],
  directConflicts: readonly { move: M; reason: Failure }[],
): { move: M; reason: Failure }[] {
  const movesByTarget = new Map(moves.map(move => [move.to, move]))
  const conflictingMoves = new Set(directConflicts.map(({ move }) => move))
  const conflicts = [...directConflicts]
  // The loop also visits the conflicts that it adds.
  for (const { move } of conflicts) {
    const blockedMove = movesByTarget.get(move.file.path)
    if (!blockedMove || conflictingMoves.has(blockedMove)) continue
    conflictingMoves.add(blockedMove)
    conflicts.push({ move: blockedMove, reason: failure.pathTaken(blockedMove.to) })
  }
  return conflicts
}

/** Applies moves that have no conflicts. The retrieval count stays with the file. */
export async function applyMoves(tx: Queries, moves: readonly Move[], info: MoveContext): Promise<void> {
  const { actor, movedAt, actionId, occurrenceOf, rowsPerStatement } = info
  // The moves are made in the order of row numbers: in any other order, updating SQLite's search index costs
  // many times as much.
  const orderedMoves = moves.toSorted((a, b) => a.file.nr - b.file.nr)
  const targetPaths = new Set(moves.map(move => move.to))
  const movesToPark = orderedMoves.filter(({ file }) => targetPaths.has(file.path))
  for (const batch of batches(movesToPark, rowsPerStatement)) {
    await setPaths(
      tx,
      batch.map(({ file }) => ({ file, to: `~${file.nr}` })),
      movedAt,
    )
    await pace()
  }
  for (const batch of batches(orderedMoves, rowsPerStatement)) {
    await setPaths(tx, batch, movedAt)
    await pace()
    await tx
      .insertInto('relocation')
      .values(batch.map(({ file }) => ({ media_nr: file.nr })))
      .onConflict(conflict => conflict.doNothing())
      .execute()
    const entryOf = (move: Move) => ({
      what: occurrenceOf(move),
      path: move.to,
      bytes: move.file.size,
      details: move.file.path,
    })
    await recordHistory(tx, actor, movedAt, batch.map(entryOf), actionId)
    info.onMoved?.(batch.length)
    await pace()
  }
}

export const occurrenceOfMove = ({ file, to }: Move) =>
  splitPath(file.path).folder === splitPath(to).folder ? 'umbenannt' : 'verschoben'

/** Changes all paths with one statement, because each statement adds a segment to SQLite's search index. */
async function setPaths(tx: Queries, moves: readonly Move[], movedAt: number): Promise<void> {
  const pathRows = moves.map(({ file, to }) => sql`(cast(${file.nr} as bigint), ${to}, ${naturalKey(to)})`)
  // The same statement writes the sort key; otherwise the database would compute it row by row.
  await sql`with moved (nr, path, natural_key) as (values ${sql.join(pathRows)})
    update media set path = moved.path, natural_key = moved.natural_key, placed_at = cast(${movedAt} as bigint)
    from moved where media.nr = moved.nr`.execute(tx)
}
