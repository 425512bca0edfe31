/** Undoes an action: files that it renamed or moved get their former paths again. */
import { postInParts } from './client.ts'
import { type Refusal, refusal } from './error.ts'

/** `action`: from `act`. Rejects with the first refusal, after everything possible was undone. */
export async function undoAction(action: string | null, report?: (files: number) => void): Promise<void> {
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
