/** The routes of maintenance: `POST /api/dash/maintenance/thumbs` and `/webp`. */

import { MAINTENANCE_ROUTE, roundAnswer } from '../../contract/service/maintenance.ts'
import type { SignedIn } from '../../http/access/callers.ts'
import { type Route, route } from '../../http/routes.ts'
import type { RoundTask } from './lacking.ts'
import type { Rounds } from './rounds.ts'

const SUMMARIES: Readonly<Record<RoundTask, string>> = {
  thumbs: 'Macht fehlende Vorschauen, höchstens 300 je Aufruf; noch einmal aufrufen, bis „fertig“ true ist',
  webp: 'Macht fehlende WebP-Fassungen, höchstens 300 je Aufruf; noch einmal aufrufen, bis „fertig“ true ist',
}

export const maintenanceRoutes = (rounds: Rounds): Route<SignedIn>[] =>
  (['thumbs', 'webp'] as const).map(task =>
    route('POST', `${MAINTENANCE_ROUTE}/${task}`, {
      summary: SUMMARIES[task],
      answer: roundAnswer,
      handle: () => rounds(task),
    }),
  )
