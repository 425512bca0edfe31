/** Formats the table of old and new addresses as text, CSV, JSON or SQL. */
import { csvText } from '../../http/answers/csv.ts'
import type { DeliveryStatus } from './deliver.ts'

export interface ImportRow {
  from: string
  /** The new address; absent if the import failed. */
  to?: string
  path: string
  status: DeliveryStatus | 'failed'
  /** Why the import failed, as a sentence. */
  why?: string
}

export const IMPORT_OUTPUTS = ['text', 'csv', 'json', 'sql'] as const
export type ImportOutput = (typeof IMPORT_OUTPUTS)[number]

/**
 * The default template of an SQL statement. `{old}` (or `{alt}`) and `{new}` (or `{neu}`) are replaced by the
 * addresses; the user fills in table and column.
 */
export const SQL_TEMPLATE = "UPDATE your_table SET your_column = '{new}' WHERE your_column = '{old}';"

export async function formatImportTable(
  rows: readonly ImportRow[],
  output: ImportOutput,
  { template }: { template: string },
): Promise<string> {
  if (output === 'json') return JSON.stringify(rows, null, 1)
  const movedRows = rows.flatMap(({ from, to, path, status }) =>
    to === undefined || status === 'kept' ? [] : [{ from, to, path }],
  )
  if (output === 'sql') return movedRows.map(({ from, to }) => sqlStatement(template, from, to)).join('\n')
  if (output === 'text') return movedRows.map(({ from, to }) => `${from} → ${to}`).join('\n')
  let csv = ''
  const cells = movedRows.map(({ from, to, path }) => [from, to, path])
  for await (const line of csvText(['alt', 'neu', 'pfad'], cells)) csv += line
  return csv.trimEnd()
}

/**
 * In MySQL a backslash in a string begins an escape sequence, in standard SQL it does not. A value with a
 * backslash cannot be written for both, so its row becomes a comment.
 */
function sqlStatement(template: string, from: string, to: string): string {
  if (`${from}${to}`.includes('\\')) return `-- ${from.replace(/\s/g, ' ')}`
  const [oldAddress, newAddress] = [from, to].map(address => address.replaceAll("'", "''")) as [
    string,
    string,
  ]
  const quotedAddresses = { old: oldAddress, alt: oldAddress, new: newAddress, neu: newAddress }
  return template.replace(
    /\{(old|alt|new|neu)\}/g,
    (_, name: keyof typeof quotedAddresses) => quotedAddresses[name],
  )
}
