/** Routes of the dashboard for share links, `/api/dash/freigaben`: list, make, withdraw. */
import { z } from 'zod'
import { DASHBOARD_ROUTE, doneAnswer } from '../../contract/accounts/session.ts'
import {
  type ShareOnWire,
  shareAddress,
  shareAnswer,
  shareInput,
  shareQuery,
} from '../../contract/files/shares.ts'
import type { SignedIn } from '../../http/access/callers.ts'
import { done, type Route, route } from '../../http/routes.ts'
import type { Settings } from '../settings/settings.ts'
import type { ShareRow } from './shares.store.ts'
import type { Shares } from './shares.ts'

const PATH = `${DASHBOARD_ROUTE}/freigaben`

export function shareRoutes({ shares, settings }: { shares: Shares; settings: Settings }): Route<SignedIn>[] {
  const onWire = (share: ShareRow): ShareOnWire => ({
    schluessel: share.key,
    ordner: share.folder,
    url: shareAddress(settings.current().PUBLIC_URL, share.key),
    erstellt_am: share.created_at,
    erstellt_von: share.created_by,
  })

  return [
    route('GET', PATH, {
      summary: 'Die Freigaben, die neueste zuerst',
      answer: z.array(shareAnswer),
      handle: async () => (await shares.list()).map(onWire),
    }),
    route('POST', PATH, {
      summary: 'Gibt die Liste eines Ordners frei',
      body: shareInput,
      answer: shareAnswer,
      handle: async ({ body }, { actor }: SignedIn) => onWire(await shares.create(body.ordner, actor)),
    }),
    route('DELETE', PATH, {
      summary: 'Widerruft eine Freigabe; die Dateien bleiben öffentlich',
      query: shareQuery,
      answer: doneAnswer,
      handle: ({ query }, { actor }: SignedIn) => done(shares.withdraw(query.schluessel, actor)),
    }),
  ]
}
