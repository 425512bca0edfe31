/** Dashboard routes for share links, `/api/dash/freigaben`: list, create, change, withdraw. */
import { z } from 'zod'
import { DASHBOARD_ROUTE, doneAnswer } from '../../contract/accounts/session.ts'
import {
  type ShareOnWire,
  shareAddress,
  shareAnswer,
  shareChangeInput,
  shareInput,
  shareQuery,
} from '../../contract/files/shares.ts'
import { answerOkAfter } from '../../http/routes.ts'
import { type SessionRoute, sessionRoute } from '../../http/session-route.ts'
import type { Settings } from '../settings/settings.ts'
import type { ShareRow } from './shares.store.ts'
import type { Shares } from './shares.ts'

const PATH = `${DASHBOARD_ROUTE}/freigaben`

export function shareRoutes({ shares, settings }: { shares: Shares; settings: Settings }): SessionRoute[] {
  const onWire = (share: ShareRow): ShareOnWire => ({
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
      names: 'nothing',
      summary: 'Die Freigaben, die neueste zuerst',
      answer: z.array(shareAnswer),
      handle: async (_, { reach }) => (await shares.list(reach)).map(onWire),
    }),
    sessionRoute('POST', PATH, {
      role: 'redaktion',
      names: ({ body }) => ({ below: body.ordner }),
      summary: 'Gibt die Liste eines Ordners frei',
      body: shareInput,
      answer: shareAnswer,
      handle: async ({ body }, { actor }) =>
        onWire(await shares.create(body.ordner, body.gueltig_bis ?? null, actor)),
    }),
    sessionRoute('PATCH', PATH, {
      role: 'redaktion',
      names: 'nothing',
      summary: 'Ändert das Ende einer Freigabe',
      query: shareQuery,
      body: shareChangeInput,
      answer: shareAnswer,
      handle: async ({ query, body }, { actor, reach }) =>
        onWire(await shares.changeEnd(query.schluessel, body.gueltig_bis, actor, reach)),
    }),
    sessionRoute('DELETE', PATH, {
      role: 'redaktion',
      names: 'nothing',
      summary: 'Widerruft eine Freigabe; die Dateien bleiben öffentlich',
      query: shareQuery,
      answer: doneAnswer,
      handle: ({ query }, { actor, reach }) => answerOkAfter(shares.withdraw(query.schluessel, actor, reach)),
    }),
  ]
}
