/**
 * Drops the earlier states of the instance that restores have kept. Each earlier state is a PostgreSQL
 * schema. Its objects that no row of the live database owns are put on the discard list of that database;
 * then the schema is dropped. The service may be running at the same time. After a crash, calling
 * `dropKeptStates` again finishes the work.
 */
import type { Database, Queries } from '../database.ts'
import { kyselyOnPostgres } from './dialect.ts'
import { createPool } from './pool.ts'
import type { PostgresOptions } from './postgres.ts'
import { listKeptSchemas } from './replacement.ts'

/**
 * Returns the names of the dropped schemas. `discardObjects` is called with each kept state before it is
 * dropped. It must find the objects of this state that no row of the live database owns, and put them on the
 * discard list of the live database.
 */
export async function dropKeptStates(
  { url, log }: Pick<PostgresOptions, 'url' | 'log'>,
  liveDatabase: Database,
  discardObjects: (keptState: Queries) => Promise<void>,
): Promise<string[]> {
  await using pool = createPool({ url, schema: 'public', log })
  const schemas = await listKeptSchemas(pool)
  for (const schema of schemas) {
    {
      await using keptPool = createPool({ url, schema, log })
      await discardObjects(kyselyOnPostgres(keptPool.run('long')))
    }
    await pool.run('long')(`drop schema "${schema}" cascade`)
  }
  // This must be last: as long as the table `kept` lists the files of a schema, the service does not remove
  // their objects as orphans.
  await liveDatabase.transaction(tx => tx.deleteFrom('kept').execute())
  return schemas
}
