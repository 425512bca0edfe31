/**
 * Search and replace in paths. The new paths are computed first; they are written only on request, and only
 * if there are no conflicts.
 */

import { LONG_TRANSACTION, pace } from '../../../base/pace.ts'
import { REPLACE_MAX_FILES } from '../../../contract/files/library.ts'
import type { Database, Queries } from '../../../database/database.ts'
import { type Failure, failure } from '../../../errors/errors.ts'
import type { Actor } from '../../../http/access/actor.ts'
import { type Area, isPathInside, refusePathsOutside } from '../../../http/access/library-area.ts'
import {
  type FileSummary,
  filesAtPaths,
  filesInArea,
  filesWithNumbers,
  unmovedNumbers,
} from '../../folders/files-below.ts'
import { folderExists } from '../../folders/folders.store.ts'
import type { FileChangeParts } from './change-files.ts'
import { startExpressionThread } from './expression-thread.ts'
import type { ListResult } from './list-result.ts'
import { applyMoves, findConflicts, type Move, occurrenceOfMove } from './moves.ts'
import { createTextReplacer } from './new-path.ts'

type ReplaceHit = Move<FileSummary>

export interface ReplaceTask {
  search: string
  replacement: string
  /** Only files of this area are searched. The text is searched in the whole path. */
  area: Area
  /** The area of the account: no file may leave it. */
  accountArea: Area
  /** Only these files of the area are searched; paths without a file are skipped. */
  paths?: readonly string[] | undefined
  result?: Pick<ListResult, 'numbers'> | undefined
  isExpression: boolean
  /** Whether files are renamed; false: only computes the outcome. */
  execute: boolean
}

interface ReplaceOutcome {
  hits: ReplaceHit[]
  conflicts: { move: ReplaceHit; reason: Failure }[]
  /** The id of the action in the history; null if the outcome was only computed. */
  action: string | null
}

/**
 * `files`: maximum number of hits. `computingTime`: milliseconds that an expression may take for all paths
 * together; it usually takes 2 to 17 µs per path.
 */
const DEFAULT_LIMITS = { files: REPLACE_MAX_FILES as number, computingTime: 20_000 }

/** Maximum number of searches if hits are moved or deleted between the search and the renaming. */
const MAX_ATTEMPTS = 3

export function createReplace(
  { database, now, newId, retrievals, onChanged }: FileChangeParts,
  limits = DEFAULT_LIMITS,
) {
  /**
   * Renames the hits. They were found before the transaction, so some of the files may have been deleted or
   * moved since then. In that case returns null, so that the search is repeated; on the last attempt skips
   * these files instead.
   */
  async function renameHits(
    tx: Queries,
    foundHits: readonly ReplaceHit[],
    { actor, action, isLastAttempt }: { actor: Actor; action: string; isLastAttempt: boolean },
  ): Promise<ReplaceHit[] | null> {
    const files = foundHits.map(({ file }) => file)
    const unmovedNrs = await unmovedNumbers(tx, files)
    if (unmovedNrs.size < foundHits.length && !isLastAttempt) return null
    const hits = foundHits.filter(hit => unmovedNrs.has(hit.file.nr))
    const conflicts = await findConflicts(tx, hits)
    if (conflicts.length > 0) throw conflictsFailure(conflicts)
    const { rowsPerStatement } = database.queryTraits
    await applyMoves(tx, hits, {
      actor,
      movedAt: now(),
      actionId: action,
      occurrenceOf: occurrenceOfMove,
      rowsPerStatement,
    })
    return hits
  }

  return async (task: ReplaceTask, actor: Actor): Promise<ReplaceOutcome> => {
    const { baseFolder } = task.area
    if (baseFolder !== '' && !(await folderExists(database.read, baseFolder))) throw failure.folderAbsent()
    // Hits show their retrieval counts, so counts in memory are written to the rows first.
    await retrievals.flush()
    const actionId = newId()
    for (let attempt = 1; ; attempt++) {
      const hits = await findHits(database, task, limits)
      if (!task.execute)
        return { hits, conflicts: await findConflicts(database.slowRead, hits), action: null }
      const isLastAttempt = attempt === MAX_ATTEMPTS
      const renamedHits = await database.transaction(
        tx => renameHits(tx, hits, { actor, action: actionId, isLastAttempt }),
        LONG_TRANSACTION,
      )
      if (renamedHits === null) continue
      onChanged()
      return { hits: renamedHits, conflicts: [], action: actionId }
    }
  }
}

async function findHits(
  database: Database,
  task: ReplaceTask,
  limits: typeof DEFAULT_LIMITS,
): Promise<ReplaceHit[]> {
  const { search, replacement, isExpression } = task
  using thread = isExpression ? startExpressionThread(task, limits.computingTime) : null
  const replacer = createTextReplacer(search, replacement)
  const newPathsOf = (paths: string[]) => thread?.replace(paths) ?? paths.map(replacer)
  const hits: ReplaceHit[] = []
  // Compiles the expression before any file is searched, so that an invalid one is refused even if there are
  // no files.
  if (isExpression) await newPathsOf([])
  for await (const files of searchedFiles(database, task)) {
    const newPaths = await newPathsOf(files.map(file => file.path))
    for (const [index, file] of files.entries()) {
      const to = newPaths[index]!
      if (to === file.path) continue
      refusePathsOutside([to], task.accountArea)
      hits.push({ file, to })
    }
    if (hits.length > limits.files) throw failure.tooManyHits(limits.files)
    await pace()
  }
  return hits
}

async function* searchedFiles(
  { slowRead: db, queryTraits }: Database,
  { search, area, paths, result, isExpression }: ReplaceTask,
): AsyncGenerator<FileSummary[]> {
  if (result) {
    yield* filesWithNumbers(db, result.numbers)
    return
  }
  if (paths) {
    for await (const files of filesAtPaths(db, paths))
      yield files.filter(({ path }) => isPathInside(path, area))
    return
  }
  // The database skips paths that do not contain the text. It ignores case, unlike the replacement, so some
  // of the paths that it returns may not match.
  const conditions = isExpression ? [] : [queryTraits.contains('path', search)]
  yield* filesInArea(db, area, { where: conditions })
}

export const hitOnWire = ({ file, to }: ReplaceHit) => ({
  von: file.path,
  nach: to,
  abrufe: file.retrievals,
})

export const conflictOnWire = ({ move, reason }: { move: ReplaceHit; reason: Failure }) => ({
  von: move.file.path,
  nach: move.to,
  grund: reason.sentence,
  code: reason.code,
})

const conflictsFailure = (conflicts: ReplaceOutcome['conflicts']) =>
  failure.replaceConflicts(conflicts.map(conflictOnWire))
