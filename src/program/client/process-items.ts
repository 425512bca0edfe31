import { ClientTrouble } from '../../errors/client.ts'

export interface ProcessOptions<Item, Outcome> {
  concurrency: number
  processItem(item: Item): Promise<Outcome>
  /** Returns the outcome of an item that failed. The other items are still processed. */
  outcomeOfFailure(item: Item, trouble: ClientTrouble): Outcome
  /** Called with each outcome, and with the number of outcomes so far. */
  onOutcome?(outcome: Outcome, count: number): void
}

/**
 * Processes the items, `concurrency` of them at a time. Returns the outcomes in the order of the items, and
 * the error that ended the work early (null if none did). After that error no further item is started, so
 * some items have no outcome; items in progress are always finished. An error that is not a `ClientTrouble`
 * also ends the work, and is thrown afterwards.
 */
export async function processItems<Item, Outcome extends object>(
  items: readonly Item[],
  { concurrency, processItem, outcomeOfFailure, onOutcome = () => {} }: ProcessOptions<Item, Outcome>,
): Promise<{ outcomes: Outcome[]; endingError: ClientTrouble | null }> {
  const remainingItems = items.values()
  const outcomes = new Map<Item, Outcome>()
  let endingError: ClientTrouble | null = null
  let unexpectedError: { error: unknown } | null = null

  const addOutcome = (item: Item, outcome: Outcome) => onOutcome(outcome, outcomes.set(item, outcome).size)

  async function runWorker(): Promise<void> {
    for (
      let nextItem = remainingItems.next();
      !nextItem.done && !endingError && !unexpectedError;
      nextItem = remainingItems.next()
    ) {
      try {
        addOutcome(nextItem.value, await processItem(nextItem.value))
      } catch (error) {
        if (!(error instanceof ClientTrouble)) unexpectedError = { error }
        else if (error.endsCommand) endingError ??= error
        else addOutcome(nextItem.value, outcomeOfFailure(nextItem.value, error))
      }
    }
  }

  await Promise.all(Array.from({ length: concurrency }, runWorker))
  if (unexpectedError) throw (unexpectedError as { error: unknown }).error
  return { outcomes: items.flatMap(item => outcomes.get(item) ?? []), endingError }
}
