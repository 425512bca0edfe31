/**
 * Removes objects that transactions let go. They stand on a list in the database, so a crash loses none of them.
 * Each waits a moment: a reader that looked its row up just before still opens the object undisturbed.
 */
import type { Database } from '../../database/database.ts'
import type { Log } from '../../log.ts'
import type { Storage } from '../../storage/storage.ts'

const DISCARD_DELAY = 3_000
const BATCH = 200

export interface Discards {
  /** When something let go now may be removed. */
  dueAt(): number
  /** Says that the list has grown. */
  kick(): void
  /** Removes what is due; answers how many objects that were. */
  run(): Promise<number>
  stop(): Promise<void>
}

export interface DiscardsParts {
  database: Database
  storage: Storage
  log: Log
  now: () => number
  delay?: number
}

export function createDiscards(parts: DiscardsParts): Discards {
  const { database, storage, log, now, delay = DISCARD_DELAY } = parts
  let timer: Timer | undefined
  let grown = false
  let running: Promise<unknown> = Promise.resolve()

  async function removeDue(): Promise<number> {
    let removed = 0
    for (;;) {
      const due = await database.read
        .selectFrom('discard')
        .select(['nr', 'object'])
        .where('due_at', '<=', now())
        .orderBy('nr')
        .limit(BATCH)
        .execute()
      if (due.length === 0) return removed
      for (const { object } of due) await storage.remove(object)
      const numbers = due.map(entry => entry.nr)
      await database.transaction(tx => tx.deleteFrom('discard').where('nr', 'in', numbers).execute())
      removed += due.length
    }
  }

  /** What is let go while the timer runs is due only after it, and needs another round. */
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
