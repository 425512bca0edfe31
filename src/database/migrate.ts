/** Brings a database to the newest schema. Each migration runs once, in the same transaction that records it. */
import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from './engine-traits.ts'

type Migration = { up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> }

/** The migrations in order, each a file in `migrations/`. A released name never changes. */
export const MIGRATION_NAMES: readonly string[] = [
  '0001-heart',
  '0002-token-usage',
  '0003-session',
  '0004-history',
  '0006-library',
  '0007-settings',
  '0008-trash-shares',
  '0009-leases',
  '0010-backup',
  '0011-scrub',
  '0012-notices',
  '0013-job-runs',
  '0014-short-search',
  '0015-encoders',
  '0016-upload-ids',
  '0017-actor-kinds',
  '0018-backup-places',
  '0019-setup-code',
  '0020-derive-claims',
  '0021-progress',
  '0022-engine-own',
  '0025-instance',
  '0026-strip-metadata',
  '0027-natural-order',
  '0030-running',
  '0031-actions',
  '0032-statistics',
  '0035-postgres-search',
  '0037-given-key',
  '0039-postgres-walks',
  '0041-unretrieved',
]

export class NewerDatabaseError extends Error {
  readonly code = 'NEWER_DATABASE'

  constructor(unknown: readonly string[]) {
    super(
      `the database was made by a newer version of the service (${unknown.join(', ')}); it was left untouched`,
    )
    this.name = 'NewerDatabaseError'
  }
}

/**
 * `db` must be a transaction that excludes every other process. `only` restricts the migrations to these names, for
 * loading rows that come from an earlier version.
 */
export async function migrate(
  db: Kysely<unknown>,
  engine: EngineTraits,
  only: readonly string[] = MIGRATION_NAMES,
): Promise<void> {
  await sql`create table if not exists migration (name text primary key, applied_at ${sql.raw(String(engine.bigint))} not null)`.execute(
    db,
  )
  const { rows } = await sql<{ name: string }>`select name from migration`.execute(db)
  const applied = new Set(rows.map(row => row.name))
  const unknown = [...applied].filter(name => !MIGRATION_NAMES.includes(name))
  if (unknown.length > 0) throw new NewerDatabaseError(unknown)
  for (const name of MIGRATION_NAMES) {
    if (applied.has(name) || !only.includes(name)) continue
    // Loaded only now: a database that is up to date needs none of them.
    const migration: Migration = await import(`./migrations/${name}.ts`)
    await migration.up(db, engine)
    await sql`insert into migration (name, applied_at) values (${name}, ${Date.now()})`.execute(db)
  }
}
