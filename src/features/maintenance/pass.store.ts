/**
 * A pass is one walk through the library for a task (`thumbs` or `webp`). Its position is in the table
 * `drive`, so that the clients of all processes share the work.
 */
import type { Selectable } from 'kysely'
import type { Queries } from '../../database/database.ts'
import type { RemakeProgressTable } from '../../database/schema.ts'

export type MaintenancePass = Selectable<RemakeProgressTable>

/**
 * Continues the pass of the task. Starts a new one if there is none, or if the last call of the stored pass
 * is not later than `oldestCallAt` or lies in the future.
 */
export async function continueOrStartPass(
  tx: Queries,
  task: string,
  now: number,
  oldestCallAt: number,
): Promise<MaintenancePass> {
  const storedPass = await tx.selectFrom('drive').selectAll().where('task', '=', task).executeTakeFirst()
  // A call in the future was recorded by a process whose clock was ahead.
  const isContinued = storedPass && storedPass.called_at > oldestCallAt && storedPass.called_at <= now
  const pass = {
    task,
    after_nr: isContinued ? storedPass.after_nr : 0,
    done: isContinued ? storedPass.done : 0,
    called_at: now,
  }
  await tx
    .insertInto('drive')
    .values(pass)
    .onConflict(conflict => conflict.column('task').doUpdateSet(pass))
    .execute()
  return pass
}

/** Advances the pass; null if another caller has advanced or ended it meanwhile. */
export async function advancePass(
  tx: Queries,
  pass: MaintenancePass,
  afterNr: number,
  fileCount: number,
  now: number,
): Promise<MaintenancePass | null> {
  const advancedPass = { ...pass, after_nr: afterNr, done: pass.done + fileCount, called_at: now }
  const { numUpdatedRows } = await tx
    .updateTable('drive')
    .set(advancedPass)
    .where('task', '=', pass.task)
    .where('after_nr', '=', pass.after_nr)
    .executeTakeFirst()
  return numUpdatedRows > 0n ? advancedPass : null
}

export async function endPass(tx: Queries, task: string): Promise<void> {
  await tx.deleteFrom('drive').where('task', '=', task).execute()
}
