/** Messages to the chat webhook: limits, texts, and the schemas of the route that tests the webhook. */
import { z } from 'zod'
import { formatBytes } from '../values/bytes.ts'
import { MINUTE } from '../values/units.ts'

/** Milliseconds without an upload with a token after which one message reports the uploads before them. */
export const QUIET_PERIOD = 2 * MINUTE
/** Maximum number of paths in the message about uploads. */
export const MAX_NOTICE_PATHS = 5
const MAX_NOTICE_SENDERS = 10
/** Maximum number of characters in a message: Discord's limit, used for all chats. */
export const MAX_MESSAGE_LENGTH = 2000

export interface UploadNotice {
  fileCount: number
  bytes: number
  /** `senders` and `paths` may be incomplete, because the length of both lists is limited. */
  senders: readonly string[]
  paths: readonly string[]
}

export function uploadText({ fileCount: files, bytes, senders, paths }: UploadNotice): string {
  const shownSenders = senders.slice(0, MAX_NOTICE_SENDERS).join(', ')
  const othersSuffix = senders.length > MAX_NOTICE_SENDERS ? ' und anderen' : ''
  const unlistedCount = files - paths.length
  return [
    `${files === 1 ? '1 Datei' : `${files} Dateien`} hochgeladen, zusammen ${formatBytes(bytes)}, von ${shownSenders}${othersSuffix}`,
    ...paths.map(path => `• ${path}`),
    ...(unlistedCount > 0
      ? [`… und ${unlistedCount === 1 ? 'eine weitere' : `${unlistedCount} weitere`}`]
      : []),
  ].join('\n')
}

/**
 * The levels of used disk space, in percent. A level begins when `startPercent` is reached, and ends when the
 * percentage falls below `endPercent`. A chat message is sent when a higher level is reached, and when all
 * levels have ended.
 */
export const DISK_LEVELS = [
  { startPercent: 95, endPercent: 93 },
  { startPercent: 90, endPercent: 88 },
] as const

/**
 * The message about the disk. `levelPercent`: the level that was reached; 0: all levels have ended.
 * `machineName`: the name of the machine, if each machine has a disk of its own.
 */
export function diskText(levelPercent: number, usedPercent: number, machineName?: string): string {
  const usedText = `${Math.floor(usedPercent)} %`
  const disk = machineName === undefined ? 'Platte' : `Platte von ${machineName}`
  if (levelPercent === 95)
    return `Die ${disk} ist fast voll: ${usedText} sind belegt. Bitte bald Platz schaffen.`
  if (levelPercent === 90) return `Die ${disk} wird voll: ${usedText} sind belegt.`
  return `Auf der ${disk} ist wieder Platz: ${usedText} sind belegt.`
}

export const TEST_MESSAGE = 'Das ist eine Testnachricht. Nachrichten kommen hier an.'

/**
 * `POST /api/dash/webhook/test` sends a test message to the saved address of the webhook. If `url` is given,
 * it must be that address.
 */
export const webhookTestInput = z.strictObject({ url: z.string().trim().nullish() })

export const webhookTestAnswer = z.object({
  ok: z.boolean(),
  /** The HTTP status; null if there was no response. */
  status: z.int().nullable(),
  /** The start of the response; if there was none, or a redirect, a sentence of the service that says so. */
  antwort: z.string(),
  /** The code of `antwort`, if that is a sentence of the service. */
  code: z.string().optional(),
})

export const WEBHOOK_PROBLEMS = {
  timeout: 'Die Gegenstelle hat nicht rechtzeitig geantwortet.',
  unreachable: 'Mit der Gegenstelle kam keine Verbindung zustande.',
  redirected: 'Die Gegenstelle leitet weiter; bitte die endgültige Adresse eintragen.',
  internal:
    'Die Adresse führt in ein privates Netz; das muss die Umgebungsvariable WEBHOOK_INTERN=ja erst erlauben.',
} as const

export function webhookCode(answer: string): string | undefined {
  const problem = Object.entries(WEBHOOK_PROBLEMS).find(([, sentence]) => sentence === answer)
  return problem && `webhook-${problem[0]}`
}
