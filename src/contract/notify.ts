/** Messages to the chat webhook: their limits, and the route that tries the address. */
import { z } from 'zod'
import { formatBytes } from './bytes.ts'
import { MINUTE } from './units.ts'

/** So long without an upload, and the message about them is sent. */
export const QUIET_PERIOD = 2 * MINUTE
/** Paths that the message about uploads lists. */
export const NOTICE_PATHS = 5
/** Senders that it names. */
export const NOTICE_SENDERS = 10
/** Discord refuses longer ones; others get no more either. */
export const MESSAGE_LENGTH = 2000

export interface UploadNotice {
  files: number
  bytes: number
  /** May be more than are named. */
  senders: readonly string[]
  paths: readonly string[]
}

export function uploadText({ files, bytes, senders, paths }: UploadNotice): string {
  const named = senders.slice(0, NOTICE_SENDERS).join(', ')
  const others = senders.length > NOTICE_SENDERS ? ' und anderen' : ''
  const rest = files - paths.length
  return [
    `${files === 1 ? '1 Datei' : `${files} Dateien`} hochgeladen, zusammen ${formatBytes(bytes)}, von ${named}${others}`,
    ...paths.map(path => `• ${path}`),
    ...(rest > 0 ? [`… und ${rest === 1 ? 'eine weitere' : `${rest} weitere`}`] : []),
  ].join('\n')
}

/** From these shares on, in per cent, the disk is told of; and below which it counts as free again. */
export const DISK_LEVELS = [
  { from: 95, until: 93 },
  { from: 90, until: 88 },
] as const

export function diskText(level: number, percent: number): string {
  const share = `${Math.floor(percent)} %`
  if (level === 95) return `Die Platte ist fast voll: ${share} sind belegt. Bitte bald Platz schaffen.`
  if (level === 90) return `Die Platte wird voll: ${share} sind belegt.`
  return `Auf der Platte ist wieder Platz: ${share} sind belegt.`
}

export const TEST_TEXT = 'Das ist eine Testnachricht. Nachrichten kommen hier an.'

/** `POST /api/dash/webhook/test` tries the saved address; one that is named beside it must be the same. */
export const webhookTestInput = z.strictObject({ url: z.string().trim().nullish() })

export const webhookTestAnswer = z.object({
  ok: z.boolean(),
  /** What the other side answered; null when there was no answer at all. */
  status: z.int().nullable(),
  /** The beginning of its answer, or a sentence about why there is none. */
  antwort: z.string(),
})

export const WEBHOOK_TROUBLE = {
  timeout: 'Die Gegenstelle hat nicht rechtzeitig geantwortet.',
  unreachable: 'Mit der Gegenstelle kam keine Verbindung zustande.',
  redirected: 'Die Gegenstelle leitet weiter; bitte die endgültige Adresse eintragen.',
} as const
