/** Drives in the database: how far clients have got, so that clients of any process share the work. */
import type { Selectable } from 'kysely'
import type { Queries } from '../../database/database.ts'
import type { DriveTable } from '../../database/schema.ts'

export type Drive = Selectable<DriveTable>

/** Continues the drive, or begins a new one if there is none or its last call was not after `oldest`. */
export async function takeUp(tx: Queries, task: string, at: number, oldest: number): Promise<Drive> {
  const known = await tx.selectFrom('drive').selectAll().where('task', '=', task).executeTakeFirst()
  // A last call in the future was recorded by a clock that was ahead.
  const going = known && known.called_at > oldest && known.called_at <= at
  const drive = { task, after_nr: going ? known.after_nr : 0, done: going ? known.done : 0, called_at: at }
  await tx
    .insertInto('drive')
    .values(drive)
    .onConflict(conflict => conflict.column('task').doUpdateSet(drive))
    .execute()
  return drive
}

/** Advances the drive from the state `drive`; null if another caller has advanced it meanwhile. */
export async function moveOn(
  tx: Queries,
  drive: Drive,
  after: number,
  files: number,
  at: number,
): Promise<Drive | null> {
  const next = { ...drive, after_nr: after, done: drive.done + files, called_at: at }
  const { numUpdatedRows } = await tx
    .updateTable('drive')
    .set(next)
    .where('task', '=', drive.task)
    .where('after_nr', '=', drive.after_nr)
    .executeTakeFirst()
  return numUpdatedRows > 0n ? next : null
}

export async function endDrive(tx: Queries, task: string): Promise<void> {
  await tx.deleteFrom('drive').where('task', '=', task).execute()
}
