/**
 * Lists the tables that an archive contains, and reads their rows. Comments in `TABLE_KEYS` say why the
 * others are left out. The type of that object makes sure that a new table is listed there.
 */
import { sql } from 'kysely'
import { readPages } from '../../../base/batches.ts'
import { isMediaType, kindOf } from '../../../contract/paths/kinds.ts'
import type { Queries } from '../../../database/database.ts'
import type { Schema } from '../../../database/schema.ts'
import { typeOfPath } from '../../upload/type-lookup.ts'

/** For each table, the unique key by which its rows are read; null if the table is not in the archive. */
const TABLE_KEYS = {
  setting: ['name'],
  account: ['id'],
  invitation: ['id'],
  totp: ['account_id'],
  emergency_code: ['account_id', 'hash'],
  passkey: ['id'],
  pinned_folder: ['account_id', 'place'],
  saved_filter: ['account_id', 'place'],
  token: ['id'],
  share: ['key'],
  drop_link: ['key'],
  retention_rule: ['nr'],
  retrieval_day: ['day'],
  retrieval_file_day: ['media_nr', 'day'],
  usage_day: ['day'],
  history: ['nr'],
  administration: ['nr'],
  upload_id: ['id'],
  media: ['nr'],
  trash: ['nr'],
  // Triggers fill the tables of totals during a restore. `discard` (objects to remove) and `relocation`
  // (files whose objects must be renamed) start empty after a restore: every object already has its final
  // name, and nothing has been discarded yet.
  folder_usage: null,
  token_usage: null,
  trash_total: null,
  unretrieved_total: null,
  discard: null,
  relocation: null,
  // Pictures in configured sizes are made again when they are requested.
  picture_size: null,
  // The bytes of unfinished uploads are not in the archive.
  partial_upload: null,
  // The tables from here to `drive` hold state of the running instance that does not apply after a restore. A
  // session that has ended since the backup must not become valid again, so everybody has to sign in after a
  // restore.
  session: null,
  spent_challenge: null,
  // A ticket that was used since the backup must not become valid again.
  ticket: null,
  login_lock: null,
  setup: null,
  lease: null,
  backup: null,
  rehearsal: null,
  progress: null,
  job_run: null,
  clock: null,
  upload_notice: null,
  message: null,
  disk_watch: null,
  scrub: null,
  finding: null,
  drive: null,
  // These tables describe the database itself, the processes that use it, and the earlier files whose objects
  // a restore has kept.
  migration: null,
  instance: null,
  running: null,
  kept: null,
} as const satisfies Record<keyof Schema, readonly string[] | null>

type ArchivedTable = {
  [Table in keyof typeof TABLE_KEYS]: (typeof TABLE_KEYS)[Table] extends null ? never : Table
}[keyof typeof TABLE_KEYS]

/** The tables whose rows describe files. The file list of an archive has the order of these rows. */
export const FILE_TABLES = ['media', 'trash'] as const satisfies ArchivedTable[]
export type FileTable = (typeof FILE_TABLES)[number]

export const NON_FILE_TABLES = (Object.keys(TABLE_KEYS) as (keyof typeof TABLE_KEYS)[]).filter(
  (table): table is Exclude<ArchivedTable, FileTable> =>
    TABLE_KEYS[table] !== null && !FILE_TABLES.includes(table as FileTable),
)

export type Row = Record<string, unknown>

/** Yields the rows of a table in the order of its key, page by page. */
export function rowsOf(
  db: Queries,
  table: ArchivedTable,
  columns?: readonly string[],
): AsyncGenerator<Row[]> {
  const keyColumns: readonly string[] = TABLE_KEYS[table]
  const { ref, table: tableRef } = db.dynamic
  return readPages<Row>((lastRow, limit) =>
    db
      .selectFrom(tableRef(table).as('t'))
      .$if(columns === undefined, query => query.selectAll())
      .$if(columns !== undefined, query => query.select(columns!.map(column => ref(column))))
      .$if(lastRow !== undefined, query => query.where(comesAfter(keyColumns, lastRow!)))
      .orderBy(columnList(keyColumns))
      .limit(limit)
      .execute(),
  )
}

/** Finds the rows that have the same keys as the given rows. */
export function rowsWithSameKeys(db: Queries, table: ArchivedTable, rows: readonly Row[]): Promise<Row[]> {
  const keyColumns: readonly string[] = TABLE_KEYS[table]
  const keyTuples = rows.map(row => sql`(${sql.join(keyColumns.map(column => row[column]))})`)
  return db
    .selectFrom(db.dynamic.table(table).as('t'))
    .selectAll()
    .where(sql<boolean>`(${columnList(keyColumns)}) in (values ${sql.join(keyTuples)})`)
    .execute() as Promise<Row[]>
}

/** The key of a row as text. */
export const rowKey = (table: ArchivedTable, row: Row) =>
  JSON.stringify((TABLE_KEYS[table] as readonly string[]).map(column => row[column]))

const columnList = (columns: readonly string[]) => sql`${sql.join(columns.map(column => sql.ref(column)))}`

/** The condition that a row comes after `lastRow` in the order of these columns. */
const comesAfter = (columns: readonly string[], lastRow: Row) =>
  sql<boolean>`(${columnList(columns)}) > (${sql.join(columns.map(column => lastRow[column]))})`

/**
 * Returns the row with a media type that a restore accepts: an invalid one is derived again from the path.
 * The column `kind` is derived from the media type. Earlier versions stored media types that are invalid in
 * an HTTP header, and one file with such a type must not prevent the restore of all others. Other columns
 * (path, id, numbers, hash) cannot be derived. They stay as they are, and `findInvalidColumn` reports invalid
 * ones. A row without a path is returned unchanged.
 */
export function correctedRow(row: Row): Row {
  const { path, mime } = row
  if (typeof path !== 'string') return row
  const usableType = typeof mime === 'string' && isMediaType(mime) ? mime : typeOfPath(path)
  return { ...row, mime: usableType, kind: kindOf(usableType) }
}
