/** The chat webhook: limits, problems, and the schemas of the route that tests it. */
import { z } from 'zod'

/** Maximum number of characters in a message: Discord's limit, used for all chats. */
export const MAX_MESSAGE_LENGTH = 2000

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

export function webhookProblemCode(answer: string): string | undefined {
  const problem = Object.entries(WEBHOOK_PROBLEMS).find(([, sentence]) => sentence === answer)
  return problem && `webhook-${problem[0]}`
}
