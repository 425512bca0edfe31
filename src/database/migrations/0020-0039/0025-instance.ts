/**
 * Gives the instance an id. The bucket of an object store records the same id, so that a second database that
 * uses the bucket is noticed before it removes the files of the first one as orphans.
 */
import { type Kysely, sql } from 'kysely'
import { newId } from '../../../base/ids.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('instance')
    .addColumn('id', 'text', column => column.notNull())
    .execute()
  await sql`insert into instance (id) values (${newId()})`.execute(db)
}
