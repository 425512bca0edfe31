/**
 * Lets several processes share the work of making derived files: a process first claims a file, in the file's
 * row and for a limited time. (Later versions take a lease instead.) Each attempt uses new object names, so
 * no object is ever written twice.
 */
import type { Kysely } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  // Unix milliseconds until which a process works on the derived files; null: none does. Not used any more.
  await db.schema.alterTable('media').addColumn('derive_until', engine.bigint).execute()
  // The mark (random characters) in the name of each of the two derived files, new for every attempt. Null:
  // there is no such file, or an earlier version of Fundus made it, without a mark in its name.
  for (const table of ['media', 'trash'])
    for (const column of ['variant_mark', 'preview_mark'])
      await db.schema.alterTable(table).addColumn(column, 'text').execute()
}
