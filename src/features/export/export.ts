/**
 * Writes a list of files as text: JSON with the fields that the API returns for a file, CSV for spreadsheets,
 * or a Lua table of addresses.
 */

import { localTime } from '../../base/local-time.ts'
import { luaString } from '../../base/lua-string.ts'
import { fileAddress } from '../../contract/paths/addresses.ts'
import type { CsvCell } from '../../http/answers/csv.ts'
import { fileOnWire, type WireRow } from '../library/list/file-on-wire.ts'

export interface ExportParts {
  rows: AsyncIterable<WireRow>
  /** Number of characters to omit at the beginning of each path in a Lua table. */
  omittedLength: number
  publicUrl: string
}

/** A bare JSON array, one file per line. */
export async function* exportJson(parts: ExportParts): AsyncGenerator<string> {
  yield '['
  let separator = '\n'
  for await (const row of parts.rows) {
    yield separator + JSON.stringify(fileOnWire(row, parts.publicUrl))
    separator = ',\n'
  }
  yield '\n]\n'
}

/** Cells in the order of `FILE_EXPORT_COLUMNS`. */
export async function* exportCsvRows(parts: ExportParts): AsyncGenerator<CsvCell[]> {
  for await (const row of parts.rows) {
    yield [
      row.path,
      fileAddress(parts.publicUrl, row.path),
      row.kind,
      row.mime,
      row.size,
      row.sha256,
      localTime(row.updated_at),
      row.retrievals,
      row.retrieved_at === null ? null : localTime(row.retrieved_at),
      row.width,
      row.height,
      // The number gets a decimal comma: spreadsheets that expect `;` between cells expect the comma too, and
      // would read a number with a decimal point as a date.
      row.duration === null ? null : String(row.duration).replace('.', ','),
      row.token_id,
      row.id,
    ]
  }
}

/**
 * Yields a Lua chunk that returns a table. It maps each path, without its first `omittedLength` characters,
 * to the address of the file.
 */
export async function* exportLua({ rows, omittedLength, publicUrl }: ExportParts): AsyncGenerator<string> {
  yield 'return {\n'
  for await (const { path } of rows) {
    yield `  [${luaString(path.slice(omittedLength))}] = ${luaString(fileAddress(publicUrl, path))},\n`
  }
  yield '}\n'
}
