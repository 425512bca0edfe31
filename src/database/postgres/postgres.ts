/**
 * Opens our database on PostgreSQL, which several machines can share. It is a schema in the operator's
 * database.
 */
import type { Kysely } from 'kysely'
import type { Log } from '../../base/log.ts'
import {
  type Database,
  DatabaseBusyError,
  DatabaseRefusedError,
  NoInstanceError,
  type Queries,
} from '../database.ts'
import { migrate } from '../migrate.ts'
import { createStateReader } from './current-state.ts'
import { kyselyOnPostgres } from './dialect.ts'
import { findLockHolder, takeLock } from './lock.ts'
import { createPool, type PostgresPool, type RunStatement, searchPath } from './pool.ts'
import { preventReplacement } from './presence.ts'
import { POSTGRES_QUERY_TRAITS, POSTGRES_TRAITS } from './traits.ts'
import { postgresTransactions } from './transactions.ts'

/**
 * The PostgreSQL schema of the live tables. The names of schemas for new and for kept states begin with this
 * name (`replacement.ts`). All other schemas belong to the operator.
 */
export const LIVE_SCHEMA = 'fundus'

export interface PostgresOptions {
  url: string
  schema?: string
  log: Log
  /** This machine's clock in Unix milliseconds. */
  clock?: () => number
  /** Accept a server that does not flush its commits. Only for tests. */
  acceptsUnflushed?: boolean
  /**
   * Whether this process holds `REPLACE_LOCK`. If false, opening rejects with `DatabaseInUseError` while
   * another process holds that lock to replace the database.
   */
  holdsReplaceLock?: boolean
  /** If false, `openPostgres` rejects with `NoInstanceError` when the schema is missing. */
  mayCreate?: boolean
}

export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { url, schema = LIVE_SCHEMA, log, clock = Date.now, acceptsUnflushed = false } = options
  const pool = createPool({ url, schema, log })
  try {
    if (!acceptsUnflushed) await refuseNonDurableServer(pool)
    await refuseConnectionPooler(pool, schema)
    await retryWhileBusy(pool, log, () => createAndMigrate(pool, schema, options))
    const { noteServerClock, ...stateReader } = createStateReader(pool.run('short'), clock)
    await stateReader.currentState()
    const { transaction, waitUntilSettled } = postgresTransactions(pool, { noteServerClock })
    return {
      read: kyselyOnPostgres(pool.run('short')),
      slowRead: kyselyOnPostgres(pool.run('long')),
      queryTraits: POSTGRES_QUERY_TRAITS,
      transaction,
      // A commit is flushed before anybody sees it.
      waitUntilDurable: async () => {},
      snapshot: work => snapshot(pool, work),
      ...stateReader,
      // PostgreSQL itself notices if files of its data folder are missing.
      lostChangesMarker: () => null,
      // PostgreSQL tidies up by itself (autovacuum).
      tidy: async () => {},
      async close() {
        await waitUntilSettled()
        await pool.close()
      },
    }
  } catch (error) {
    await pool.close().catch(() => {})
    throw error
  }
}

/**
 * Refuses a server that does not flush commits: a change that was reported as stored must survive a power cut
 * of that server.
 */
async function refuseNonDurableServer(pool: PostgresPool): Promise<void> {
  const { rows } = await pool.run('short')(
    "select name from pg_settings where name in ('fsync', 'synchronous_commit') and setting = 'off' order by name",
  )
  const settingNames = (rows as { name: string }[]).map(({ name }) => name)
  if (settingNames.length > 0) throw new DatabaseRefusedError('unflushed', settingNames)
}

/**
 * Refuses a connection pooler that drops our search path: statements would then use tables of other schemas.
 */
async function refuseConnectionPooler(pool: PostgresPool, schema: string): Promise<void> {
  const { rows } = await pool.run('short')("select current_setting('search_path') as path")
  if ((rows[0] as { path: string }).path !== searchPath(schema))
    throw new DatabaseRefusedError('pooled', ['search_path'])
}

/**
 * Maximum number of attempts at startup to get the write lock while other processes write. Each attempt waits
 * up to 6 seconds for the lock (`lock.ts`), so the start waits for about two minutes in total: longer than a
 * large change usually takes.
 */
const MAX_START_ATTEMPTS = 20

/**
 * Runs `work`, and runs it again if it fails because another process writes, up to `MAX_START_ATTEMPTS` times
 * in all. Logs which connection holds the write lock.
 */
async function retryWhileBusy(pool: PostgresPool, log: Log, work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await work()
      return
    } catch (error) {
      if (!(error instanceof DatabaseBusyError) || attempt === MAX_START_ATTEMPTS) throw error
      const holder = await findLockHolder(pool.run('short')).catch(() => null)
      log.warn('the start waits for another process that is writing to the database', { ...holder })
    }
  }
}

/**
 * Creates the schema if it is missing, and migrates it. Rejects with `NoInstanceError` if it is missing and
 * `mayCreate` is false. Processes that start at the same time take turns.
 */
async function createAndMigrate(
  pool: PostgresPool,
  schema: string,
  { holdsReplaceLock: isReplacing = false, mayCreate = true }: PostgresOptions,
): Promise<void> {
  using connection = await pool.reserve('long')
  const { run } = connection
  try {
    await run('begin')
    if (!isReplacing) await preventReplacement(kyselyOnPostgres(run))
    await takeLock(run, 'long')
    if (!mayCreate && !(await hasSchema(run, schema))) throw new NoInstanceError()
    await run(`create schema if not exists "${schema}"`)
    // The extension for substring search is created outside our schema, because a restore replaces that
    // schema.
    await run('create extension if not exists pg_trgm with schema public')
    await migrate(kyselyOnPostgres(run) as unknown as Kysely<unknown>, POSTGRES_TRAITS)
    await run('commit')
  } catch (error) {
    await run('rollback').catch(() => {})
    throw error
  }
}

async function snapshot<T>(pool: PostgresPool, work: (db: Queries) => Promise<T>): Promise<T> {
  using connection = await pool.reserve('long')
  const { run } = connection
  try {
    await run('begin isolation level repeatable read read only')
    // PostgreSQL takes the snapshot at the first statement, not at `begin`.
    await run('select 1')
    return await work(kyselyOnPostgres(run))
  } finally {
    await run('rollback').catch(() => {})
  }
}

export async function hasSchema(run: RunStatement, schema: string): Promise<boolean> {
  const { rows } = await run(`select to_regnamespace('"${schema}"') is not null as known`)
  return (rows[0] as { known: boolean }).known
}
