/** Search and replace over paths: computed first, done only when asked for and when nothing stands in the way. */
import { REPLACE_MAX_FILES } from '../../contract/library.ts'
import { isBelow, PATH_MAX_LENGTH, splitPath } from '../../contract/paths.ts'
import type { Queries } from '../../database/database.ts'
import { type Failure, failure } from '../../errors.ts'
import type { Actor } from '../history/actor.ts'
import type { FilesParts } from './files.ts'
import { keyOf } from './folder-keys.ts'
import { applyMoves, findConflicts, type Move } from './moves.ts'
import { createPace, LONG, type Pace } from './pace.ts'
import { type Replacement, replaceExpression, replaceText } from './replacement.ts'
import { type FileBelow, filesIn, rangeOf, rowsAt, unmoved } from './rows-below.ts'

export type Hit = Move<FileBelow>

export interface ReplaceTask {
  search: string
  by: string
  /** Only files below it. The whole path is searched, as everywhere. */
  folder: string
  /** Only these of them; those that are not there are passed over. */
  paths?: readonly string[] | undefined
  /** `search` is a regular expression. */
  expression: boolean
  /** Otherwise it is only computed. */
  execute: boolean
}

export interface ReplaceOutcome {
  hits: Hit[]
  conflicts: { move: Hit; why: Failure }[]
  done: boolean
}

export interface ReplaceLimits {
  files: number
  /** Milliseconds that an expression may compute in all. */
  computing: number
}
const LIMITS: ReplaceLimits = { files: REPLACE_MAX_FILES, computing: 20_000 }

export function createReplace({ database, now, onChanged }: FilesParts, limits = LIMITS) {
  const { browse, queries } = database

  async function* searched(task: ReplaceTask, pace: Pace): AsyncGenerator<FileBelow[]> {
    const { search, folder, paths, expression } = task
    if (paths) {
      const files = await rowsAt(browse, [...new Set(paths)], pace)
      yield files.filter(({ path }) => isBelow(path, folder)).sort((a, b) => (a.path < b.path ? -1 : 1))
      return
    }
    // The engine leaves out what cannot match; it knows no case, the replacement does.
    const where = expression ? [] : [queries.contains('path', search)]
    yield* filesIn(browse, rangeOf(keyOf(folder)), where)
  }

  async function findHits(task: ReplaceTask, pace: Pace): Promise<Hit[]> {
    const { search, by, expression } = task
    const replacement = expression ? replaceExpression(search, by) : replaceText(search, by)
    const change = withinTime(replacement, limits.computing)
    const hits: Hit[] = []
    for await (const files of searched(task, pace)) {
      for (const file of files) {
        const to = change(file.path)
        if (to !== file.path) hits.push({ file, to })
        await pace()
      }
      if (hits.length > limits.files) throw failure.tooManyHits(limits.files)
    }
    return hits
  }

  /** What was found outside the transaction may be gone or moved by now: then it is no hit. */
  async function execute(tx: Queries, found: readonly Hit[], by: Actor, pace: Pace): Promise<Hit[]> {
    const same = await unmoved(
      tx,
      found.map(hit => hit.file),
      pace,
    )
    const hits = found.filter(hit => same.has(hit.file.nr))
    const conflicts = await findConflicts(tx, hits, pace)
    if (conflicts.length > 0) throw refusal(conflicts)
    await applyMoves(tx, hits, { by, at: now(), what: kindOfMove, pace })
    return hits
  }

  return async (task: ReplaceTask, by: Actor): Promise<ReplaceOutcome> => {
    const pace = createPace()
    const hits = await findHits(task, pace)
    const conflicts = await findConflicts(browse, hits, pace)
    if (!task.execute) return { hits, conflicts, done: false }
    if (conflicts.length > 0) throw refusal(conflicts)
    const executed = await database.transaction(tx => execute(tx, hits, by, pace), LONG)
    onChanged()
    return { hits: executed, conflicts: [], done: true }
  }
}

/** A replacement may blow a path up without bound; nobody needs all of it. */
const shortened = (path: string) =>
  path.length > 2 * PATH_MAX_LENGTH ? `${path.slice(0, 2 * PATH_MAX_LENGTH)}…` : path

export const hitOnWire = ({ file, to }: Hit) => ({
  von: file.path,
  nach: shortened(to),
  abrufe: file.retrievals,
})

export const conflictOnWire = ({ move, why }: { move: Hit; why: Failure }) => ({
  von: move.file.path,
  nach: shortened(move.to),
  grund: why.sentence,
})

const refusal = (conflicts: ReplaceOutcome['conflicts']) =>
  failure.replaceConflicts(conflicts.map(conflictOnWire))

const kindOfMove = ({ file, to }: Move) =>
  splitPath(file.path).folder === splitPath(to).folder ? 'umbenannt' : 'verschoben'

function withinTime(replacement: Replacement, limit: number): Replacement {
  let spent = 0
  return path => {
    const start = performance.now()
    const changed = replacement(path)
    spent += performance.now() - start
    if (spent > limit) throw failure.expressionTooSlow()
    return changed
  }
}
