/**
 * `POST /api/dash/webhook/test`: sends a test message to the saved address of the webhook and returns the
 * start of the reply.
 */

import { DASHBOARD_ROUTE } from '../../contract/paths/addresses.ts'
import {
  TEST_MESSAGE,
  webhookProblemCode,
  webhookTestAnswer,
  webhookTestInput,
} from '../../contract/service/webhook.ts'
import { failure } from '../../errors/errors.ts'
import { type SessionRoute, sessionRoute } from '../../http/route-rights.ts'
import type { FeatureParts } from '../feature.ts'
import { recordAdministration } from '../history/administration.store.ts'
import type { Webhook } from './webhook.ts'

interface WebhookRouteParts extends Pick<FeatureParts, 'database' | 'now' | 'settings'> {
  webhook: Webhook
}

export function webhookTestRoute({ database, webhook, settings, now }: WebhookRouteParts): SessionRoute {
  return sessionRoute('POST', `${DASHBOARD_ROUTE}/webhook/test`, {
    role: 'betreiber',
    summary:
      'Schickt eine Testnachricht an die gespeicherte Adresse und zeigt, was die Gegenstelle antwortet',
    body: webhookTestInput,
    isBodyOptional: true,
    answer: webhookTestAnswer,
    async handle({ body: { url } }, { actor }) {
      const { DIENST, WEBHOOK_URL } = settings.current()
      // Only the saved address is tested, because saving an address is recorded in the administration
      // history. A test of any other address would let a user send requests to it without such a record, with
      // `WEBHOOK_INTERN` even in the service's own network.
      if (url && url !== WEBHOOK_URL) throw failure.webhookUnsaved()
      if (WEBHOOK_URL === '') throw failure.webhookMissing()
      const { ok, status, answer } = await webhook.send(WEBHOOK_URL, `${DIENST}: ${TEST_MESSAGE}`)
      const statusText = status === null ? null : `Status ${status}`
      await database.transaction(tx =>
        recordAdministration(tx, actor, now(), {
          what: 'webhook_getestet',
          old: null,
          new: statusText,
        }),
      )
      const code = webhookProblemCode(answer)
      return { ok, status, antwort: answer, ...(code && { code }) }
    },
  })
}
