/** The routes of the integrity check: `POST /api/dash/maintenance/verwaiste`, `GET, POST …/integritaet`. */

import {
  integrityAnswer,
  MAINTENANCE_ROUTE,
  orphansAnswer,
  orphansInput,
} from '../../contract/service/maintenance.ts'
import { type SessionRoute, sessionRoute } from '../../http/route-rights.ts'
import type { Integrity } from './integrity.ts'
import type { Orphans } from './orphans.ts'

const INTEGRITY_ROUTE = `${MAINTENANCE_ROUTE}/integritaet`

export interface IntegrityRouteParts {
  integrity: Integrity
  orphans: Orphans
}

export function integrityRoutes({ integrity, orphans }: IntegrityRouteParts): SessionRoute[] {
  return [
    sessionRoute('POST', `${MAINTENANCE_ROUTE}/verwaiste`, {
      role: 'betreiber',
      summary: 'Objekte ohne Eintrag und Einträge ohne Datei; „aufraeumen“ entfernt, was keinen Eintrag hat',
      body: orphansInput,
      isBodyOptional: true,
      answer: orphansAnswer,
      handle: ({ body }) => (body.aufraeumen ? orphans.cleanUp() : orphans.find()),
    }),
    sessionRoute('GET', INTEGRITY_ROUTE, {
      role: 'betreiber',
      summary: 'Wie weit die Prüfung aller Dateien ist, und was sie gefunden hat',
      answer: integrityAnswer,
      handle: () => integrity.state(),
    }),
    sessionRoute('POST', INTEGRITY_ROUTE, {
      role: 'betreiber',
      summary: 'Liest alle Dateien jetzt; den Stand zeigen GET und die Ereignisse „fortschritt“',
      answer: integrityAnswer,
      async handle() {
        await integrity.checkAll()
        return integrity.state()
      },
    }),
  ]
}
