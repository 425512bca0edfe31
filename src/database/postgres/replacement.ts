/**
 * Replaces a PostgreSQL database. The new rows are written into a schema of their own (`fundus_neu_<mark>`),
 * and the names of the new objects contain the same mark. At the end one transaction renames the live schema
 * to `fundus_vorher-<time>`, and the new schema to `fundus`.
 *
 * Crash points: before that transaction commits, the rows and objects of the live schema are untouched. The
 * rows of the unfinished schema name all new objects, since rows are written before bytes. So the next
 * restore or start can remove the schema and these objects (`removeUnfinishedReplacements`); an attempt that
 * resumes the interrupted one (`isResumable`) removes only the schema and uses the objects. After the commit,
 * everything is done. The connection that renames also holds `REPLACE_LOCK`: if this connection is lost
 * before the commit, the lock is released and nothing is renamed.
 *
 * The renamed schema keeps the earlier state, and its objects stay in the store: until `dropKeptStates`, the
 * table `kept` of the new schema lists the content ids of the earlier files, so that their objects are not
 * removed as orphans.
 */
import { sql } from 'kysely'
import { fileNameTime } from '../../base/local-time.ts'
import type { Log } from '../../base/log.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Database, Queries } from '../database.ts'
import { migrate } from '../migrate.ts'
import { DatabaseInUseError, type InstanceReplacement } from '../replacement.ts'
import { kyselyOnPostgres } from './dialect.ts'
import { takeLock } from './lock.ts'
import { createPool, type PostgresPool, type RunStatement } from './pool.ts'
import { hasSchema, LIVE_SCHEMA, openPostgres, type PostgresOptions } from './postgres.ts'
import { findRunningProcess, REPLACE_LOCK } from './presence.ts'
import { POSTGRES_QUERY_TRAITS, POSTGRES_TRAITS } from './traits.ts'

const NEW_SCHEMA_PREFIX = `${LIVE_SCHEMA}_neu_`
const KEPT_SCHEMA_PREFIX = `${LIVE_SCHEMA}_vorher-`
const NR_BELOW_ALL_ROWS = '0'

export interface PostgresReplacementParts extends Pick<PostgresOptions, 'url' | 'log' | 'acceptsUnflushed'> {
  now: () => number
  /**
   * A text in the names of the new schema and of the new objects, different for every attempt. Only an
   * attempt that resumes an earlier one passes the same text.
   */
  attemptMark: string
  /**
   * Whether the new objects stay if the attempt does not reach its end, for the next attempt with the same
   * mark.
   */
  isResumable: boolean
  /**
   * Opens the store of the instance with this id; `now` returns the time of the database's clock in Unix
   * milliseconds. If the id is null, there is no database yet, and the new instance adopts the id recorded in
   * the store, or gets a new one.
   */
  openStorage: (id: string | null, now: () => number) => Promise<InstanceStore>
}

interface InstanceStore {
  storage: Storage
  /** The id of the instance. */
  id: string
  /** Records the id in the store. */
  claim(): Promise<void>
}

/**
 * Begins to replace the database. Rejects with `DatabaseInUseError` if another process uses or replaces it.
 */
export async function beginPostgresReplacement(
  parts: PostgresReplacementParts,
): Promise<InstanceReplacement> {
  const { now, attemptMark: mark, isResumable } = parts
  const replacementLock = await takeReplaceLock(parts)
  let liveDatabase: Database | null = null
  let store: InstanceStore | undefined
  const schema = NEW_SCHEMA_PREFIX + mark

  async function release(): Promise<void> {
    // The last deferred step runs first, and all run even if one fails: the lock must not outlive the
    // replacement.
    await using cleanup = new AsyncDisposableStack()
    cleanup.defer(() => replacementLock.release())
    cleanup.defer(() => liveDatabase?.close())
    cleanup.defer(() => store?.storage.close())
    if (store) await removeUnfinishedReplacements(parts, store.storage, isResumable ? mark : null)
  }

  try {
    liveDatabase = (await hasSchema(replacementLock.run, LIVE_SCHEMA))
      ? await openPostgres({ ...parts, holdsReplaceLock: true })
      : null
    const instance = await liveDatabase?.read.selectFrom('instance').select('id').executeTakeFirstOrThrow()
    const clockOffset = (await readServerTime(replacementLock.run)) - now()
    store = await parts.openStorage(instance?.id ?? null, () => now() + clockOffset)
    await removeUnfinishedReplacements(parts, store.storage, isResumable ? mark : null)
  } catch (error) {
    await release().catch(() => {})
    throw error
  }
  const { storage, id, claim } = store
  return {
    release,
    freeBytes: async () => null,
    async liveHasRows(tables) {
      for (const table of liveDatabase ? tables : [])
        if (await liveDatabase!.read.selectFrom(table).select(sql`1`.as('one')).limit(1).executeTakeFirst())
          return true
      return false
    },
    async liveHasObjects() {
      for (const root of ['files/', 'trash/'])
        for await (const { name } of storage.list(root))
          if (!(isResumable && hasMark(name, mark))) return true
      return false
    },
    async load(migrations, writeRows) {
      await claim()
      return createAndFillSchema({ ...parts, schema, id, migrations }, (tx, queryTraits) =>
        writeRows({ tx, queryTraits, storage, mark }),
      )
    },
    async swap() {
      const keptSchema = (await hasSchema(replacementLock.run, LIVE_SCHEMA))
        ? await findFreeName(replacementLock.run, KEPT_SCHEMA_PREFIX + fileNameTime(now()))
        : null
      // The storage mark (`Storage.readMark`) is removed: the new database may be older than the live one on
      // purpose, and with the mark this would be reported as lost changes.
      await storage.writeMark(null)
      await runInTransaction(replacementLock.run, async run => {
        await takeLock(run, 'long')
        if (keptSchema !== null) await retireLiveSchema(run, { keptSchema, schema })
        await run(`alter schema "${schema}" rename to "${LIVE_SCHEMA}"`)
      })
      return keptSchema
    },
  }
}

