/** The files of the library as text: JSON with every field, rows of CSV for spreadsheets, and Lua. */
import { fileAddress } from '../../contract/addresses.ts'
import type { Database } from '../../database/database.ts'
import type { CsvCell } from '../../http/csv.ts'
import { localTime } from '../../local-time.ts'
import { luaString } from '../../lua.ts'
import { walkFiles } from '../folders/files-below.ts'
import { keyOf } from '../folders/folder-keys.ts'
import { fileOnWire, WIRE_COLUMNS } from '../library/wire.ts'

export interface ExportParts {
  database: Database
  /** The folder to export; empty: the whole library. */
  folder: string
  publicUrl: string
}

const rowsOf = ({ database, folder }: ExportParts) => walkFiles(database.read, folder, WIRE_COLUMNS)

/** A JSON array without anything around it, one file per line. */
export async function* exportJson(parts: ExportParts): AsyncGenerator<string> {
  yield '['
  let separator = '\n'
  for await (const row of rowsOf(parts)) {
    yield separator + JSON.stringify(fileOnWire(row, parts.publicUrl))
    separator = ',\n'
  }
  yield '\n]\n'
}

/** One row per file, with the cells in the order of `FILE_COLUMNS`. */
export async function* exportRows(parts: ExportParts): AsyncGenerator<CsvCell[]> {
  for await (const row of rowsOf(parts)) {
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
      // With a decimal comma: spreadsheets that expect `;` between cells expect the comma too, and would read a number
      // with a point as a date.
      row.duration === null ? null : String(row.duration).replace('.', ','),
      row.token_id,
      row.id,
    ]
  }
}

/** A Lua chunk that returns a table: the path below the folder → the file's address. */
export async function* exportLua({ database, folder, publicUrl }: ExportParts): AsyncGenerator<string> {
  const start = keyOf(folder).length
  yield 'return {\n'
  for await (const { path } of walkFiles(database.read, folder, [])) {
    yield `  [${luaString(path.slice(start))}] = ${luaString(fileAddress(publicUrl, path))},\n`
  }
  yield '}\n'
}
