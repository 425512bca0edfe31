/** `/api/dash/tokens`: list, create, change and revoke tokens, and a ShareX file for each. */
import { z } from 'zod'
import { doneAnswer } from '../../contract/accounts/session.ts'
import { byLimitName, type LimitsOnWire } from '../../contract/accounts/token-limits.ts'
import {
  createdTokenAnswer,
  newToken,
  type TokenOnWire,
  tokenAnswer,
  tokenPatch,
} from '../../contract/accounts/tokens.ts'
import { DASHBOARD_ROUTE } from '../../contract/paths/addresses.ts'
import { shareXAnswer, shareXUploader } from '../../contract/upload/sharex.ts'
import { trimBothEnds } from '../../contract/values/text.ts'
import { type SessionRoute, sessionRoute } from '../../http/route-rights.ts'
import { answerOkWhenDone, JSON_MEDIA_TYPE } from '../../http/routes.ts'
import type { Settings } from '../settings/settings.ts'
import type { TokenRecord, Tokens } from './tokens.ts'

const TOKENS_PATH = `${DASHBOARD_ROUTE}/tokens`
const TOKEN_PATH = `${TOKENS_PATH}/:id`

export function tokenRoutes({ tokens, settings }: { tokens: Tokens; settings: Settings }): SessionRoute[] {
  function shareXFile(token: TokenRecord, key?: string) {
    const { PUBLIC_URL, FILES_HOST } = settings.current()
    return shareXUploader({
      publicUrl: PUBLIC_URL,
      hasDashboard: FILES_HOST === '',
      name: token.name,
      ...(key !== undefined && { token: key }),
    })
  }

  return [
    sessionRoute('GET', TOKENS_PATH, {
      role: 'betreiber',
      summary: 'Die Tokens, mit dem, was sie belegen',
      answer: z.array(tokenAnswer),
      handle: async () => (await tokens.list()).map(tokenOnWire),
    }),
    sessionRoute('POST', TOKENS_PATH, {
      role: 'betreiber',
      summary: 'Macht ein Token; der Schlüssel steht nur in dieser Antwort',
      body: newToken,
      answer: createdTokenAnswer,
      async handle({ body }, { actor }) {
        const { token, clearText } = await tokens.create(body, actor)
        // No later answer contains the key, so this one also has the ShareX file with the key.
        return { ...tokenOnWire(token), token: clearText, sharex: shareXFile(token, clearText) }
      },
    }),
    sessionRoute('PATCH', TOKEN_PATH, {
      role: 'betreiber',
      summary: 'Ändert ein Token; was fehlt, bleibt, und null hebt eine Grenze auf',
      body: tokenPatch,
      answer: tokenAnswer,
      handle: async ({ body, param }, { actor }) =>
        tokenOnWire(await tokens.change(param('id'), body, actor)),
    }),
    sessionRoute('DELETE', TOKEN_PATH, {
      role: 'betreiber',
      summary: 'Widerruft ein Token; seine Dateien bleiben',
      answer: doneAnswer,
      handle: ({ param }, { actor }) => answerOkWhenDone(tokens.withdraw(param('id'), actor)),
    }),
    sessionRoute('GET', `${TOKEN_PATH}/sharex`, {
      role: 'betreiber',
      summary: 'Eine fertige Datei für ShareX, ohne den Schlüssel',
      answer: shareXAnswer,
      answerType: JSON_MEDIA_TYPE,
      async handle({ param, answerHeaders }) {
        const token = await tokens.get(param('id'))
        answerHeaders.set('Content-Disposition', `attachment; filename="${shareXFileName(token)}.sxcu"`)
        return shareXFile(token)
      },
    }),
  ]
}

const shareXFileName = (token: TokenRecord) =>
  trimBothEnds(token.name.replace(/[^A-Za-z0-9_-]+/g, '-'), '-') || 'fundus'

function tokenOnWire(token: TokenRecord): TokenOnWire {
  return {
    id: token.id,
    name: token.name,
    ...(byLimitName(({ field }) => token[field]) as LimitsOnWire),
    erstellt_am: token.createdAt,
    zuletzt_benutzt: token.usedAt,
    dateien: token.files,
    bytes: token.bytes,
  }
}
