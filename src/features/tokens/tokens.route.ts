/** `/api/dash/tokens`: list, make, change, withdraw; a ready ShareX file for each. */
import { shareXUploader } from '../../contract/sharex.ts'
import { newToken, type TokenOnWire, tokenPatch } from '../../contract/tokens.ts'
import { readJson } from '../../http/json.ts'
import type { Route } from '../../http/routes.ts'
import type { Session } from '../session/sessions.ts'
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

  return [
    {
      method: 'GET',
      path: LIST,
      handle: async context => context.json((await tokens.list()).map(onWire)),
    },
    {
      method: 'POST',
      path: LIST,
      async handle(context) {
        const { token, clearText } = await tokens.create(await readJson(context.req.raw, newToken))
        // The only time the key is known, so the ShareX file that contains it is made here too.
        return context.json({ ...onWire(token), token: clearText, sharex: shareX(token, clearText) })
      },
    },
    {
      method: 'PATCH',
      path: ONE,
      async handle(context) {
        const patch = await readJson(context.req.raw, tokenPatch)
        return context.json(onWire(await tokens.change(context.req.param('id')!, patch)))
      },
    },
    {
      method: 'DELETE',
      path: ONE,
      async handle(context) {
        await tokens.withdraw(context.req.param('id')!)
        return context.json({ ok: true })
      },
    },
    {
      method: 'GET',
      path: `${ONE}/sharex`,
      async handle(context) {
        const token = await tokens.get(context.req.param('id')!)
        context.header('Content-Disposition', `attachment; filename="${fileName(token)}.sxcu"`)
        return context.json(shareX(token))
      },
    },
  ]
}

const fileName = (token: TokenRecord) =>
  token.name.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '') || 'fundus'

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
