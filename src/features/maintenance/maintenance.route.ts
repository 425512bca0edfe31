/** The routes of maintenance: `POST /api/dash/maintenance/thumbs`, `/webp`, `/verwaiste`. */
import type { SignedIn } from '../../access/callers.ts'
import { MAINTENANCE_ROUTE, orphansAnswer, orphansInput, roundAnswer } from '../../contract/maintenance.ts'
import { type Route, route } from '../../http/routes.ts'
import type { Orphans } from '../integrity/orphans.ts'
import type { RoundTask } from './lacking.ts'
import type { Rounds } from './rounds.ts'

export interface MaintenanceRouteParts {
  rounds: Rounds
  orphans: Orphans
}

const SUMMARIES: Readonly<Record<RoundTask, string>> = {
  thumbs: 'Macht fehlende Vorschauen, höchstens 300 je Aufruf; noch einmal aufrufen, bis „fertig“ true ist',
  webp: 'Macht fehlende WebP-Fassungen, höchstens 300 je Aufruf; noch einmal aufrufen, bis „fertig“ true ist',
}

export function maintenanceRoutes({ rounds, orphans }: MaintenanceRouteParts): Route<SignedIn>[] {
  const round = (task: RoundTask) =>
    route('POST', `${MAINTENANCE_ROUTE}/${task}`, {
      summary: SUMMARIES[task],
      answer: roundAnswer,
      handle: () => rounds(task),
    })
  return [
    round('thumbs'),
    round('webp'),
    route('POST', `${MAINTENANCE_ROUTE}/verwaiste`, {
      summary: 'Objekte ohne Eintrag und Einträge ohne Datei; „aufraeumen“ entfernt, was keinen Eintrag hat',
      body: orphansInput,
      bodyOptional: true,
      answer: orphansAnswer,
      handle: ({ body }) => (body.aufraeumen ? orphans.cleanUp() : orphans.find()),
    }),
  ]
}
