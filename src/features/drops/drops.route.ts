/** Dashboard routes that list, create and end drop links: `/api/dash/abgaben`. */
import { z } from 'zod'
import { doneAnswer } from '../../contract/accounts/session.ts'
import { type DropOnWire, dropAnswer, dropInput } from '../../contract/files/drops.ts'
import { DASHBOARD_ROUTE, dropAddress } from '../../contract/paths/addresses.ts'
import { type SessionRoute, sessionRoute } from '../../http/route-rights.ts'
import { answerOkWhenDone } from '../../http/routes.ts'
import type { Settings } from '../settings/settings.ts'
import type { DropRow } from './drops.store.ts'
import type { Drops } from './drops.ts'
import { allowedKindsOf } from './hand-in.ts'

const PATH = `${DASHBOARD_ROUTE}/abgaben`

export function dropRoutes({ drops, settings }: { drops: Drops; settings: Settings }): SessionRoute[] {
  const dropOnWire = (link: DropRow): DropOnWire => ({
    schluessel: link.key,
    adresse: dropAddress(settings.current().PUBLIC_URL, link.key),
    ordner: link.folder,
    hinweis: link.note,
    max_bytes: link.max_bytes,
    arten: allowedKindsOf(link),
    gueltig_bis: link.valid_until,
    anzahl: link.max_files,
    abgegeben: link.files,
    bytes: link.bytes,
    erstellt_am: link.created_at,
    erstellt_von: link.created_by,
  })

  return [
    sessionRoute('GET', PATH, {
      role: 'redaktion',
      targets: 'nothing',
      summary: 'Die Links zum Abgeben von Dateien, der neueste zuerst',
      answer: z.array(dropAnswer),
      handle: async (_, { allowedArea }) => (await drops.list(allowedArea)).map(dropOnWire),
    }),
    sessionRoute('POST', PATH, {
      role: 'redaktion',
      targets: ({ body }) => ({ baseFolder: body.ordner }),
      summary: 'Macht einen Link, mit dem man ohne Konto Dateien abgibt',
      body: dropInput,
      answer: dropAnswer,
      handle: async ({ body }, { actor }) => dropOnWire(await drops.create(body, actor)),
    }),
    sessionRoute('DELETE', `${PATH}/:schluessel`, {
      role: 'redaktion',
      targets: 'nothing',
      summary: 'Beendet einen Link zum Abgeben; was abgegeben wurde, bleibt',
      answer: doneAnswer,
      handle: ({ param }, { actor, allowedArea }) =>
        answerOkWhenDone(drops.end(param('schluessel'), actor, allowedArea)),
    }),
  ]
}
