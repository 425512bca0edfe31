/** Passes through the library, in the table `drive`: clients of any process share the work. */
import type { Selectable } from 'kysely'
import type { Queries } from '../../database/database.ts'
import type { DriveTable } from '../../database/schema.ts'

export type Pass = Selectable<DriveTable>

/**
 * Continues the pass of the task. Starts a new one if there is none, or if the last call of the pass was not
 * after `oldest`.
 */
export async function continueOrStart(tx: Queries, task: string, at: number, oldest: number): Promise<Pass> {
  const known = await tx.selectFrom('drive').selectAll().where('task', '=', task).executeTakeFirst()
  // A last call in the future was recorded by a clock that was ahead.
  const going = known && known.called_at > oldest && known.called_at <= at
  const pass = { task, after_nr: going ? known.after_nr : 0, done: going ? known.done : 0, called_at: at }
  await tx
    .insertInto('drive')
    .values(pass)
    .onConflict(conflict => conflict.column('task').doUpdateSet(pass))
    .execute()
  return pass
}

/** Advances the pass; null if another caller has advanced it meanwhile. */
export async function advance(
  tx: Queries,
  pass: Pass,
  after: number,
  files: number,
  at: number,
): Promise<Pass | null> {
  const next = { ...pass, after_nr: after, done: pass.done + files, called_at: at }
  const { numUpdatedRows } = await tx
    .updateTable('drive')
    .set(next)
    .where('task', '=', pass.task)
    .where('after_nr', '=', pass.after_nr)
    .executeTakeFirst()
  return numUpdatedRows > 0n ? next : null
}

export async function endPass(tx: Queries, task: string): Promise<void> {
  await tx.deleteFrom('drive').where('task', '=', task).execute()
}
