/** `POST /api/dash/webhook/test`: one message at once, and what the other side said. */
import { TEST_TEXT, webhookTestAnswer, webhookTestInput } from '../../contract/notify.ts'
import { DASHBOARD_ROUTE } from '../../contract/session.ts'
import { failure } from '../../errors.ts'
import { announcedLength } from '../../http/body.ts'
import { readJson } from '../../http/json.ts'
import type { Route } from '../../http/routes.ts'
import type { Session } from '../session/sessions.ts'
import type { ResolvedSettings } from '../settings/settings.ts'
import type { Webhook } from './webhook.ts'

export interface WebhookRouteParts {
  webhook: Webhook
  settings: ResolvedSettings
}

export function webhookTestRoute({ webhook, settings }: WebhookRouteParts): Route<Session> {
  /** The one in the request, which may be about to be saved, else the one in force. */
  function addressFrom(given: string | undefined): string {
    if (given === undefined || given.trim() === '') return settings.current().WEBHOOK_URL
    const checked = settings.check('WEBHOOK_URL', given)
    if ('problem' in checked) throw failure.settingInvalid('WEBHOOK_URL', checked.problem)
    return String(checked.value)
  }

  return {
    method: 'POST',
    path: `${DASHBOARD_ROUTE}/webhook/test`,
    api: {
      summary: 'Schickt eine Testnachricht und zeigt, was die Gegenstelle antwortet',
      body: webhookTestInput,
      answer: webhookTestAnswer,
    },
    async handle(context) {
      const request = context.req.raw
      // There is nothing that must be said.
      const isEmpty = !request.body || announcedLength(request) === 0
      const { url } = isEmpty ? {} : await readJson(request, webhookTestInput)
      const address = addressFrom(url)
      if (address === '') throw failure.webhookMissing()
      const { DIENST } = settings.current()
      const { ok, status, answer } = await webhook.send(address, `${DIENST}: ${TEST_TEXT}`)
      return Response.json({ ok, status, antwort: answer })
    },
  }
}
