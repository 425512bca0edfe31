/**
 * Undoes an action. Renamed or moved files get their former paths back. Files that a retention rule or the
 * removal of duplicates moved to the trash are restored.
 */
import { postForParts } from './client.ts'
import { errorOfRefusal, type Refusal } from './error.ts'

/**
 * `action` is the id that `postAction` or `postForParts` returned; with null, this does nothing. Undoes as
 * much as possible, then rejects with the first refusal, if any. `report` is called with the number of files
 * undone since its last call.
 */
export async function undoAction(action: string | null, report?: (fileCount: number) => void): Promise<void> {
  if (action === null) return
  const refusals: Refusal[] = []
  await postForParts('verlauf/zuruecknehmen', {
    body: { aktion: action },
    onPart({ zurueckgenommen, abgelehnt }) {
      report?.(zurueckgenommen)
      refusals.push(...abgelehnt)
    },
  })
  if (refusals[0]) throw errorOfRefusal(refusals[0])
}
