/** The routes of maintenance: `POST /api/dash/maintenance/thumbs` and `/webp`. */

import { MAINTENANCE_ROUTE, maintenanceRoundAnswer } from '../../contract/service/maintenance.ts'
import { type SessionRoute, sessionRoute } from '../../http/route-rights.ts'
import type { RoundTask } from './lacking-files.ts'
import type { RunRound } from './rounds.ts'

const SUMMARIES: Readonly<Record<RoundTask, string>> = {
  thumbs: 'Macht fehlende Vorschauen, höchstens 300 je Aufruf; noch einmal aufrufen, bis „fertig“ true ist',
  webp: 'Macht fehlende WebP-Fassungen, höchstens 300 je Aufruf; noch einmal aufrufen, bis „fertig“ true ist',
}

export const maintenanceRoutes = (runRound: RunRound): SessionRoute[] =>
  (['thumbs', 'webp'] as const).map(task =>
    sessionRoute('POST', `${MAINTENANCE_ROUTE}/${task}`, {
      role: 'betreiber',
      summary: SUMMARIES[task],
      answer: maintenanceRoundAnswer,
      handle: () => runRound(task),
    }),
  )
