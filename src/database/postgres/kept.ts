/**
 * Drops the earlier states that restores have kept. Each is a schema: its objects are put on the discard list
 * of the live database, unless a live row owns them, then the schema is dropped. Instances may run meanwhile.
 * After a crash, calling `dropKeptStates` again finishes the work.
 */
import type { Database, Queries } from '../database.ts'
import { kyselyOnPostgres } from './dialect.ts'
import { createPool } from './pool.ts'
import type { PostgresOptions } from './postgres.ts'
import { listKeptSchemas } from './replacement.ts'

/**
 * Returns the names of the dropped schemas. `discardObjects` must put the objects of the given kept state on
 * the discard list of the live database.
 */
export async function dropKeptStates(
  { url, log }: Pick<PostgresOptions, 'url' | 'log'>,
  liveDatabase: Database,
  discardObjects: (kept: Queries) => Promise<void>,
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
  // This must be last: the table `kept` protects the objects of schemas that are not dropped yet from the
  // sweep.
  await liveDatabase.transaction(tx => tx.deleteFrom('kept').execute())
  return schemas
}
