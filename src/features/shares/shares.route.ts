/** Dashboard routes for share links, `/api/dash/freigaben`: list, create, change, withdraw. */
import { z } from 'zod'
import { doneAnswer } from '../../contract/accounts/session.ts'
import {
  type ShareOnWire,
  shareAnswer,
  shareChangeInput,
  shareInput,
  shareQuery,
} from '../../contract/files/shares.ts'
import { DASHBOARD_ROUTE, shareAddress } from '../../contract/paths/addresses.ts'
import { type SessionRoute, sessionRoute } from '../../http/route-rights.ts'
import { answerOkWhenDone } from '../../http/routes.ts'
import type { Settings } from '../settings/settings.ts'
import type { ShareRow } from './shares.store.ts'
import type { Shares } from './shares.ts'

const PATH = `${DASHBOARD_ROUTE}/freigaben`

export function shareRoutes({ shares, settings }: { shares: Shares; settings: Settings }): SessionRoute[] {
  const shareOnWire = (share: ShareRow): ShareOnWire => ({
    schluessel: share.key,
    ordner: share.folder,
    url: shareAddress(settings.current().PUBLIC_URL, share.key),
    erstellt_am: share.created_at,
    erstellt_von: share.created_by,
    gueltig_bis: share.valid_until,
  })

  return [
    sessionRoute('GET', PATH, {
      role: 'redaktion',
      targets: 'nothing',
      summary: 'Die Freigaben, die neueste zuerst',
      answer: z.array(shareAnswer),
      handle: async (_, { allowedArea }) => (await shares.list(allowedArea)).map(shareOnWire),
    }),
    sessionRoute('POST', PATH, {
      role: 'redaktion',
      targets: ({ body }) => ({ baseFolder: body.ordner }),
      summary: 'Gibt die Liste eines Ordners frei',
      body: shareInput,
      answer: shareAnswer,
      handle: async ({ body }, { actor }) =>
        shareOnWire(await shares.create(body.ordner, body.gueltig_bis ?? null, actor)),
    }),
    sessionRoute('PATCH', PATH, {
      role: 'redaktion',
      targets: 'nothing',
      summary: 'Ändert das Ende einer Freigabe',
      query: shareQuery,
      body: shareChangeInput,
      answer: shareAnswer,
      handle: async ({ query, body }, { actor, allowedArea }) =>
        shareOnWire(await shares.changeEnd(query.schluessel, body.gueltig_bis, actor, allowedArea)),
    }),
    sessionRoute('DELETE', PATH, {
      role: 'redaktion',
      targets: 'nothing',
      summary: 'Widerruft eine Freigabe; die Dateien bleiben öffentlich',
      query: shareQuery,
      answer: doneAnswer,
      handle: ({ query }, { actor, allowedArea }) =>
        answerOkWhenDone(shares.withdraw(query.schluessel, actor, allowedArea)),
    }),
  ]
}
