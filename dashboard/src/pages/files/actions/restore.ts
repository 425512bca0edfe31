/** The way back from the trash, which knows its entries by number. */
import { get, post } from '../../../api/client.ts'
import { ApiError } from '../../../api/error.ts'

const PAGE = 200
/** As many numbers as one request may name. */
const AT_ONCE = 10_000

export async function restoreFromTrash(numbers: readonly number[]): Promise<void> {
  for (let start = 0; start < numbers.length; start += AT_ONCE) {
    const nummern = numbers.slice(start, start + AT_ONCE)
    const { abgelehnt } = await post('papierkorb/wiederherstellen', { body: { nummern } })
    // Something else lies at the path by now.
    if (abgelehnt[0]) throw refusal(abgelehnt[0].grund)
  }
}

/** A refusal within an answer that is otherwise good, as an error with the service's sentence. */
export const refusal = (sentence: string) => new ApiError(409, sentence, null, null)

/** Deleting a folder answers only how many files went: the newest so many entries below the folder are those. */
export async function numbersBelow(folder: string, count: number): Promise<number[]> {
  const numbers: number[] = []
  for (let seite = 1; numbers.length < count; seite++) {
    const { eintraege } = await get('papierkorb', { query: { seite, anzahl: PAGE } })
    if (eintraege.length === 0) break
    numbers.push(...entriesBelow(eintraege, folder))
  }
  return numbers.slice(0, count)
}

export const entriesBelow = (entries: readonly { nr: number; path: string }[], folder: string) =>
  entries.filter(({ path }) => path.startsWith(`${folder}/`)).map(({ nr }) => nr)