/**
 * Opens the live database exclusively; null if there is none. Rejects with `DatabaseInUseError` if another
 * process uses or replaces it.
 */
export async function openPostgresExclusively(
  options: Pick<PostgresOptions, 'url' | 'log' | 'acceptsUnflushed'>,
): Promise<{ database: Database; release(): Promise<void> } | null> {
  const replacementLock = await takeReplaceLock(options)
  try {
    const database = (await hasSchema(replacementLock.run, LIVE_SCHEMA))
      ? await openPostgres({ ...options, holdsReplaceLock: true })
      : null
    if (!database) await replacementLock.release()
    const release = async () => {
      await database?.close()
      await replacementLock.release()
    }
    return database && { database, release }
  } catch (error) {
    await replacementLock.release()
    throw error
  }
}

/**
 * Takes `REPLACE_LOCK` exclusively, over a connection of its own. Rejects with `DatabaseInUseError` if
 * another command holds the lock or a running process uses the database.
 */
async function takeReplaceLock({ url, log }: Pick<PostgresOptions, 'url' | 'log'>) {
  await using opened = new AsyncDisposableStack()
  const pool = createPool({ url, schema: LIVE_SCHEMA, log })
  opened.defer(() => pool.close().catch(() => {}))
  const { run } = opened.use(await pool.reserve('long'))
  opened.defer(async () => {
    await run(`select pg_advisory_unlock(${REPLACE_LOCK})`).catch(() => {})
  })
  const { rows } = await run(`select pg_try_advisory_lock(${REPLACE_LOCK}) as free`)
  if (!(rows[0] as { free: boolean }).free)
    throw new DatabaseInUseError('another command replaces the database')
  const { rows: tableRows } = await run(`select to_regclass('${LIVE_SCHEMA}.running') is not null as known`)
  const otherProcess = (tableRows[0] as { known: boolean }).known
    ? await findRunningProcess(kyselyOnPostgres(run))
    : null
  if (otherProcess)
    throw new DatabaseInUseError(`a process on ${otherProcess.host} uses the database`, otherProcess)
  const held = opened.move()
  return { run, release: () => held.disposeAsync() }
}

interface LoadParts extends PostgresReplacementParts {
  schema: string
  id: string
  migrations: readonly string[]
}

/**
 * Creates and fills the new schema. While it is filled, each statement is a transaction of its own: nobody
 * sees the new schema before the swap, and after a failure the schema is dropped.
 */
async function createAndFillSchema<T>(
  parts: LoadParts,
  writeRows: (tx: Queries, queryTraits: typeof POSTGRES_QUERY_TRAITS) => Promise<T>,
): Promise<T> {
  const { url, log, schema, id, migrations } = parts
  await using pool = createPool({ url, schema, log })
  {
    using connection = await pool.reserve('long')
    await runInTransaction(connection.run, async run => {
      await run(`create schema "${schema}"`)
      await run('create extension if not exists pg_trgm with schema public')
      await migrate(kyselyOnPostgres(run) as never, POSTGRES_TRAITS, migrations)
    })
  }
  const result = await writeRows(kyselyOnPostgres(pool.run('long')), POSTGRES_QUERY_TRAITS)
  // Applies the remaining migrations, because the swap uses tables that they may create.
  await (await openPostgres({ ...parts, schema, holdsReplaceLock: true })).close()
  await pool.run('short')('update instance set id = $1', [id])
  return result
}

