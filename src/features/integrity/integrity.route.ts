/** The routes of the integrity check: `GET, POST /api/dash/maintenance/integritaet`. */
import type { SignedIn } from '../../access/callers.ts'
import { integrityAnswer, MAINTENANCE_ROUTE } from '../../contract/maintenance.ts'
import { type Route, route } from '../../http/routes.ts'
import type { Integrity } from './integrity.ts'

const PATH = `${MAINTENANCE_ROUTE}/integritaet`

export function integrityRoutes(integrity: Integrity): Route<SignedIn>[] {
  return [
    route('GET', PATH, {
      summary: 'Wie weit die Prüfung aller Dateien ist, und was sie gefunden hat',
      answer: integrityAnswer,
      handle: () => integrity.state(),
    }),
    route('POST', PATH, {
      summary: 'Liest alle Dateien jetzt; den Stand zeigen GET und die Ereignisse „fortschritt“',
      answer: integrityAnswer,
      async handle() {
        await integrity.checkAll()
        return integrity.state()
      },
    }),
  ]
}
