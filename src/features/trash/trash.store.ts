/** Rows of the trash. A content id has a row in `media` or in `trash`, never in both. */
import type { Selectable } from 'kysely'
import { EARLIER_VERSION_DETAIL } from '../../contract/files/history-details.ts'
import type { TrashFilter } from '../../contract/files/trash.ts'
import { countRows } from '../../database/count-rows.ts'
import type { Queries } from '../../database/database.ts'
import type { DerivedState, TrashTable } from '../../database/schema.ts'
import type { Actor } from '../../http/access/actor.ts'
import { type Area, isWholeLibrary } from '../../http/access/library-area.ts'
import { whereInArea } from '../folders/folder-keys.ts'
import { recordHistory } from '../history/history.store.ts'
import { discardObjects, objectsOf } from '../media/media.store.ts'
import { keptColumns } from '../media/trash-entries.ts'
import { dropUploadIds } from '../media/upload-ids.store.ts'
import { deleteFileDays } from '../retrievals/file-days.store.ts'
import type { ActionRecord } from './move-to-trash.ts'

export type TrashRow = Selectable<TrashTable>

/**
 * An entry to restore. `placed_at`: when its content came to its path. `restored_at`: when it was restored.
 */
export type RowToRestore = TrashRow & { placed_at: number; restored_at: number }

/**
 * Restores files to their paths, which must be free. They keep the token that uploaded them, their retrieval
 * counts and, unless `media_nr` is null, their numbers. Returns their numbers in the library by content id.
 * If `derivedStateOf` returns `pending`, the derived files are made again; until then the earlier preview is
 * served.
 */
export async function restoreEntries(
  tx: Queries,
  entries: readonly RowToRestore[],
  derivedStateOf: (mime: string) => DerivedState,
): Promise<ReadonlyMap<string, number>> {
  if (entries.length === 0) return new Map()
  const trashNumbers = entries.map(({ nr }) => nr)
  await tx.deleteFrom('trash').where('nr', 'in', trashNumbers).execute()
  const mediaRows = entries.map(entry => ({
    ...keptColumns(entry),
    placed_at: entry.placed_at,
    restored_at: entry.restored_at,
    derived: derivedStateOf(entry.mime),
    ...(entry.media_nr !== null && { nr: entry.media_nr }),
  }))
  const rows = await tx.insertInto('media').values(mediaRows).returning(['nr', 'id']).execute()
  await tx
    .insertInto('relocation')
    .values(rows.map(({ nr }) => ({ media_nr: nr })))
    .execute()
  return new Map(rows.map(({ nr, id }) => [id, nr]))
}

/**
 * Deletes entries for good, with their upload ids and daily retrieval counts. Their objects are discarded: a
 * job deletes them from `dueAt` on.
 */
export async function removeEntries(
  tx: Queries,
  rows: readonly TrashRow[],
  actor: Actor,
  { at: removedAt, action, dueAt }: ActionRecord & { dueAt: number },
): Promise<void> {
  if (rows.length === 0) return
  const entryNumbers = rows.map(row => row.nr)
  await tx.deleteFrom('trash').where('nr', 'in', entryNumbers).execute()
  await deleteFileDays(
    tx,
    rows.flatMap(({ media_nr }) => media_nr ?? []),
  )
  await discardObjects(tx, rows.flatMap(objectsOf), dueAt)
  await dropUploadIds(
    tx,
    rows.map(row => row.id),
  )
  const historyEntries = rows.map(({ path, size, removal_reason }) => ({
    what: 'entfernt' as const,
    path,
    bytes: size,
    ...(removal_reason === 'ueberschrieben' && { details: EARLIER_VERSION_DETAIL }),
  }))
  await recordHistory(tx, actor, removedAt, historyEntries, action)
}

/** Number and total bytes of all files in the trash. */
export async function trashTotal(db: Queries): Promise<{ files: number; bytes: number }> {
  const { files, bytes } = await db
    .selectFrom('trash_total')
    .select(['files', 'bytes'])
    .executeTakeFirstOrThrow()
  return { files: Number(files), bytes: Number(bytes) }
}

export async function trashBytesInArea(db: Queries, area: Area): Promise<number> {
  if (isWholeLibrary(area)) return (await trashTotal(db)).bytes
  const row = await selectMatchingEntries(db, {}, area)
    .select(({ fn }) => fn.sum<number | string | null>('size').as('bytes'))
    .executeTakeFirst()
  return Number(row?.bytes ?? 0)
}

/** Selects the entries that match the filter. `pfad` and `grund` each have an index. */
const selectMatchingEntries = (db: Queries, { pfad, grund }: TrashFilter, area: Area) =>
  db
    .selectFrom('trash')
    .where(({ and }) => and(whereInArea('path', area)))
    .$if(pfad !== undefined, query => query.where('path', '=', pfad!))
    .$if(grund !== undefined, query => query.where('removal_reason', '=', grund!))

export async function countEntries(db: Queries, filter: TrashFilter, area: Area): Promise<number> {
  const isWholeTrash = isWholeLibrary(area) && Object.values(filter).every(value => value === undefined)
  return isWholeTrash ? (await trashTotal(db)).files : countRows(selectMatchingEntries(db, filter, area))
}

/** A page of the entries that match a filter, newest first. */
export function listEntries(
  db: Queries,
  filter: TrashFilter,
  area: Area,
  page: { limit: number; offset: number },
): Promise<TrashRow[]> {
  return selectMatchingEntries(db, filter, area)
    .selectAll()
    .orderBy('deleted_at', 'desc')
    .orderBy('nr', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
}

/**
 * The oldest entries, oldest first; with `deletedBefore`, only entries that were deleted before this time.
 */
export function oldestEntries(db: Queries, limit: number, deletedBefore?: number): Promise<TrashRow[]> {
  return db
    .selectFrom('trash')
    .selectAll()
    .$if(deletedBefore !== undefined, query => query.where('deleted_at', '<', deletedBefore!))
    .orderBy('deleted_at')
    .orderBy('nr')
    .limit(limit)
    .execute()
}

/** Finds entries by number. An entry outside of the area is not found, like one that does not exist. */
export function findEntries(db: Queries, entryNumbers: readonly number[], area: Area): Promise<TrashRow[]> {
  if (entryNumbers.length === 0) return Promise.resolve([])
  return selectMatchingEntries(db, {}, area).selectAll().where('nr', 'in', entryNumbers).execute()
}

/** At most `limit` entries up to and including the number `lastNumber`, ordered by number. */
export function entriesUpToNumber(
  db: Queries,
  lastNumber: number,
  area: Area,
  limit: number,
): Promise<TrashRow[]> {
  return selectMatchingEntries(db, {}, area)
    .selectAll()
    .where('nr', '<=', lastNumber)
    .orderBy('nr')
    .limit(limit)
    .execute()
}
