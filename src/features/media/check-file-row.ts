/**
 * Checks the row of a file in the library or the trash, wherever it comes from: an upload, an archive, the
 * disk. Every reader trusts a row: its type goes into a header, its length decides what is sent, its path and
 * id become names on disk.
 */

import { TRASH_REASONS } from '../../contract/files/choices.ts'
import { isMediaType, KINDS, kindOf } from '../../contract/paths/kinds.ts'
import { isValidPath } from '../../contract/paths/path-rules.ts'
import { DERIVED_PARTS, sizeColumn } from '../../storage/derived-parts.ts'

// The checks are plain functions, because checking with a schema took 5 % of the time of an upload.
type Check = (value: unknown) => boolean

const isText = (value: unknown): value is string => typeof value === 'string'
const isIntegerWithin = (value: unknown, min: number, max: number) =>
  Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max
const isCount: Check = value => isIntegerWithin(value, 0, Number.MAX_SAFE_INTEGER)
const isRowNumber: Check = value => isIntegerWithin(value, 1, Number.MAX_SAFE_INTEGER)
/** Within the range of a JavaScript `Date`. */
const isTime: Check = value => isIntegerWithin(value, -8.64e15, 8.64e15)
const isNullOr = (isValid: Check) => (value: unknown) => value === null || isValid(value)

const REQUIRED_COLUMNS = Object.entries<Check>({
  id: value => isText(value) && /^[0-9a-z]{16}$/.test(value),
  path: value => isText(value) && isValidPath(value),
  size: isCount,
  sha256: value => isText(value) && /^[0-9a-f]{64}$/.test(value),
  mime: value => isText(value) && isMediaType(value),
  kind: value => KINDS.includes(value as never),
  token_id: isNullOr(isText),
  created_at: isTime,
  updated_at: isTime,
})

/**
 * Columns that a new row may leave out because the database fills them, or that only one of the tables
 * `media` and `trash` has.
 */
const OPTIONAL_COLUMNS = Object.entries<Check>({
  nr: isRowNumber,
  placed_at: isNullOr(isTime),
  restored_at: isNullOr(isTime),
  derived_at: isNullOr(isTime),
  width: isNullOr(isCount),
  height: isNullOr(isCount),
  duration: isNullOr(value => Number.isFinite(value) && Number(value) >= 0),
  ...Object.fromEntries(DERIVED_PARTS.map(part => [sizeColumn(part), isNullOr(isCount)])),
  retrievals: isCount,
  retrieved_at: isNullOr(isTime),
  derived: value => ['pending', 'done', 'failed'].includes(value as never),
  derive_attempts: isCount,
  media_nr: isNullOr(isRowNumber),
  deleted_at: isTime,
  deleted_by: isText,
  removal_reason: value => TRASH_REASONS.includes(value as never),
})

/** Returns the name of the first column with an invalid value; null if the row may be written. */
export function findInvalidColumn(row: Readonly<Record<string, unknown>>): string | null {
  for (const [column, isValid] of REQUIRED_COLUMNS) if (!isValid(row[column])) return column
  for (const [column, isValid] of OPTIONAL_COLUMNS)
    if (row[column] !== undefined && !isValid(row[column])) return column
  return row.kind === kindOf(String(row.mime)) ? null : 'kind'
}

/**
 * Returns the row; throws if a column is invalid. For rows that this program has made, where an invalid
 * column is a bug.
 */
export function checkedRow<Row extends Readonly<Record<string, unknown>>>(row: Row): Row {
  const column = findInvalidColumn(row)
  if (column !== null) throw new Error(`the row of ${String(row.path)} is not written: ${column} is invalid`)
  return row
}
