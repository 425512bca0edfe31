/** Migrates a database to the newest schema. Each migration runs once, in the transaction that records it. */
import { type Kysely, sql } from 'kysely'
import type { EngineTraits } from './engine-traits.ts'

type Migration = { up(db: Kysely<unknown>, engine: EngineTraits): Promise<void> }

/**
 * All migrations in order. Each is a file in `migrations/` that is loaded when needed. The name of a released
 * migration never changes.
 */
const MIGRATIONS: Readonly<Record<string, () => Promise<Migration>>> = {
  '0001-heart': () => import('./migrations/0001-0019/0001-heart.ts'),
  '0002-token-usage': () => import('./migrations/0001-0019/0002-token-usage.ts'),
  '0003-session': () => import('./migrations/0001-0019/0003-session.ts'),
  '0004-history': () => import('./migrations/0001-0019/0004-history.ts'),
  '0006-library': () => import('./migrations/0001-0019/0006-library.ts'),
  '0007-settings': () => import('./migrations/0001-0019/0007-settings.ts'),
  '0008-trash-shares': () => import('./migrations/0001-0019/0008-trash-shares.ts'),
  '0009-leases': () => import('./migrations/0001-0019/0009-leases.ts'),
  '0010-backup': () => import('./migrations/0001-0019/0010-backup.ts'),
  '0011-scrub': () => import('./migrations/0001-0019/0011-scrub.ts'),
  '0012-notices': () => import('./migrations/0001-0019/0012-notices.ts'),
  '0013-job-runs': () => import('./migrations/0001-0019/0013-job-runs.ts'),
  '0014-short-search': () => import('./migrations/0001-0019/0014-short-search.ts'),
  '0015-encoders': () => import('./migrations/0001-0019/0015-encoders.ts'),
  '0016-upload-ids': () => import('./migrations/0001-0019/0016-upload-ids.ts'),
  '0017-actor-kinds': () => import('./migrations/0001-0019/0017-actor-kinds.ts'),
  '0018-backup-places': () => import('./migrations/0001-0019/0018-backup-places.ts'),
  '0019-setup-code': () => import('./migrations/0001-0019/0019-setup-code.ts'),
  '0020-derive-claims': () => import('./migrations/0020-0039/0020-derive-claims.ts'),
  '0021-progress': () => import('./migrations/0020-0039/0021-progress.ts'),
  '0022-engine-own': () => import('./migrations/0020-0039/0022-engine-own.ts'),
  '0025-instance': () => import('./migrations/0020-0039/0025-instance.ts'),
  '0026-strip-metadata': () => import('./migrations/0020-0039/0026-strip-metadata.ts'),
  '0027-natural-order': () => import('./migrations/0020-0039/0027-natural-order.ts'),
  '0030-running': () => import('./migrations/0020-0039/0030-running.ts'),
  '0031-actions': () => import('./migrations/0020-0039/0031-actions.ts'),
  '0032-statistics': () => import('./migrations/0020-0039/0032-statistics.ts'),
  '0035-postgres-search': () => import('./migrations/0020-0039/0035-postgres-search.ts'),
  '0037-given-key': () => import('./migrations/0020-0039/0037-given-key.ts'),
  '0039-postgres-walks': () => import('./migrations/0020-0039/0039-postgres-walks.ts'),
  '0041-unretrieved': () => import('./migrations/0040-0059/0041-unretrieved.ts'),
  '0042-clock': () => import('./migrations/0040-0059/0042-clock.ts'),
  '0045-last-modified': () => import('./migrations/0040-0059/0045-last-modified.ts'),
  '0047-replaced': () => import('./migrations/0040-0059/0047-replaced.ts'),
  '0048-retention': () => import('./migrations/0040-0059/0048-retention.ts'),
  '0049-older-database': () => import('./migrations/0040-0059/0049-older-database.ts'),
  '0050-roles': () => import('./migrations/0040-0059/0050-roles.ts'),
  '0051-people': () => import('./migrations/0040-0059/0051-people.ts'),
  '0052-factors': () => import('./migrations/0040-0059/0052-factors.ts'),
  '0053-external-accounts': () => import('./migrations/0040-0059/0053-external-accounts.ts'),
  '0054-tickets': () => import('./migrations/0040-0059/0054-tickets.ts'),
  '0055-drop-links': () => import('./migrations/0040-0059/0055-drop-links.ts'),
  '0056-partial-uploads': () => import('./migrations/0040-0059/0056-partial-uploads.ts'),
  '0057-rehearsal': () => import('./migrations/0040-0059/0057-rehearsal.ts'),
  '0058-filters': () => import('./migrations/0040-0059/0058-filters.ts'),
  '0059-share-end': () => import('./migrations/0040-0059/0059-share-end.ts'),
  '0060-picture-sizes': () => import('./migrations/0060-0079/0060-picture-sizes.ts'),
  '0061-bookmarks': () => import('./migrations/0060-0079/0061-bookmarks.ts'),
}
export const MIGRATION_NAMES: readonly string[] = Object.keys(MIGRATIONS)

export class NewerDatabaseError extends Error {
  readonly code = 'NEWER_DATABASE'

  constructor(unknownNames: readonly string[]) {
    super(
      `the database was made by a newer version of the service (${unknownNames.join(', ')}); it was left untouched`,
    )
    this.name = 'NewerDatabaseError'
  }
}

/**
 * Applies the missing migrations; if `namesToApply` is given, only the missing migrations that it names. (A
 * restore inserts rows of an earlier version before it applies the newer migrations.) `db` must be a
 * transaction that excludes every other process. Rejects with `NewerDatabaseError` if the database has a
 * migration that this version does not know.
 */
export async function migrate(
  db: Kysely<unknown>,
  engine: EngineTraits,
  namesToApply: readonly string[] = MIGRATION_NAMES,
): Promise<void> {
  await sql`create table if not exists migration (name text primary key, applied_at ${sql.raw(String(engine.bigint))} not null)`.execute(
    db,
  )
  const { rows } = await sql<{ name: string }>`select name from migration`.execute(db)
  const appliedNames = new Set(rows.map(row => row.name))
  const unknownNames = [...appliedNames].filter(name => !MIGRATION_NAMES.includes(name))
  if (unknownNames.length > 0) throw new NewerDatabaseError(unknownNames)
  for (const [name, load] of Object.entries(MIGRATIONS)) {
    if (appliedNames.has(name) || !namesToApply.includes(name)) continue
    const migration = await load()
    await migration.up(db, engine)
    await sql`insert into migration (name, applied_at) values (${name}, ${Date.now()})`.execute(db)
  }
}
