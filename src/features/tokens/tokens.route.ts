/** `/api/dash/tokens`: list, create, change and revoke tokens, and a ShareX file for each. */
import { z } from 'zod'
import { doneAnswer } from '../../contract/accounts/session.ts'
import { byName, type LimitsOnWire } from '../../contract/accounts/token-limits.ts'
import {
  newToken,
  type TokenOnWire,
  tokenAnswer,
  tokenCreated,
  tokenPatch,
} from '../../contract/accounts/tokens.ts'
import { shareXAnswer, shareXUploader } from '../../contract/upload/sharex.ts'
import { trimOf } from '../../contract/values/text.ts'
import type { SignedIn } from '../../http/access/callers.ts'
import { done, PLAIN_JSON, type Route, route } from '../../http/routes.ts'
import type { Settings } from '../settings/settings.ts'
import type { TokenRecord, Tokens } from './tokens.ts'

const LIST = '/api/dash/tokens'
const ONE = '/api/dash/tokens/:id'

export function tokenRoutes({ tokens, settings }: { tokens: Tokens; settings: Settings }): Route<SignedIn>[] {
  const shareX = (token: TokenRecord, key?: string) =>
    shareXUploader({
      publicUrl: settings.current().PUBLIC_URL,
      name: token.name,
      ...(key !== undefined && { key }),
    })

  return [
    route('GET', LIST, {
      summary: 'Die Tokens, mit dem, was sie belegen',
      answer: z.array(tokenAnswer),
      handle: async () => (await tokens.list()).map(onWire),
    }),
    route('POST', LIST, {
      summary: 'Macht ein Token; der Schlüssel steht nur in dieser Antwort',
      body: newToken,
      answer: tokenCreated,
      async handle({ body }, { actor }: SignedIn) {
        const { token, clearText } = await tokens.create(body, actor)
        // The key is known only now, so the ShareX file with it has to be made here too.
        return { ...onWire(token), token: clearText, sharex: shareX(token, clearText) }
      },
    }),
    route('PATCH', ONE, {
      summary: 'Ändert ein Token; was fehlt, bleibt, und null hebt eine Grenze auf',
      body: tokenPatch,
      answer: tokenAnswer,
      handle: async ({ body, param }, { actor }: SignedIn) =>
        onWire(await tokens.change(param('id'), body, actor)),
    }),
    route('DELETE', ONE, {
      summary: 'Widerruft ein Token; seine Dateien bleiben',
      answer: doneAnswer,
      handle: ({ param }, { actor }: SignedIn) => done(tokens.withdraw(param('id'), actor)),
    }),
    route('GET', `${ONE}/sharex`, {
      summary: 'Eine fertige Datei für ShareX, ohne den Schlüssel',
      answer: shareXAnswer,
      answerType: PLAIN_JSON,
      async handle({ param, answerHeaders }) {
        const token = await tokens.get(param('id'))
        answerHeaders.set('Content-Disposition', `attachment; filename="${fileName(token)}.sxcu"`)
        return shareX(token)
      },
    }),
  ]
}

const fileName = (token: TokenRecord) => trimOf(token.name.replace(/[^A-Za-z0-9_-]+/g, '-'), '-') || 'fundus'

function onWire(token: TokenRecord): TokenOnWire {
  return {
    id: token.id,
    name: token.name,
    ...(byName(({ field }) => token[field]) as LimitsOnWire),
    erstellt_am: token.createdAt,
    zuletzt_benutzt: token.usedAt,
    dateien: token.files,
    bytes: token.bytes,
  }
}
