/**
 * CSV for spreadsheets: `;` as separator, CRLF, and a byte order mark, without which umlauts are misread.
 * Rows are produced as the client reads.
 */

import { textStream } from '../bodies/streams.ts'
import { StreamAnswer } from '../server/answers.ts'

export type CsvCell = string | number | null

const BYTE_ORDER_MARK = '\uFEFF'

/**
 * Matches the position before text that a spreadsheet would run as a formula (OWASP, "CSV Injection"): at the
 * start of a cell, or after a character that a spreadsheet with other settings considers a separator. After
 * such a separator, our quotes start in the middle of a cell and do not protect it. Spaces, quotes and
 * invisible characters before a formula are skipped, because some programs strip them. Full-width signs count
 * like ASCII signs.
 */
const FORMULA_START = /(^|[,;|])(?=[\s"'\p{Cf}]*[=+\-@＝＋－＠])/gu

/**
 * Replaced by a space within cells, so that lines end only where rows end, and a terminal that shows the file
 * gets no control characters.
 */
const CONTROL_CHARACTERS = /[\p{Cc}\u2028\u2029]+/gu

const NEEDS_QUOTES_PATTERN = /[;"]|^\s|\s$/

export function csvCell(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const escapedCell = cell.replace(CONTROL_CHARACTERS, ' ').replace(FORMULA_START, "$1'")
  return NEEDS_QUOTES_PATTERN.test(escapedCell) ? `"${escapedCell.replaceAll('"', '""')}"` : escapedCell
}

const csvLine = (cells: readonly CsvCell[]) => `${cells.map(csvCell).join(';')}\r\n`

export const csvStream = (
  header: readonly string[],
  rows: AsyncIterable<readonly CsvCell[]>,
): ReadableStream<Uint8Array> => textStream(csvText(header, rows))

export async function* csvText(
  header: readonly string[],
  rows: AsyncIterable<readonly CsvCell[]> | Iterable<readonly CsvCell[]>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(header)
  for await (const row of rows) yield csvLine(row)
}

/** `name` is the file name. It must be chosen by the service, because it is not escaped. */
export function csvResponse(name: string, stream: ReadableStream<Uint8Array>): Response {
  return new StreamAnswer(stream, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}"`,
    },
  })
}
