/** Reads names from a CSV table: from the columns with known headings, or else from the first column. */

const SEPARATORS = [';', '\t', ','] as const

/** Known headings, the preferred ones first: names of pictures before names of items. */
const KNOWN_HEADINGS = [
  'image',
  'bild',
  'dateiname',
  'datei',
  'filename',
  'file',
  'name',
  'item',
  'id',
  'key',
]

export function csvNames(text: string): string[] {
  const separator = separatorOf(text) ?? ','
  const [firstRow = [], ...otherRows] = csvRows(text, separator)
  const headings = firstRow.map(cell => cell.trim().toLowerCase())
  const columnIndexes = KNOWN_HEADINGS.map(heading => headings.indexOf(heading)).filter(index => index >= 0)
  if (columnIndexes.length === 0) return [firstRow, ...otherRows].map(([cell = '']) => cell.trim())
  // Each row gives its first cell that is not empty, in the order of `KNOWN_HEADINGS`: a row without a
  // picture name may still have an item name.
  return otherRows.map(
    row => columnIndexes.map(index => row[index]?.trim() ?? '').find(cell => cell !== '') ?? '',
  )
}

/**
 * The separator that occurs the same number of times, at least once, in each of the first 20 lines that are
 * not blank; quoted text does not count. Null if there is no such separator, or if there are fewer than two
 * lines.
 */
export function separatorOf(text: string): string | null {
  const lines = text
    .split(/\r?\n/)
    .filter(line => line.trim() !== '')
    .slice(0, 20)
  if (lines.length < 2) return null
  const separatorCounts = (separator: string) =>
    lines.map(line => removeQuotedText(line).split(separator).length - 1)
  const isConsistent = (separator: string) => {
    const [firstCount = 0, ...otherCounts] = separatorCounts(separator)
    return firstCount > 0 && otherCounts.every(count => count === firstCount)
  }
  return SEPARATORS.find(isConsistent) ?? null
}

export const hasKnownHeading = (text: string, separator: string) =>
  csvRows(text.split(/\r?\n/).find(line => line.trim() !== '') ?? '', separator)
    .flat()
    .some(cell => KNOWN_HEADINGS.includes(cell.trim().toLowerCase()))

const removeQuotedText = (line: string) => line.replace(/"(?:[^"]|"")*"/g, '')

/**
 * Parses the rows of a CSV text and omits blank ones. Quotes have the same meaning as in spreadsheets: a line
 * break within quotes belongs to its cell.
 */
function csvRows(text: string, separator: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const cellPattern = new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}\r\n]*))(${separator}|\r?\n|$)`, 'gy')
  for (const [, quotedText, plainText, delimiter] of text.matchAll(cellPattern)) {
    row.push(quotedText?.replaceAll('""', '"') ?? plainText ?? '')
    if (delimiter === separator) continue
    if (row.some(cell => cell.trim() !== '')) rows.push(row)
    row = []
    if (delimiter === '') break
  }
  return rows
}
