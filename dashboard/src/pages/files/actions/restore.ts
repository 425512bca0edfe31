/** The way back from the trash. Deleting tells paths; the trash knows its entries by number. */
import { get, post } from '../../../api/client.ts'
import { ApiError } from '../../../api/error.ts'

const PAGE = 200
/** As many numbers as one request may name. */
const AT_ONCE = 10_000

interface Entry {
  nr: number
  path: string
}

/** Takes each wanted path once: the newest entry comes first, and older ones of the same path are not ours. */
export function pickByPath(paths: Iterable<string>) {
  const wanted = new Set(paths)
  return {
    pick: ({ path }: Entry) => wanted.delete(path),
    isDone: () => wanted.size === 0,
  }
}

/** As many of the newest entries below a folder as were deleted with it. */
export function pickBelow(folder: string, count: number) {
  let left = count
  return {
    pick: ({ path }: Entry) => left > 0 && path.startsWith(`${folder}/`) && left-- > 0,
    isDone: () => left === 0,
  }
}

export type Picking = ReturnType<typeof pickByPath>

export async function restoreFromTrash(picking: Picking): Promise<void> {
  const numbers = await numbersOf(picking)
  for (let start = 0; start < numbers.length; start += AT_ONCE) {
    const nummern = numbers.slice(start, start + AT_ONCE)
    const { abgelehnt } = await post('papierkorb/wiederherstellen', { body: { nummern } })
    // Something else lies at the path by now.
    if (abgelehnt[0]) throw refusal(abgelehnt[0].grund)
  }
}

/** A refusal within an answer that is otherwise good, as an error with the service's sentence. */
export const refusal = (sentence: string) => new ApiError(409, sentence, null, null)

async function numbersOf({ pick, isDone }: Picking): Promise<number[]> {
  const numbers: number[] = []
  for (let seite = 1; !isDone(); seite++) {
    const { eintraege } = await get('papierkorb', { query: { seite, anzahl: PAGE } })
    if (eintraege.length === 0) break
    for (const entry of eintraege) if (pick(entry)) numbers.push(entry.nr)
  }
  return numbers
}
