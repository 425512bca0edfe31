/** `POST /api/dash/webhook/test`: sends a message to the saved address and returns the reply. */

import { DASHBOARD_ROUTE } from '../../contract/accounts/session.ts'
import {
  TEST_MESSAGE,
  webhookCode,
  webhookTestAnswer,
  webhookTestInput,
} from '../../contract/service/notify.ts'
import { failure } from '../../errors/errors.ts'
import { type SessionRoute, sessionRoute } from '../../http/session-route.ts'
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
      // With an address that is not saved, a user could send requests into the service's own network without
      // a trace. Saving an address leaves a trace in the administration history.
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
      const code = webhookCode(answer)
      return { ok, status, antwort: answer, ...(code && { code }) }
    },
  })
}
