/** Dashboard routes for share links, `/api/dash/freigaben`: list, create, withdraw. */
import { z } from 'zod'
import { DASHBOARD_ROUTE, doneAnswer } from '../../contract/accounts/session.ts'
import {
  type ShareOnWire,
  shareAddress,
  shareAnswer,
  shareInput,
  shareQuery,
} from '../../contract/files/shares.ts'
import { okAfter } from '../../http/routes.ts'
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
      handle: async ({ body }, { actor }) => onWire(await shares.create(body.ordner, actor)),
    }),
    sessionRoute('DELETE', PATH, {
      role: 'redaktion',
      names: 'nothing',
      summary: 'Widerruft eine Freigabe; die Dateien bleiben öffentlich',
      query: shareQuery,
      answer: doneAnswer,
      handle: ({ query }, { actor, reach }) => okAfter(shares.withdraw(query.schluessel, actor, reach)),
    }),
  ]
}
