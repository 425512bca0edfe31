/**
 * Removes objects that transactions let go. They stand on a list in the database, so a crash loses none of them.
 * Each waits a moment: a reader that looked its row up just before still opens the object undisturbed.
 */
import type { Coordination } from '../../coordination/coordination.ts'
import type { Database } from '../../database/database.ts'
import type { Log } from '../../log.ts'
import type { Storage } from '../../storage/storage.ts'

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
  /** Milliseconds from letting go to removing. */
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
      // A backup under way still reads what was let go after it began. In this order: what was read from the list before
      // a "no" was let go before any later backup began, which therefore does not know it. Afterwards it comes again.
      if (await coordination.isHeld('backup')) return removed
      const gone: number[] = []
      for (const { nr, object } of due) {
        after = nr
        if (await remove(object)) gone.push(nr)
      }
      if (gone.length === 0) continue
      await database.transaction(tx => tx.deleteFrom('discard').where('nr', 'in', gone).execute())
      removed += gone.length
    }
  }

  /** False when it could not be removed: it stays on the list, and the others go on. */
  async function remove(object: string): Promise<boolean> {
    try {
      await storage.remove(object)
      return true
    } catch (error) {
      log.warn('an object could not be removed', { object, cause: error })
      return false
    }
  }

  /**
   * What is let go while the timer runs is due only after it, and needs another round. Not under the task of the minutely
   * job: two processes may remove the same object, since an absent one is no error, and strike the same note.
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
