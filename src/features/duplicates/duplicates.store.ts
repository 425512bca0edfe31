/**
 * Finds files with equal contents. Only files whose size occurs more than once are compared; the index on
 * sizes finds them. An index on checksums would cost every upload more than this rare query is worth
 * (decision 0012).
 */
import { sql } from 'kysely'
import { DUPLICATES_MAX_SHOWN } from '../../contract/values/input-limits.ts'
import type { Queries } from '../../database/database.ts'
import { WIRE_COLUMNS, type WireRow } from '../library/list/file-on-wire.ts'
import type { MediaRow } from '../media/media.store.ts'

/**
 * A group of files with equal contents: their checksum, the size of each file in bytes, and how many there
 * are.
 */
export interface DuplicateGroup {
  sha256: string
  size: number
  files: number
}

interface GroupPage {
  groups: DuplicateGroup[]
  /**
   * Totals over all pages: the number of groups, the number of surplus files (all but one of each group), and
   * the bytes of the surplus files.
   */
  groupCount: number
  surplusCount: number
  surplusBytes: number
}

/** The groups of equal files. Empty files waste no space and are left out. */
const GROUPS_QUERY = sql`select size, sha256, count(*) as files from media
  where size > 0 and size in (select size from media group by size having count(*) > 1)
  group by size, sha256 having count(*) > 1`

/** Reads a page of the groups, those that waste most space first. */
export async function readGroupPage(
  db: Queries,
  { offset, limit }: { offset: number; limit: number },
): Promise<GroupPage> {
  const { rows } = await sql<DuplicateGroup & { total: number; surplus: number; bytes: number }>`
    select size, sha256, files, count(*) over () as total, sum(files - 1) over () as surplus,
      sum((files - 1) * size) over () as bytes
    from (${GROUPS_QUERY}) as groups order by (files - 1) * size desc, sha256 limit ${limit} offset ${offset}
  `.execute(db)
  const [firstRow] = rows
  // Each row has the totals, so for a page beyond the last one they are read from the first page.
  if (!firstRow && offset > 0) return { ...(await readGroupPage(db, { offset: 0, limit: 1 })), groups: [] }
  return {
    groups: rows.map(({ sha256, size, files }) => ({ sha256, size: Number(size), files: Number(files) })),
    groupCount: Number(firstRow?.total ?? 0),
    surplusCount: Number(firstRow?.surplus ?? 0),
    surplusBytes: Number(firstRow?.bytes ?? 0),
  }
}

/**
 * Maps the checksum of each group to at most `DUPLICATES_MAX_SHOWN` of its files, those with the most
 * downloads first. Files with the same number of downloads are sorted by the time of their last change,
 * oldest first.
 */
export async function readFirstFiles(
  db: Queries,
  groups: readonly DuplicateGroup[],
): Promise<ReadonlyMap<string, WireRow[]>> {
  const filesByHash = new Map<string, WireRow[]>()
  if (groups.length === 0) return filesByHash
  const columns = sql.join(WIRE_COLUMNS.map(column => sql.ref(column)))
  const { rows } = await sql<WireRow>`select ${columns} from (
      select ${columns}, row_number() over (
        partition by sha256 order by retrievals desc, updated_at, nr
      ) as place
      from media where size in (${sql.join(groups.map(({ size }) => size))})
        and sha256 in (${sql.join(groups.map(({ sha256 }) => sha256))})
    ) as ranked where place <= ${DUPLICATES_MAX_SHOWN} order by sha256, place`.execute(db)
  for (const row of rows) filesByHash.set(row.sha256, [...(filesByHash.get(row.sha256) ?? []), row])
  return filesByHash
}

/**
 * Identifies a content. The size is part of it because the database has an index on sizes, but none on
 * checksums.
 */
type ContentKey = Pick<DuplicateGroup, 'sha256' | 'size'>

export async function countEqualFiles(db: Queries, { sha256, size }: ContentKey): Promise<number> {
  const row = await db
    .selectFrom('media')
    .select(({ fn }) => fn.countAll<number | string>().as('files'))
    .where('size', '=', size)
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  return Number(row?.files ?? 0)
}

/**
 * At most `limit` other files with the same content as the file `nr`. Files with a row number above `maxNr`
 * are excluded, since they were stored after the request began.
 */
export const otherEqualFiles = (
  tx: Queries,
  { nr, sha256, size }: ContentKey & { nr: number },
  { maxNr, limit }: { maxNr: number; limit: number },
): Promise<MediaRow[]> =>
  tx
    .selectFrom('media')
    .selectAll()
    .where('size', '=', size)
    .where('sha256', '=', sha256)
    .where('nr', '!=', nr)
    .where('nr', '<=', maxNr)
    .orderBy('nr')
    .limit(limit)
    .execute()
