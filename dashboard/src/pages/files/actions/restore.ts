/** The way back from the trash, which knows its entries by number. */
import { TRASH_MAX_NUMBERS } from '../../../../../src/contract/limits.ts'
import { post } from '../../../api/client.ts'
import { refusal } from '../../../api/error.ts'

export async function restoreFromTrash(numbers: readonly number[]): Promise<void> {
  for (let start = 0; start < numbers.length; start += TRASH_MAX_NUMBERS) {
    const nummern = numbers.slice(start, start + TRASH_MAX_NUMBERS)
    const { abgelehnt } = await post('papierkorb/wiederherstellen', { body: { nummern } })
    // Something else lies at the path by now.
    if (abgelehnt[0]) throw refusal(abgelehnt[0])
  }
}
