import { ClientTrouble } from '../../errors/client.ts'

export interface WorkOptions<Item, Outcome> {
  parallel: number
  work(item: Item): Promise<Outcome>
  /** Returns the outcome of an item that failed. The other items are still processed. */
  outcomeOfFailure(item: Item, trouble: ClientTrouble): Outcome
  /** Called with each outcome, and with the number of outcomes so far. */
  onOutcome?(outcome: Outcome, count: number): void
}

/**
 * Processes the items, `parallel` of them at a time. Returns the outcomes in the order of the items, and the
 * error that ended the work early (null if none did). After that error no further item is started, so some
 * items have no outcome; items in progress are always finished. An error that is not a `ClientTrouble` also
 * ends the work, and is thrown afterwards.
 */
export async function workThrough<Item, Outcome extends object>(
  items: readonly Item[],
  { parallel, work, outcomeOfFailure, onOutcome = () => {} }: WorkOptions<Item, Outcome>,
): Promise<{ outcomes: Outcome[]; endedBy: ClientTrouble | null }> {
  const remainingItems = items.values()
  const outcomes = new Map<Item, Outcome>()
  let endedBy: ClientTrouble | null = null
  let unexpectedError: { error: unknown } | null = null

  const addOutcome = (item: Item, outcome: Outcome) => onOutcome(outcome, outcomes.set(item, outcome).size)

  async function worker(): Promise<void> {
    for (
      let next = remainingItems.next();
      !next.done && !endedBy && !unexpectedError;
      next = remainingItems.next()
    ) {
      try {
        addOutcome(next.value, await work(next.value))
      } catch (error) {
        if (!(error instanceof ClientTrouble)) unexpectedError = { error }
        else if (error.endsCommand) endedBy ??= error
        else addOutcome(next.value, outcomeOfFailure(next.value, error))
      }
    }
  }

  await Promise.all(Array.from({ length: parallel }, worker))
  if (unexpectedError) throw (unexpectedError as { error: unknown }).error
  return { outcomes: items.flatMap(item => outcomes.get(item) ?? []), endedBy }
}
