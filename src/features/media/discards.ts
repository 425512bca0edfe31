/**
 * Removes objects that transactions have let go. These objects stand on the discard list in the database, so a crash
 * loses no entry. Each object stays for a short delay: a reader that looked up the row just before can still open it.
 */
import type { Coordination } from '../../coordination/coordination.ts'
import type { Database } from '../../database/database.ts'
import type { Log } from '../../log.ts'
import type { Storage } from '../../storage/storage.ts'

const BATCH = 200

export interface Discards {
  /** The time from which an object that is let go now may be removed. */
  dueAt(): number
  /** Call after the list has grown: a run starts once the new entries are due. */
  kick(): void
  /** Removes the objects that are due; answers the number of removed objects. */
  run(): Promise<number>
  stop(): Promise<void>
}

export interface DiscardsParts {
  database: Database
  storage: Storage
  log: Log
  now: () => number
  /** Milliseconds from letting an object go to removing it. */
  delay: number
  coordination: Pick<Coordination, 'isHeld'>
}

export function createDiscards(parts: DiscardsParts): Discards {
  const { database, storage, log, now, delay, coordination } = parts
  let timer: Timer | undefined
  let grown = false
  let running: Promise<unknown> = Promise.resolve()

  async function removeDue(): Promise<number> {
    let removed = 0
    let after = 0
    for (;;) {
      const due = await database.read
        .selectFrom('discard')
        .select(['nr', 'object'])
        .where('due_at', '<=', now())
        .where('nr', '>', after)
        .orderBy('nr')
        .limit(BATCH)
        .execute()
      if (due.length === 0) return removed
      // A running backup still reads objects that were let go after the backup began, so nothing is removed meanwhile;
      // the entries stay on the list for a run after the backup. The order matters: first read the list, then ask.
      // After a "no", every entry read was let go before any later backup begins, which then does not know its object.
      if (await coordination.isHeld('backup')) return removed
      after = due.at(-1)!.nr
      const stuck = await removeAll(due.map(({ object }) => object))
      const gone = due.filter(({ object }) => !stuck.has(object)).map(({ nr }) => nr)
      if (gone.length === 0) continue
      await database.transaction(tx => tx.deleteFrom('discard').where('nr', 'in', gone).execute())
      removed += gone.length
    }
  }

  /** Answers the objects that could not be removed: their entries stay on the list, and the run goes on. */
  async function removeAll(objects: string[]): Promise<Map<string, unknown>> {
    const errors = await storage.removeAll(objects)
    for (const [object, cause] of errors) log.warn('an object could not be removed', { object, cause })
    return errors
  }

  /**
   * An object that is let go while the timer runs becomes due only after the timer, so another round follows. This run
   * does not hold the task of the minutely job. Two processes may therefore remove the same object and delete the same
   * entry, which does no harm: removing an absent object is no error.
   */
  function kick(): void {
    if (timer) {
      grown = true
      return
    }
    timer = setTimeout(() => {
      timer = undefined
      run().catch(() => {})
      if (grown) kick()
    }, delay + 1)
    grown = false
  }

  const run = () => {
    const next = running.then(removeDue)
    running = next.catch(error => log.error('discarding failed', { cause: error }))
    return next
  }

  return {
    dueAt: () => now() + delay,
    kick,
    run,
    async stop() {
      clearTimeout(timer)
      await running
    },
  }
}
