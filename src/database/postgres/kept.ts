/**
 * Drops the earlier states that restores have kept. Their objects are put on the live discard list, unless a
 * live row owns them; then the schema is dropped. Instances may run meanwhile. A crash leaves a schema and
 * some of its objects; calling this again finishes.
 */
import type { Database, Queries } from '../database.ts'
import { kyselyOnPostgres } from './dialect.ts'
import { createPool } from './pool.ts'
import type { PostgresOptions } from './postgres.ts'
import { keptSchemas } from './replacement.ts'

/** `discardObjects` puts a kept state's objects on the live discard list. Returns the dropped states. */
export async function dropKeptStates(
  { url, log }: Pick<PostgresOptions, 'url' | 'log'>,
  liveDatabase: Database,
  discardObjects: (kept: Queries) => Promise<void>,
): Promise<string[]> {
  await using pool = createPool({ url, schema: 'public', log })
  const schemas = await keptSchemas(pool)
  for (const schema of schemas) {
    {
      await using inside = createPool({ url, schema, log })
      await discardObjects(kyselyOnPostgres(inside.run('long')))
    }
    await pool.run('long')(`drop schema "${schema}" cascade`)
  }
  // This must be last: until every schema is dropped, the sweep must know the objects of those that remain.
  await liveDatabase.transaction(tx => tx.deleteFrom('kept').execute())
  return schemas
}
