/** Restores files from the trash, whose entries are identified by number. */
import { post } from '../../api/client.ts'
import { errorOfRefusal, type Refusal } from '../../api/error.ts'

/** Maximum number of files per request: few enough for regular progress reports. */
const MAX_FILES_PER_REQUEST = 1000

/** Restores the entry with this number. If a file is at its path now, that file is moved to the trash. */
export async function exchangeWithTrashEntry(entryNumber: number): Promise<void> {
  const { abgelehnt } = await post('papierkorb/wiederherstellen', {
    body: { nummern: [entryNumber], ersetzen: true },
  })
  if (abgelehnt[0]) throw errorOfRefusal(abgelehnt[0])
}

/**
 * Restores the entries with these numbers. `report` is called with the number of files that were restored
 * since the last call. If some entries are refused, the others are still restored, and the promise rejects
 * with the first refusal.
 */
export async function restoreFromTrash(
  entryNumbers: readonly number[],
  report?: (count: number) => void,
): Promise<void> {
  const refusals: Refusal[] = []
  for (let start = 0; start < entryNumbers.length; start += MAX_FILES_PER_REQUEST) {
    const batch = entryNumbers.slice(start, start + MAX_FILES_PER_REQUEST)
    const { abgelehnt } = await post('papierkorb/wiederherstellen', { body: { nummern: batch } })
    // An entry is refused if it is no longer in the trash, or if another file is at its path by now.
    refusals.push(...abgelehnt)
    report?.(batch.length - abgelehnt.length)
  }
  if (refusals[0]) throw errorOfRefusal(refusals[0])
}
