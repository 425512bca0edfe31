/**
 * CSV as spreadsheets read it: `;` between cells, CRLF behind every line, a byte order mark so that umlauts
 * come out right. Rows are asked for as the client takes them, so a long list costs no more memory than a
 * short one.
 */

import { textStream } from '../bodies/streams.ts'
import { StreamAnswer } from '../server/sending/answers.ts'

export type CsvCell = string | number | null

const BYTE_ORDER_MARK = '\uFEFF'

/**
 * Finds text that a spreadsheet would run as a formula instead of showing it (OWASP, "CSV Injection"). Such
 * text is dangerous at the beginning of a cell. It is also dangerous behind a character that a spreadsheet
 * with another setting takes for a separator: for such a spreadsheet our quotes begin in the middle of a
 * cell, and then they do not hold the text together. Blanks and quotes before a formula do not make it
 * harmless: some programs strip them first. The wide forms of the signs are read like the narrow ones.
 */
const FORMULA = /(^|[,;|])(?=[\s"'\p{Cf}]*[=+\-@＝＋－＠])/gu

/**
 * Control characters are replaced within a cell too: lines end only where rows end, and there is no tab and
 * nothing that a terminal would obey.
 */
const CONTROL = /[\p{Cc}\u2028\u2029]+/gu

const NEEDS_QUOTES = /[;"]|^\s|\s$/

export function csvCell(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const harmless = cell.replace(CONTROL, ' ').replace(FORMULA, "$1'")
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

const csvLine = (cells: readonly CsvCell[]) => `${cells.map(csvCell).join(';')}\r\n`

export const csvStream = (
  header: readonly string[],
  rows: AsyncIterable<readonly CsvCell[]>,
): ReadableStream<Uint8Array> => textStream(csvText(header, rows))

/** The lines of a CSV, the first with the header. */
export async function* csvText(
  header: readonly string[],
  rows: AsyncIterable<readonly CsvCell[]> | Iterable<readonly CsvCell[]>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(header)
  for await (const row of rows) yield csvLine(row)
}

/** A download. The service itself chooses `name`, without any character that would have to be escaped. */
export function csvResponse(name: string, stream: ReadableStream<Uint8Array>): Response {
  return new StreamAnswer(stream, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}"`,
    },
  })
}
