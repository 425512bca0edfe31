/**
 * Search and replace over paths. The new paths are computed first; they are written only on request, and only
 * without conflicts.
 */

import { LONG, pace } from '../../../base/pace.ts'
import { REPLACE_MAX_FILES } from '../../../contract/files/library.ts'
import type { Database, Queries } from '../../../database/database.ts'
import { type Failure, failure } from '../../../errors/errors.ts'
import type { Actor } from '../../../http/access/actor.ts'
import { type Area, isInside, refuseOutside } from '../../../http/access/area.ts'
import {
  type FileBelow,
  filesAt,
  filesNumbered,
  filesWithin,
  unmovedNumbers,
} from '../../folders/files-below.ts'
import { folderExists } from '../../folders/folders.store.ts'
import type { FilesParts } from '../list/files.ts'
import { startExpression } from './expression-thread.ts'
import { applyMoves, findConflicts, kindOfMove, type Move } from './moves.ts'
import { replaceText } from './new-path.ts'
import type { Result } from './result.ts'

type Hit = Move<FileBelow>

export interface ReplaceTask {
  search: string
  by: string
  /** Only files of this area are searched. The text is searched in the whole path. */
  area: Area
  /** The area of the account: no file may leave it. */
  reach: Area
  /** Only these files of the area are searched; paths without a file are skipped. */
  paths?: readonly string[] | undefined
  result?: Pick<Result, 'numbers'> | undefined
  expression: boolean
  /** Whether files are renamed; false: only computes the outcome. */
  execute: boolean
}

interface ReplaceOutcome {
  hits: Hit[]
  conflicts: { move: Hit; why: Failure }[]
  /** The id of the action in the history; null: nothing was changed. */
  action: string | null
}

/** `computing`: milliseconds that an expression may take in total; usually 2 to 17 µs per path. */
const LIMITS = { files: REPLACE_MAX_FILES as number, computing: 20_000 }

/** Maximum number of searches if files are moved during the search. */
const ATTEMPTS = 3

export function createReplace({ database, now, newId, retrievals, onChanged }: FilesParts, limits = LIMITS) {
  /**
   * Renames the hits. A file that was found outside the transaction may have been deleted or moved by now.
   * Then returns null, so that the search is repeated; on the last attempt such a file is skipped instead.
   */
  async function execute(
    tx: Queries,
    found: readonly Hit[],
    { by, action, isLast }: { by: Actor; action: string; isLast: boolean },
  ): Promise<Hit[] | null> {
    const files = found.map(({ file }) => file)
    const same = await unmovedNumbers(tx, files)
    if (same.size < found.length && !isLast) return null
    const hits = found.filter(hit => same.has(hit.file.nr))
    const conflicts = await findConflicts(tx, hits)
    if (conflicts.length > 0) throw refusal(conflicts)
    const { rowsAtOnce } = database.queries
    await applyMoves(tx, hits, { by, at: now(), action, what: kindOfMove, rowsAtOnce })
    return hits
  }

  return async (task: ReplaceTask, by: Actor): Promise<ReplaceOutcome> => {
    const { below } = task.area
    if (below !== '' && !(await folderExists(database.read, below))) throw failure.folderAbsent()
    // Hits show their retrievals, so all counts are written to the rows first.
    await retrievals.flush()
    const action = newId()
    for (let attempt = 1; ; attempt++) {
      const hits = await findHits(database, task, limits)
      if (!task.execute) return { hits, conflicts: await findConflicts(database.browse, hits), action: null }
      const isLast = attempt === ATTEMPTS
      const executed = await database.transaction(tx => execute(tx, hits, { by, action, isLast }), LONG)
      if (executed === null) continue
      onChanged()
      return { hits: executed, conflicts: [], action }
    }
  }
}

async function findHits(database: Database, task: ReplaceTask, limits: typeof LIMITS): Promise<Hit[]> {
  const { search, by, expression } = task
  using thread = expression ? startExpression(task, limits.computing) : null
  const text = replaceText(search, by)
  const change = (paths: string[]) => thread?.replace(paths) ?? paths.map(text)
  const hits: Hit[] = []
  // Compiles the expression before any file is searched, so that an invalid one is refused even if there is
  // none.
  if (expression) await change([])
  for await (const files of searchedFiles(database, task)) {
    const changed = await change(files.map(file => file.path))
    for (const [at, file] of files.entries()) {
      const to = changed[at]!
      if (to === file.path) continue
      refuseOutside([to], task.reach)
      hits.push({ file, to })
    }
    if (hits.length > limits.files) throw failure.tooManyHits(limits.files)
    await pace()
  }
  return hits
}

async function* searchedFiles(
  { browse, queries }: Database,
  { search, area, paths, result, expression }: ReplaceTask,
): AsyncGenerator<FileBelow[]> {
  if (result) {
    yield* filesNumbered(browse, result.numbers)
    return
  }
  if (paths) {
    for await (const files of filesAt(browse, paths)) yield files.filter(({ path }) => isInside(path, area))
    return
  }
  // The database skips paths that cannot match. It ignores case, which the replacement does not.
  const where = expression ? [] : [queries.contains('path', search)]
  yield* filesWithin(browse, area, { where })
}

export const hitOnWire = ({ file, to }: Hit) => ({
  von: file.path,
  nach: to,
  abrufe: file.retrievals,
})

export const conflictOnWire = ({ move, why }: { move: Hit; why: Failure }) => ({
  von: move.file.path,
  nach: move.to,
  grund: why.sentence,
  code: why.code,
})

const refusal = (conflicts: ReplaceOutcome['conflicts']) =>
  failure.replaceConflicts(conflicts.map(conflictOnWire))
