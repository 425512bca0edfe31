/** Works through a list, several items at a time. */
import { ClientTrouble } from '../errors/client.ts'

export interface WorkOptions<Item> {
  parallel: number
  work(item: Item): Promise<void>
  /** An item failed; the others go on. */
  onFailure(item: Item, trouble: ClientTrouble): void
}

/**
 * Answers the trouble that ended the work before its end, or null. Work that has begun is waited for, so that nothing
 * is cut off; an error that is not a `ClientTrouble` is thrown afterwards.
 */
export async function workThrough<Item>(
  items: Iterable<Item>,
  { parallel, work, onFailure }: WorkOptions<Item>,
): Promise<ClientTrouble | null> {
  const next = items[Symbol.iterator]()
  let ended: ClientTrouble | null = null
  let fault: { error: unknown } | null = null

  async function worker(): Promise<void> {
    for (let step = next.next(); !step.done && !ended && !fault; step = next.next()) {
      try {
        await work(step.value)
      } catch (error) {
        if (!(error instanceof ClientTrouble)) fault = { error }
        else if (error.endsAll) ended ??= error
        else onFailure(step.value, error)
      }
    }
  }

  await Promise.all(Array.from({ length: parallel }, worker))
  if (fault) throw (fault as { error: unknown }).error
  return ended
}
