/** Brings a database to the newest schema. Each migration runs once, in the same transaction that records it. */
import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from './engine-traits.ts'
import * as filesAndTokens from './migrations/0001-heart.ts'
import * as tokenUsage from './migrations/0002-token-usage.ts'
import * as session from './migrations/0003-session.ts'
import * as history from './migrations/0004-history.ts'
import * as library from './migrations/0006-library.ts'
import * as settings from './migrations/0007-settings.ts'
import * as trashAndShares from './migrations/0008-trash-shares.ts'
import * as leases from './migrations/0009-leases.ts'
import * as backup from './migrations/0010-backup.ts'
import * as scrub from './migrations/0011-scrub.ts'
import * as notices from './migrations/0012-notices.ts'
import * as jobRuns from './migrations/0013-job-runs.ts'
import * as shortSearch from './migrations/0014-short-search.ts'
import * as encoders from './migrations/0015-encoders.ts'
import * as uploadIds from './migrations/0016-upload-ids.ts'
import * as actorKinds from './migrations/0017-actor-kinds.ts'
import * as backupPlaces from './migrations/0018-backup-places.ts'
import * as setupCode from './migrations/0019-setup-code.ts'
import * as deriveClaims from './migrations/0020-derive-claims.ts'
import * as progress from './migrations/0021-progress.ts'
import * as engineOwn from './migrations/0022-engine-own.ts'
import * as instance from './migrations/0025-instance.ts'
import * as stripMetadata from './migrations/0026-strip-metadata.ts'
import * as naturalOrder from './migrations/0027-natural-order.ts'
import * as running from './migrations/0030-running.ts'
import * as actions from './migrations/0031-actions.ts'
import * as statistics from './migrations/0032-statistics.ts'
import * as postgresSearch from './migrations/0035-postgres-search.ts'
import * as givenKey from './migrations/0037-given-key.ts'
import * as postgresWalks from './migrations/0039-postgres-walks.ts'
import * as unretrieved from './migrations/0041-unretrieved.ts'

type Migration = { up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> }

/** The migrations in order. A released name never changes. */
const MIGRATIONS: readonly (readonly [name: string, migration: Migration])[] = [
  ['0001-heart', filesAndTokens],
  ['0002-token-usage', tokenUsage],
  ['0003-session', session],
  ['0004-history', history],
  ['0006-library', library],
  ['0007-settings', settings],
  ['0008-trash-shares', trashAndShares],
  ['0009-leases', leases],
  ['0010-backup', backup],
  ['0011-scrub', scrub],
  ['0012-notices', notices],
  ['0013-job-runs', jobRuns],
  ['0014-short-search', shortSearch],
  ['0015-encoders', encoders],
  ['0016-upload-ids', uploadIds],
  ['0017-actor-kinds', actorKinds],
  ['0018-backup-places', backupPlaces],
  ['0019-setup-code', setupCode],
  ['0020-derive-claims', deriveClaims],
  ['0021-progress', progress],
  ['0022-engine-own', engineOwn],
  ['0025-instance', instance],
  ['0026-strip-metadata', stripMetadata],
  ['0027-natural-order', naturalOrder],
  ['0030-running', running],
  ['0031-actions', actions],
  ['0032-statistics', statistics],
  ['0035-postgres-search', postgresSearch],
  ['0037-given-key', givenKey],
  ['0039-postgres-walks', postgresWalks],
  ['0041-unretrieved', unretrieved],
]

export const MIGRATION_NAMES: readonly string[] = MIGRATIONS.map(([name]) => name)

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
  const unknown = [...applied].filter(name => !MIGRATIONS.some(([known]) => known === name))
  if (unknown.length > 0) throw new NewerDatabaseError(unknown)
  for (const [name, migration] of MIGRATIONS) {
    if (applied.has(name) || !only.includes(name)) continue
    await migration.up(db, engine)
    await sql`insert into migration (name, applied_at) values (${name}, ${Date.now()})`.execute(db)
  }
}
