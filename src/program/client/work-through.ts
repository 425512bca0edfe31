import { ClientTrouble } from '../../errors/client.ts'

export interface WorkOptions<Item, Outcome> {
  parallel: number
  work(item: Item): Promise<Outcome>
  /** Makes the outcome of an item that failed; the other items are still processed. */
  failed(item: Item, trouble: ClientTrouble): Outcome
  /** Called with each outcome, and with the number of outcomes so far. */
  onOutcome?(outcome: Outcome, count: number): void
}

/**
 * Returns the outcomes in the order of the items, and the error that ended the work early, or null. Work that
 * was started is always finished; an error that is not a `ClientTrouble` is thrown afterwards.
 */
export async function workThrough<Item, Outcome extends object>(
  items: readonly Item[],
  { parallel, work, failed, onOutcome = () => {} }: WorkOptions<Item, Outcome>,
): Promise<{ outcomes: Outcome[]; ended: ClientTrouble | null }> {
  const next = items.values()
  const outcomes = new Map<Item, Outcome>()
  let ended: ClientTrouble | null = null
  let fault: { error: unknown } | null = null

  const keep = (item: Item, outcome: Outcome) => onOutcome(outcome, outcomes.set(item, outcome).size)

  async function worker(): Promise<void> {
    for (let step = next.next(); !step.done && !ended && !fault; step = next.next()) {
      try {
        keep(step.value, await work(step.value))
      } catch (error) {
        if (!(error instanceof ClientTrouble)) fault = { error }
        else if (error.endsAll) ended ??= error
        else keep(step.value, failed(step.value, error))
      }
    }
  }

  await Promise.all(Array.from({ length: parallel }, worker))
  if (fault) throw (fault as { error: unknown }).error
  return { outcomes: items.flatMap(item => outcomes.get(item) ?? []), ended }
}
