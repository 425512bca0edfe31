/**
 * Moves or deletes the whole result of a list, in steps of one transaction each, so that uploads can run in
 * between, and the caller sees the progress and can stop.
 */

import { batches } from '../../../base/batches.ts'
import { LONG_TRANSACTION } from '../../../base/pace.ts'
import type { Actor } from '../../../http/access/actor.ts'
import { createRowChanges, type FileChangeParts } from './change-files.ts'
import { type ListResult, remainingRows } from './list-result.ts'

/** Number of files per step, which takes about a tenth of a second. */
const FILES_PER_STEP = 1000

/** The actor, and the id by which the history groups all steps. */
interface ActionContext {
  actor: Actor
  actionId: string
}

export function createResultChanges(parts: FileChangeParts) {
  const { database, now, onChanged } = parts
  const { moveRows, moveRowsToTrash: removeRows } = createRowChanges(parts)

  async function* runInSteps<Outcome>(
    { filter, numbers }: ListResult,
    step: (...args: Parameters<typeof removeRows>) => Promise<Outcome>,
    context: ActionContext,
  ): AsyncGenerator<Outcome> {
    // All steps record the same time, because they are one action.
    const recordedAt = now()
    for (const batch of batches(numbers, FILES_PER_STEP)) {
      const outcome = await database.transaction(async tx => {
        const rows = await remainingRows(tx, batch, { filter, queryTraits: database.queryTraits })
        return step(tx, rows, { ...context, movedAt: recordedAt })
      }, LONG_TRANSACTION)
      onChanged()
      yield outcome
    }
  }

  return {
    move: (result: ListResult, folder: string, context: ActionContext) =>
      runInSteps(result, (tx, rows, context) => moveRows(tx, rows, folder, context), context),
    remove: (result: ListResult, context: ActionContext) => runInSteps(result, removeRows, context),
  }
}
