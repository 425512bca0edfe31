/**
 * Moves and deletes the whole result of a list, in steps of one transaction each: uploads run in between, and
 * the caller sees the progress and may stop.
 */

import { batches } from '../../../base/batches.ts'
import { LONG } from '../../../base/pace.ts'
import type { Actor } from '../../../http/access/actor.ts'
import { createFileSteps, type FilesParts } from '../list/files.ts'
import { type Result, rowsStillIn } from './result.ts'

/** Number of files per step, which takes about a tenth of a second. */
const STEP = 1000

/** The actor, and the id by which the history groups all steps. */
interface Context {
  by: Actor
  action: string
}

export function createResultChanges(parts: FilesParts) {
  const { database, now, onChanged } = parts
  const { moveRows, removeRows } = createFileSteps(parts)

  async function* inSteps<Outcome>(
    { filter, numbers }: Result,
    step: (...given: Parameters<typeof removeRows>) => Promise<Outcome>,
    acting: Context,
  ): AsyncGenerator<Outcome> {
    // All steps have the same time, because they are one action.
    const at = now()
    for (const some of batches(numbers, STEP)) {
      const outcome = await database.transaction(async tx => {
        const rows = await rowsStillIn(tx, some, { filter, traits: database.queries })
        return step(tx, rows, { ...acting, at })
      }, LONG)
      onChanged()
      yield outcome
    }
  }

  return {
    move: (result: Result, folder: string, acting: Context) =>
      inSteps(result, (tx, rows, step) => moveRows(tx, rows, folder, step), acting),
    remove: (result: Result, acting: Context) => inSteps(result, removeRows, acting),
  }
}