/**
 * Renames the live schema to `keptSchema`, and lists the content ids of its files in the table `kept` of the
 * new schema, so that their objects are not removed as orphans. Copies its discard list to the new schema, so
 * that the objects on the list are still removed when they are due, except objects that the new schema uses.
 */
async function retireLiveSchema(
  run: RunStatement,
  { keptSchema, schema }: { keptSchema: string; schema: string },
): Promise<void> {
  await run(`alter schema "${LIVE_SCHEMA}" rename to "${keptSchema}"`)
  await run(`insert into "${schema}".kept select id from "${keptSchema}".media union select id from "${keptSchema}".trash
    union select id from "${keptSchema}".kept`)
  // If a row was restored without its bytes, it names an object of the live state. Such an object must not be
  // discarded.
  await run(`insert into "${schema}".discard (object, due_at) select object, due_at from "${keptSchema}".discard d
    where not exists (select from "${schema}".media where object = d.object)
      and not exists (select from "${schema}".trash where object = d.object)`)
}

/** Whether an object's name contains this mark. */
const hasMark = (object: string, mark: string) => MARKED_NAME_PATTERN.exec(object)?.[1] === mark
const MARKED_NAME_PATTERN = /~[0-9a-z]{16}-([0-9a-z]{6})(?:~[wt][^/]*)?(?:\.[^./]*)?$/

/**
 * Removes the remains of interrupted attempts: their schemas and their new objects. Call it only while no
 * other process replaces the database. Objects with the mark `exceptMark` stay, for the attempt that
 * continues with them.
 */
export async function removeUnfinishedReplacements(
  { url, log }: { url: string; log: Log },
  storage: Storage,
  exceptMark: string | null = null,
): Promise<void> {
  await using pool = createPool({ url, schema: LIVE_SCHEMA, log })
  for (const schema of await listSchemasWithPrefix(pool, NEW_SCHEMA_PREFIX)) {
    const mark = schema.slice(NEW_SCHEMA_PREFIX.length)
    if (mark !== exceptMark)
      for (const table of ['media', 'trash'])
        for await (const objects of listObjectNames(pool, `"${schema}".${table}`)) {
          const errors = await storage.removeAll(objects.filter(object => hasMark(object, mark)))
          for (const error of errors.values()) throw error
        }
    await pool.run('long')(`drop schema "${schema}" cascade`)
  }
}

async function* listObjectNames(pool: PostgresPool, table: string): AsyncGenerator<string[]> {
  const run = pool.run('long')
  const { rows } = await run(`select to_regclass('${table}') is not null as known`)
  if (!(rows[0] as { known: boolean }).known) return
  for (let lastNr: string = NR_BELOW_ALL_ROWS; ; ) {
    const page = (
      await run(`select nr::text as nr, object from ${table} where nr > $1 order by nr limit 500`, [lastNr])
    ).rows as { nr: string; object: string }[]
    if (page.length === 0) return
    yield page.map(({ object }) => object)
    lastNr = page.at(-1)!.nr
  }
}

/** The names of the schemas that hold earlier states of the database. */
export const listKeptSchemas = (pool: PostgresPool) => listSchemasWithPrefix(pool, KEPT_SCHEMA_PREFIX)

async function listSchemasWithPrefix(pool: PostgresPool, prefix: string): Promise<string[]> {
  const { rows } = await pool.run('short')(
    'select nspname::text as name from pg_namespace where starts_with(nspname::text, $1) order by 1',
    [prefix],
  )
  return (rows as { name: string }[]).map(({ name }) => name)
}

/** The time of the server's clock in Unix milliseconds. */
async function readServerTime(run: RunStatement): Promise<number> {
  const { rows } = await run('select (extract(epoch from clock_timestamp()) * 1000)::float8 as clock')
  return (rows[0] as { clock: number }).clock
}

/**
 * A free schema name: `preferredName`, or `preferredName` with a number appended if that name is taken (by
 * another replacement in the same second).
 */
async function findFreeName(run: RunStatement, preferredName: string): Promise<string> {
  let name = preferredName
  for (let number = 2; await hasSchema(run, name); number++) name = `${preferredName}-${number}`
  return name
}

async function runInTransaction(
  run: RunStatement,
  work: (run: RunStatement) => Promise<void>,
): Promise<void> {
  await run('begin')
  try {
    await work(run)
    await run('commit')
  } catch (error) {
    await run('rollback').catch(() => {})
    throw error
  }
}
