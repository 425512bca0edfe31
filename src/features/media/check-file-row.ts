/**
 * Checks the row of a file in the library or the trash, whether it comes from an upload, an archive or the
 * disk. The check is needed because every reader trusts a row: its media type goes into a header, its size
 * decides what is sent, its path and id become names on disk.
 */

import { TRASH_REASONS } from '../../contract/files/choices.ts'
import { isMediaType, KINDS, kindOf } from '../../contract/paths/kinds.ts'
import { isValidPath } from '../../contract/paths/path-rules.ts'
import { DERIVED_PARTS, sizeColumn } from '../../storage/derived-parts.ts'

// The checks are plain functions, because checking with a schema took 5 % of the time of an upload.
type ValueCheck = (value: unknown) => boolean

const isText = (value: unknown): value is string => typeof value === 'string'
const isIntegerWithin = (value: unknown, min: number, max: number) =>
  Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max
const isCount: ValueCheck = value => isIntegerWithin(value, 0, Number.MAX_SAFE_INTEGER)
const isRowNumber: ValueCheck = value => isIntegerWithin(value, 1, Number.MAX_SAFE_INTEGER)
/** Within the range of a JavaScript `Date`. */
const isTime: ValueCheck = value => isIntegerWithin(value, -8.64e15, 8.64e15)
const nullable = (isValid: ValueCheck) => (value: unknown) => value === null || isValid(value)

const REQUIRED_COLUMN_CHECKS = Object.entries<ValueCheck>({
  id: value => isText(value) && /^[0-9a-z]{16}$/.test(value),
  path: value => isText(value) && isValidPath(value),
  size: isCount,
  sha256: value => isText(value) && /^[0-9a-f]{64}$/.test(value),
  mime: value => isText(value) && isMediaType(value),
  kind: value => KINDS.includes(value as never),
  token_id: nullable(isText),
  created_at: isTime,
  updated_at: isTime,
})

/**
 * Columns that a new row may leave out because the database fills them, or that only one of the tables
 * `media` and `trash` has.
 */
const OPTIONAL_COLUMN_CHECKS = Object.entries<ValueCheck>({
  nr: isRowNumber,
  placed_at: nullable(isTime),
  restored_at: nullable(isTime),
  derived_at: nullable(isTime),
  width: nullable(isCount),
  height: nullable(isCount),
  duration: nullable(value => Number.isFinite(value) && Number(value) >= 0),
  ...Object.fromEntries(DERIVED_PARTS.map(part => [sizeColumn(part), nullable(isCount)])),
  retrievals: isCount,
  retrieved_at: nullable(isTime),
  derived: value => ['pending', 'done', 'failed'].includes(value as never),
  derive_attempts: isCount,
  media_nr: nullable(isRowNumber),
  deleted_at: isTime,
  deleted_by: isText,
  removal_reason: value => TRASH_REASONS.includes(value as never),
})

/** Returns the name of the first column with an invalid value; null if the row may be written. */
export function findInvalidColumn(row: Readonly<Record<string, unknown>>): string | null {
  for (const [column, isValid] of REQUIRED_COLUMN_CHECKS) if (!isValid(row[column])) return column
  for (const [column, isValid] of OPTIONAL_COLUMN_CHECKS)
    if (row[column] !== undefined && !isValid(row[column])) return column
  return row.kind === kindOf(String(row.mime)) ? null : 'kind'
}

/**
 * Returns the row; throws if a column is invalid. For rows that this program has made, where an invalid
 * column is a bug.
 */
export function validateRow<Row extends Readonly<Record<string, unknown>>>(row: Row): Row {
  const column = findInvalidColumn(row)
  if (column !== null) throw new Error(`the row of ${String(row.path)} is not written: ${column} is invalid`)
  return row
}
