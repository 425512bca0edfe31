/** Reads and writes the rows of saved settings, with their values as JSON. */
import type { Queries } from '../../database/database.ts'

export async function readSavedSettings(db: Queries): Promise<Map<string, string>> {
  const rows = await db.selectFrom('setting').select(['name', 'value']).execute()
  return new Map(rows.map(({ name, value }) => [name, value]))
}

export async function putSetting(tx: Queries, name: string, value: string): Promise<void> {
  await tx
    .insertInto('setting')
    .values({ name, value })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

export async function deleteSetting(tx: Queries, name: string): Promise<void> {
  await tx.deleteFrom('setting').where('name', '=', name).execute()
}
