/** The report of a push as text, JSON or a Lua table. */
import type { TextPair } from '../../base/language.ts'
import { luaString } from '../../base/lua-string.ts'
import type { Formatter } from '../formatter.ts'
import type { DeliveryStatus } from './deliver.ts'

export interface PushedFile {
  /** The name in the local folder. */
  name: string
  path: string
  status: DeliveryStatus | 'failed'
  size: number
  url?: string
  sha256?: string
  /** Why the upload failed, as a sentence. */
  why?: string
}

export const PUSH_OUTPUTS = ['text', 'json', 'lua'] as const
export type PushOutput = (typeof PUSH_OUTPUTS)[number]

export interface PushReportOptions {
  prefix: string
  dryRun: boolean
  formatter: Formatter
}

const STATUS_WORDS: Readonly<Record<PushedFile['status'], TextPair>> = {
  sent: ['gesendet', 'sent'],
  replaced: ['ersetzt', 'replaced'],
  failed: ['misslungen', 'failed'],
  kept: ['gelassen', 'kept'],
  present: ['schon da', 'present'],
}
const DRY_RUN_WORDS = {
  ...STATUS_WORDS,
  sent: ['würde gesendet', 'to be sent'],
  replaced: ['würde ersetzt', 'to be replaced'],
} as const

/**
 * The line about one file. It is part of the text report, and is printed immediately while a folder is
 * watched.
 */
export function fileLine(
  { status, name, url, why: reason }: PushedFile,
  { localize }: Formatter,
  dryRun = false,
): string {
  const statusWord = localize(...(dryRun ? DRY_RUN_WORDS : STATUS_WORDS)[status]).padEnd(dryRun ? 15 : 11)
  return status === 'failed' ? `${statusWord}${name}: ${reason}` : `${statusWord}${url}`
}

export function pushReport(
  files: readonly PushedFile[],
  output: PushOutput,
  options: PushReportOptions,
): string {
  if (output === 'lua') return luaTable(files, options.prefix)
  if (output === 'json') return JSON.stringify({ ...countByStatus(files), files })
  const { formatter, dryRun } = options
  const lines = files
    .filter(({ status }) => status !== 'present')
    .map(file => fileLine(file, formatter, dryRun))
  return [...lines, summaryText(files, formatter, dryRun)].join('\n')
}

/** The order of the counts in the JSON report. */
const STATUS_ORDER = ['sent', 'replaced', 'present', 'kept', 'failed'] as const

const countByStatus = (files: readonly PushedFile[]) =>
  Object.fromEntries(
    STATUS_ORDER.map(status => [status, files.filter(file => file.status === status).length]),
  ) as Record<PushedFile['status'], number>

function summaryText(
  files: readonly PushedFile[],
  { localize, formatSize }: Formatter,
  dryRun: boolean,
): string {
  const { sent, replaced, present, kept, failed } = countByStatus(files)
  const sentBytes = files
    .filter(({ status }) => status === 'sent' || status === 'replaced')
    .reduce((sum, { size }) => sum + size, 0)
  const sentCount = sent + replaced
  const sentLabel = dryRun ? localize('Zu senden', 'To be sent') : localize('Gesendet', 'Sent')
  const fileCountText =
    sentCount === 1 ? localize('1 Datei', '1 file') : localize(`${sentCount} Dateien`, `${sentCount} files`)
  return [
    `${sentLabel}: ${fileCountText}, ${formatSize(sentBytes)}`,
    ...(replaced > 0 ? [`${localize('davon ersetzt', 'of these replaced')}: ${replaced}`] : []),
    `${localize('schon da', 'already there')}: ${present}`,
    ...(kept > 0 ? [`${localize('anderer Inhalt gelassen', 'other content kept')}: ${kept}`] : []),
    `${localize('misslungen', 'failed')}: ${failed}.`,
  ].join('; ')
}

/**
 * A Lua table in the format of the dashboard's export. It maps paths, relative to the target folder, to
 * addresses.
 */
function luaTable(files: readonly PushedFile[], prefix: string): string {
  const prefixLength = prefix === '' ? 0 : prefix.length + 1
  const lines = files.flatMap(({ path, url }) =>
    url === undefined ? [] : [`  [${luaString(path.slice(prefixLength))}] = ${luaString(url)},`],
  )
  return ['return {', ...lines, '}'].join('\n')
}
