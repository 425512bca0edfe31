/** Reads names from a CSV table: from the columns with known headings, or else from the first column. */

const SEPARATORS = [';', '\t', ','] as const

/** Known headings, the preferred ones first: names of pictures before names of items. */
const HEADINGS = ['image', 'bild', 'dateiname', 'datei', 'filename', 'file', 'name', 'item', 'id', 'key']

export function csvNames(text: string): string[] {
  const separator = separatorOf(text) ?? ','
  const [first = [], ...rest] = csvRows(text, separator)
  const headings = first.map(cell => cell.trim().toLowerCase())
  const columnIndexes = HEADINGS.map(heading => headings.indexOf(heading)).filter(at => at >= 0)
  if (columnIndexes.length === 0) return [first, ...rest].map(([cell = '']) => cell.trim())
  // Each row gives its first cell under a known heading that is not empty: a row without a picture name may
  // still have an item name.
  return rest.map(row => columnIndexes.map(at => row[at]?.trim() ?? '').find(cell => cell !== '') ?? '')
}

/**
 * The separator that occurs equally often, at least once, in each of the first 20 lines that are not blank,
 * ignoring quoted text; null if there is none, or only one line.
 */
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

export const hasKnownHeading = (text: string, separator: string) =>
  csvRows(text.split(/\r?\n/, 1)[0] ?? '', separator)
    .flat()
    .some(cell => HEADINGS.includes(cell.trim().toLowerCase()))

const withoutQuotedText = (line: string) => line.replace(/"(?:[^"]|"")*"/g, '')

/**
 * Parses the rows of a CSV text, without blank ones. Quotes have the same meaning as in spreadsheets: a line
 * break within quotes belongs to its cell.
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
