/** `/api/dash/freigaben`: list, make, withdraw. */
import { z } from 'zod'
import type { Session } from '../../access/callers.ts'
import { DASHBOARD_ROUTE, doneAnswer } from '../../contract/session.ts'
import { type ShareOnWire, shareAddress, shareAnswer, shareInput, shareQuery } from '../../contract/shares.ts'
import { jsonRoute } from '../../http/described.ts'
import type { Route } from '../../http/routes.ts'
import type { Settings } from '../settings/settings.ts'
import type { ShareRow } from './shares.store.ts'
import type { Shares } from './shares.ts'

const PATH = `${DASHBOARD_ROUTE}/freigaben`

export function shareRoutes({ shares, settings }: { shares: Shares; settings: Settings }): Route<Session>[] {
  const by = ({ account }: Session) => ({ account: account.name })

  const onWire = (share: ShareRow): ShareOnWire => ({
    schluessel: share.key,
    ordner: share.folder,
    url: shareAddress(settings.current().PUBLIC_URL, share.key),
    erstellt_am: share.created_at,
    erstellt_von: share.created_by,
  })

  return [
    jsonRoute({
      method: 'GET',
      path: PATH,
      summary: 'Die Freigaben, die neueste zuerst',
      answer: z.array(shareAnswer),
      handle: async () => (await shares.list()).map(onWire),
    }),
    jsonRoute({
      method: 'POST',
      path: PATH,
      summary: 'Gibt die Liste eines Ordners frei',
      body: shareInput,
      answer: shareAnswer,
      handle: async ({ body }, session: Session) => onWire(await shares.create(body.ordner, by(session))),
    }),
    jsonRoute({
      method: 'DELETE',
      path: PATH,
      summary: 'Widerruft eine Freigabe; die Dateien bleiben öffentlich',
      query: shareQuery,
      answer: doneAnswer,
      async handle({ query }, session: Session) {
        await shares.withdraw(query.schluessel, by(session))
        return { ok: true as const }
      },
    }),
  ]
}
