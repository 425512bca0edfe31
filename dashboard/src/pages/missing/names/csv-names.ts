/** Reads names from a CSV table: from the column with a known heading, else from the first column. */

const SEPARATORS = [';', '\t', ','] as const

/** Known headings in order of preference: a column of picture names is preferred to one of item names. */
const HEADINGS = ['image', 'bild', 'dateiname', 'datei', 'filename', 'file', 'name', 'item', 'id', 'key']

export function csvNames(text: string): string[] {
  const separator = separatorOf(text) ?? ','
  const [first = [], ...rest] = csvRows(text, separator)
  const headings = first.map(cell => cell.trim().toLowerCase())
  const columns = HEADINGS.map(heading => headings.indexOf(heading)).filter(at => at >= 0)
  if (columns.length === 0) return [first, ...rest].map(([cell = '']) => cell.trim())
  // The first known column that is not empty: a row without a picture name may still have an item name.
  return rest.map(row => columns.map(at => row[at]?.trim() ?? '').find(cell => cell !== '') ?? '')
}

/** The separator that occurs equally often in each of the first 20 lines; null if the text is not a table. */
export function separatorOf(text: string): string | null {
  const lines = text
    .split(/\r?\n/)
    .filter(line => line.trim() !== '')
    .slice(0, 20)
  if (lines.length < 2) return null
  const separatorCounts = (separator: string) =>
    lines.map(line => withoutQuotedText(line).split(separator).length - 1)
  const isConsistent = (separator: string) => {
    const [first = 0, ...others] = separatorCounts(separator)
    return first > 0 && others.every(count => count === first)
  }
  return SEPARATORS.find(isConsistent) ?? null
}

export const hasHeading = (text: string, separator: string) =>
  csvRows(text.split(/\r?\n/, 1)[0] ?? '', separator)
    .flat()
    .some(cell => HEADINGS.includes(cell.trim().toLowerCase()))

const withoutQuotedText = (line: string) => line.replace(/"(?:[^"]|"")*"/g, '')

/**
 * Parses the rows of a CSV text, with quotes as spreadsheets write them: a line break within quotes belongs
 * to its cell.
 */
function csvRows(text: string, separator: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const cellPattern = new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}\r\n]*))(${separator}|\r?\n|$)`, 'gy')
  for (const [, quoted, plain, end] of text.matchAll(cellPattern)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === separator) continue
    if (row.some(each => each.trim() !== '')) rows.push(row)
    row = []
    if (end === '') break
  }
  return rows
}
