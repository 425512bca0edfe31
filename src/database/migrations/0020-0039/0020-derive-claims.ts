/**
 * Lets several processes share the work of deriving: a process claims a file in its row before the work, for
 * a limited time. Each try writes under names of its own, so that no object is ever written twice, whoever
 * tries.
 */
import type { Kysely } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  // Unix milliseconds until which a process is at work on the derived files; null: nobody is.
  await db.schema.alterTable('media').addColumn('derive_until', engine.bigint).execute()
  // The mark in the names of the two derived files; null in the names of earlier versions, which had no mark.
  for (const table of ['media', 'trash'])
    for (const column of ['variant_mark', 'preview_mark'])
      await db.schema.alterTable(table).addColumn(column, 'text').execute()
}
