/**
 * The queries of the health checks. All are fast: they look up single rows or read tables that are usually
 * small.
 */
import type { Selectable } from 'kysely'
import type { Queries } from '../../database/database.ts'
import type { MediaTable } from '../../database/schema.ts'

export type FileToCheck = Pick<Selectable<MediaTable>, 'nr' | 'object' | 'size'>

export async function hasFiles(db: Queries): Promise<boolean> {
  return (await db.selectFrom('media').select('nr').limit(1).executeTakeFirst()) !== undefined
}

export async function fileAtOrAfter(db: Queries, nr: number): Promise<FileToCheck | null> {
  const row = await db
    .selectFrom('media')
    .select(['nr', 'object', 'size'])
    .where('nr', '>=', nr)
    .orderBy('nr')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

export async function fileReportedMissing(db: Queries): Promise<FileToCheck | null> {
  const row = await db
    .selectFrom('finding')
    .innerJoin('media', 'media.id', 'finding.id')
    .select(['nr', 'object', 'size'])
    .where('reason', '=', 'missing')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** When the instance was created: the time of the first migration. */
export async function instanceCreatedAt(db: Queries): Promise<number> {
  const { since: createdAt } = await db
    .selectFrom('migration')
    .select(({ fn }) => fn.min<number | string>('applied_at').as('since'))
    .executeTakeFirstOrThrow()
  return Number(createdAt)
}
