/** Undoes an action: the files that it renamed or moved get their former paths again. */
import { postForParts } from './client.ts'
import { errorOfRefusal, type Refusal } from './error.ts'

/**
 * `action` is the id that `postAction` returned. Undoes as much as possible, then rejects with the first
 * refusal, if any. `report` is called with the number of files since its last call.
 */
export async function undoAction(action: string | null, report?: (files: number) => void): Promise<void> {
  if (action === null) return
  const refused: Refusal[] = []
  await postForParts('verlauf/zuruecknehmen', {
    body: { aktion: action },
    onPart({ zurueckgenommen, abgelehnt }) {
      report?.(zurueckgenommen)
      refused.push(...abgelehnt)
    },
  })
  if (refused[0]) throw errorOfRefusal(refused[0])
}
