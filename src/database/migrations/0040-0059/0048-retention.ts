/**
 * Adds the retention rules, and the time at which a file was restored from the trash: its retention period
 * then starts again. Two indexes find the files of a folder whose period started longest ago, without reading
 * the others: one for periods that start with the upload, one for periods that start with the last retrieval.
 * Both contain the size, so a trial run of the rules reads no row.
 */
import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from '../../engine-traits.ts'

export async function up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> {
  await db.schema
    .createTable('retention_rule')
    .addColumn('nr', 'integer', column => column.primaryKey())
    .addColumn('folder', 'text', column => column.notNull().unique())
    // Null: files of this folder stay.
    .addColumn('days', 'integer')
    .addColumn('start', 'text')
    .execute()
  await db.schema.alterTable('media').addColumn('restored_at', engine.bigint).execute()
  const storedSinceSql = 'case when restored_at > updated_at then restored_at else updated_at end'
  const usedSinceSql = `case when retrieved_at > ${storedSinceSql} then retrieved_at else ${storedSinceSql} end`
  for (const [name, sinceSql] of Object.entries({ stored: storedSinceSql, used: usedSinceSql }))
    await sql.raw(`create index media_${name}_since on media (folder, (${sinceSql}), size)`).execute(db)
}
