/** Restores files from the trash, whose entries are identified by number. */
import { post } from '../../api/client.ts'
import { errorOfRefusal } from '../../api/error.ts'

/** Number of files per request: few enough for regular progress. */
const AT_ONCE = 1000

/** Restores this entry; the file that is at its path now is moved to the trash. */
export async function exchangeWithTrash(nr: number): Promise<void> {
  const { abgelehnt } = await post('papierkorb/wiederherstellen', { body: { nummern: [nr], ersetzen: true } })
  if (abgelehnt[0]) throw errorOfRefusal(abgelehnt[0])
}

/**
 * Restores these entries. `report` is called with the number of files that were restored since the last call.
 */
export async function restoreFromTrash(
  numbers: readonly number[],
  report?: (count: number) => void,
): Promise<void> {
  for (let start = 0; start < numbers.length; start += AT_ONCE) {
    const nummern = numbers.slice(start, start + AT_ONCE)
    const { abgelehnt } = await post('papierkorb/wiederherstellen', { body: { nummern } })
    // Refused because another file is at the path by now.
    if (abgelehnt[0]) throw errorOfRefusal(abgelehnt[0])
    report?.(nummern.length)
  }
}
