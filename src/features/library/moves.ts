/**
 * Files that get another path, many at once. Only rows change here; the objects follow later, by the relocation list.
 *
 * A path is unique at every moment, so a→b and b→c, or a↔b, cannot simply be written one after the other. Whatever
 * stands where another file goes is parked first, under a name that no path can have.
 */
import type { Occurrence } from '../../contract/history.ts'
import { pathProblem } from '../../contract/paths.ts'
import type { Queries } from '../../database/database.ts'
import { type Failure, failure } from '../../errors.ts'
import type { Actor } from '../history/actor.ts'
import { recordHistory } from '../history/history.store.ts'
import type { MediaRow } from '../media/media.store.ts'
import type { Pace } from './pace.ts'
import { takenPaths } from './rows-below.ts'

export interface Move<File extends MovingFile = MovingFile> {
  file: File
  /** Never the path it has. */
  to: string
}
export type MovingFile = Pick<MediaRow, 'nr' | 'path' | 'size'>

/** Rows between two notes on the lists. */
const BATCH = 20

/** Which moves cannot be, and why. The paths of files that move away themselves are free. */
export async function findConflicts<M extends Move>(
  db: Queries,
  moves: readonly M[],
  pace: Pace,
): Promise<{ move: M; why: Failure }[]> {
  const leaving = new Set(moves.map(move => move.file.path))
  const claims = new Map<string, number>()
  for (const { to } of moves) claims.set(to, (claims.get(to) ?? 0) + 1)
  const staying = await takenPaths(
    db,
    [...claims.keys()].filter(path => !leaving.has(path)),
    pace,
  )
  return moves.flatMap(move => {
    const problem = pathProblem(move.to)
    if (problem) return [{ move, why: failure.pathInvalid(problem) }]
    if (staying.has(move.to)) return [{ move, why: failure.pathTaken(move.to) }]
    if (claims.get(move.to)! > 1) return [{ move, why: failure.pathShared(move.to) }]
    return []
  })
}

export interface Moving {
  by: Actor
  at: number
  what: (move: Move) => Occurrence
  pace: Pace
}

/** Moves that have no conflicts. Retrievals stay with the file. */
export async function applyMoves(tx: Queries, moves: readonly Move[], moving: Moving): Promise<void> {
  const { by, at, what, pace } = moving
  const setPath = (nr: number, path: string) =>
    tx.updateTable('media').set({ path }).where('nr', '=', nr).execute()

  // In the order of numbers, which SQLite's search index takes at a fraction of the cost of any other.
  const ordered = moves.toSorted((one, other) => one.file.nr - other.file.nr)
  const targets = new Set(moves.map(move => move.to))
  for (const { file } of ordered) {
    if (!targets.has(file.path)) continue
    await setPath(file.nr, `~${file.nr}`)
    await pace()
  }
  for (let start = 0; start < ordered.length; start += BATCH) {
    const some = ordered.slice(start, start + BATCH)
    for (const { file, to } of some) await setPath(file.nr, to)
    await tx
      .insertInto('relocation')
      .values(some.map(({ file }) => ({ media_nr: file.nr })))
      .onConflict(conflict => conflict.doNothing())
      .execute()
    await recordHistory(
      tx,
      by,
      at,
      some.map(move => ({
        what: what(move),
        path: move.to,
        bytes: move.file.size,
        details: move.file.path,
      })),
    )
    await pace()
  }
}
