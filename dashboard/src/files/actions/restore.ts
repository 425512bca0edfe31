/** The way back from the trash, which knows its entries by number. */
import { post } from '../../api/client.ts'
import { refusal } from '../../api/error.ts'

/** Files of one request: few enough that progress is told now and then. */
const AT_ONCE = 1000

/** `report` hears how many more are back. */
export async function restoreFromTrash(
  numbers: readonly number[],
  report?: (count: number) => void,
): Promise<void> {
  for (let start = 0; start < numbers.length; start += AT_ONCE) {
    const nummern = numbers.slice(start, start + AT_ONCE)
    const { abgelehnt } = await post('papierkorb/wiederherstellen', { body: { nummern } })
    // Something else lies at the path by now.
    if (abgelehnt[0]) throw refusal(abgelehnt[0])
    report?.(nummern.length)
  }
}
