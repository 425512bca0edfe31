/** The way back: what an action renamed or moved gets its former paths, also after many files. */
import { postInParts } from './client.ts'
import { type Refusal, refusal } from './error.ts'

/**
 * `action`: as `act` answers it. `report` hears of files as they go back. Rejects with the first refusal; what could go
 * back has gone back.
 */
export async function takeBack(action: string | null, report?: (files: number) => void): Promise<void> {
  if (action === null) return
  const refused: Refusal[] = []
  await postInParts('verlauf/zuruecknehmen', {
    body: { aktion: action },
    onPart({ zurueckgenommen, abgelehnt }) {
      report?.(zurueckgenommen)
      refused.push(...abgelehnt)
    },
  })
  if (refused[0]) throw refusal(refused[0])
}
