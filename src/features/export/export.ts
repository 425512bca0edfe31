/** The files of the library as text: JSON with every field, rows of CSV for spreadsheets, and Lua. */

import { localTime } from '../../base/local-time.ts'
import { luaString } from '../../base/lua-string.ts'
import { fileAddress } from '../../contract/paths/addresses.ts'
import type { CsvCell } from '../../http/answers/csv.ts'
import { fileOnWire, type WireRow } from '../library/list/wire.ts'

export interface ExportParts {
  rows: AsyncIterable<WireRow>
  /** How many characters of each path its name in a Lua table leaves out. */
  base: number
  publicUrl: string
}

/** A JSON array without anything around it, one file per line. */
export async function* exportJson(parts: ExportParts): AsyncGenerator<string> {
  yield '['
  let separator = '\n'
  for await (const row of parts.rows) {
    yield separator + JSON.stringify(fileOnWire(row, parts.publicUrl))
    separator = ',\n'
  }
  yield '\n]\n'
}

/** One row per file, with the cells in the order of `FILE_COLUMNS`. */
export async function* exportRows(parts: ExportParts): AsyncGenerator<CsvCell[]> {
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
      // With a decimal comma: spreadsheets that expect `;` between cells expect the comma too, and would read
      // a number with a point as a date.
      row.duration === null ? null : String(row.duration).replace('.', ','),
      row.token_id,
      row.id,
    ]
  }
}

/** A Lua chunk that returns a table: the path below the folder → the file's address. */
export async function* exportLua({ rows, base, publicUrl }: ExportParts): AsyncGenerator<string> {
  yield 'return {\n'
  for await (const { path } of rows) {
    yield `  [${luaString(path.slice(base))}] = ${luaString(fileAddress(publicUrl, path))},\n`
  }
  yield '}\n'
}
