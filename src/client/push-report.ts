/** What a push did, as text for people, JSON or a Lua table. */
import { formatBytes } from '../contract/bytes.ts'
import { luaString } from '../lua-string.ts'
import type { DeliveryStatus } from './deliver.ts'

export interface PushedFile {
  /** The name in the folder here. */
  name: string
  path: string
  status: DeliveryStatus | 'failed'
  size: number
  url?: string
  sha256?: string
  /** A sentence, when it failed. */
  why?: string
}

export const PUSH_OUTPUTS = ['text', 'json', 'lua'] as const
export type PushOutput = (typeof PUSH_OUTPUTS)[number]

export interface ReportOptions {
  prefix: string
  dryRun: boolean
}

const WORDS = {
  sent: 'gesendet',
  replaced: 'ersetzt',
  failed: 'misslungen',
  kept: 'gelassen',
  present: 'schon da',
}
const DRY_WORDS = { ...WORDS, sent: 'würde gesendet', replaced: 'würde ersetzt' }

/** One line for a file, as it is printed while a folder is followed. */
export function fileLine({ status, name, url, why }: PushedFile, dryRun = false): string {
  const word = (dryRun ? DRY_WORDS : WORDS)[status].padEnd(dryRun ? 15 : 11)
  return status === 'failed' ? `${word}${name}: ${why}` : `${word}${url}`
}

export function pushReport(files: readonly PushedFile[], output: PushOutput, options: ReportOptions): string {
  if (output === 'lua') return luaTable(files, options.prefix)
  if (output === 'json') return JSON.stringify({ ...counts(files), files })
  const lines = files.filter(({ status }) => status !== 'present').map(file => fileLine(file, options.dryRun))
  return [...lines, summary(files, options.dryRun)].join('\n')
}

function counts(files: readonly PushedFile[]) {
  const count = (status: PushedFile['status']) => files.filter(file => file.status === status).length
  return {
    sent: count('sent'),
    replaced: count('replaced'),
    present: count('present'),
    kept: count('kept'),
    failed: count('failed'),
  }
}

function summary(files: readonly PushedFile[], dryRun: boolean): string {
  const { sent, replaced, present, kept, failed } = counts(files)
  const bytes = files
    .filter(({ status }) => status === 'sent' || status === 'replaced')
    .reduce((sum, { size }) => sum + size, 0)
  const number = sent + replaced
  const verb = dryRun ? 'Zu senden' : 'Gesendet'
  return [
    `${verb}: ${number === 1 ? '1 Datei' : `${number} Dateien`}, ${formatBytes(bytes)}`,
    ...(replaced > 0 ? [`davon ersetzt: ${replaced}`] : []),
    `schon da: ${present}`,
    ...(kept > 0 ? [`anderer Inhalt gelassen: ${kept}`] : []),
    `misslungen: ${failed}.`,
  ].join('; ')
}

/** The form of the export: the path below the folder → the address. */
function luaTable(files: readonly PushedFile[], prefix: string): string {
  const start = prefix === '' ? 0 : prefix.length + 1
  const lines = files.flatMap(({ path, url }) =>
    url === undefined ? [] : [`  [${luaString(path.slice(start))}] = ${luaString(url)},`],
  )
  return ['return {', ...lines, '}'].join('\n')
}
