/** `/api/dash/tokens`: list, make, change, withdraw; a ready ShareX file for each. */
import { z } from 'zod'
import type { Session } from '../../access/callers.ts'
import { doneAnswer } from '../../contract/session.ts'
import { shareXAnswer, shareXUploader } from '../../contract/sharex.ts'
import { trimOf } from '../../contract/text.ts'
import { newToken, type TokenOnWire, tokenAnswer, tokenCreated, tokenPatch } from '../../contract/tokens.ts'
import { jsonRoute } from '../../http/described.ts'
import type { Route } from '../../http/routes.ts'
import type { Settings } from '../settings/settings.ts'
import type { TokenRecord, Tokens } from './tokens.ts'

const LIST = '/api/dash/tokens'
const ONE = '/api/dash/tokens/:id'

export function tokenRoutes({ tokens, settings }: { tokens: Tokens; settings: Settings }): Route<Session>[] {
  const shareX = (token: TokenRecord, key?: string) =>
    shareXUploader({
      publicUrl: settings.current().PUBLIC_URL,
      name: token.name,
      ...(key !== undefined && { key }),
    })

  const by = ({ account }: Session) => ({ account: account.name })

  return [
    jsonRoute({
      method: 'GET',
      path: LIST,
      summary: 'Die Tokens, mit dem, was sie belegen',
      answer: z.array(tokenAnswer),
      handle: async () => (await tokens.list()).map(onWire),
    }),
    jsonRoute({
      method: 'POST',
      path: LIST,
      summary: 'Macht ein Token; der Schlüssel steht nur in dieser Antwort',
      body: newToken,
      answer: tokenCreated,
      async handle({ body }, session: Session) {
        const { token, clearText } = await tokens.create(body, by(session))
        // The only time the key is known, so the ShareX file that contains it is made here too.
        return { ...onWire(token), token: clearText, sharex: shareX(token, clearText) }
      },
    }),
    jsonRoute({
      method: 'PATCH',
      path: ONE,
      summary: 'Ändert ein Token; was fehlt, bleibt, und null hebt eine Grenze auf',
      body: tokenPatch,
      answer: tokenAnswer,
      handle: async ({ body, param }, session: Session) =>
        onWire(await tokens.change(param('id'), body, by(session))),
    }),
    jsonRoute({
      method: 'DELETE',
      path: ONE,
      summary: 'Widerruft ein Token; seine Dateien bleiben',
      answer: doneAnswer,
      async handle({ param }, session: Session) {
        await tokens.withdraw(param('id'), by(session))
        return { ok: true as const }
      },
    }),
    {
      method: 'GET',
      path: `${ONE}/sharex`,
      api: { summary: 'Eine fertige Datei für ShareX, ohne den Schlüssel', answer: shareXAnswer },
      async handle(context) {
        const token = await tokens.get(context.req.param('id')!)
        context.header('Content-Disposition', `attachment; filename="${fileName(token)}.sxcu"`)
        return context.json(shareX(token))
      },
    },
  ]
}

const fileName = (token: TokenRecord) => trimOf(token.name.replace(/[^A-Za-z0-9_-]+/g, '-'), '-') || 'fundus'

function onWire(token: TokenRecord): TokenOnWire {
  return {
    id: token.id,
    name: token.name,
    praefix: token.prefix,
    darf_loeschen: token.mayDelete,
    max_datei: token.maxFile,
    kontingent: token.quota,
    arten: token.kinds,
    gueltig_bis: token.validUntil,
    max_kante: token.maxEdge,
    erstellt_am: token.createdAt,
    zuletzt_benutzt: token.usedAt,
    dateien: token.files,
    bytes: token.bytes,
  }
}
