/**
 * The lock against guessing, for each name and client: five attempts are free, then it closes for 30 seconds, and for
 * twice as long after every further failure. It lives in the database, so that neither a restart nor another
 * instance gives new attempts.
 */
import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Database, Queries } from '../../database/database.ts'
import type { LoginLockTable } from '../../database/schema.ts'
import { failure } from '../../errors.ts'
import { nameKey } from './accounts.store.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
export const FREE_ATTEMPTS = 5
export const FIRST_LOCK = 30 * SECOND
export const LONGEST_LOCK = 15 * MINUTE
/** After the last failure or the end of its lock. */
export const FORGET_AFTER = 24 * 60 * MINUTE

export interface Attempt {
  /** As typed; there need not be such an account. */
  name: string
  /** See `networkOf`. */
  client: string
}

export interface Lock {
  /**
   * Lets `judge` decide one attempt: resolving is success and clears the lock, rejecting is a failure. Rejects with 429
   * without asking it while the lock is closed. Counted before it is judged, so that many attempts at once get no
   * more than one after the other would.
   */
  attempt<T>(who: Attempt, judge: () => Promise<T>): Promise<T>
  /** Removes what is long over. */
  forget(): Promise<void>
}

type State = Pick<Selectable<LoginLockTable>, 'failures' | 'locked_until' | 'forget_at'>

export function createLock({ database, now }: { database: Database; now: () => number }): Lock {
  const inTurn = createTurns()

  async function count(who: Attempt): Promise<void> {
    // Asked outside of the queue of writers first: a flood of attempts during a lock must not hold up uploads.
    refuseWhileLocked(await find(database.read, who), now())
    await database.transaction(async tx => {
      const at = now()
      const before = await find(tx, who)
      refuseWhileLocked(before, at)
      const state = afterFailure(before, at)
      await tx
        .insertInto('login_lock')
        .values({ ...keyOf(who), ...state })
        .onConflict(conflict => conflict.columns(['name_hash', 'client']).doUpdateSet(state))
        .execute()
    })
  }

  return {
    attempt: (who, judge) =>
      inTurn(Object.values(keyOf(who)).join(' '), async () => {
        await count(who)
        const verdict = await judge()
        await database.transaction(tx => clearLock(tx, who))
        return verdict
      }),

    async forget() {
      await database.transaction(tx => tx.deleteFrom('login_lock').where('forget_at', '<=', now()).execute())
    },
  }
}

/** Without a client: for all of them. */
export async function clearLock(tx: Queries, who: { name: string; client?: string }): Promise<void> {
  const { name_hash } = keyOf({ name: who.name, client: '' })
  const locks = tx.deleteFrom('login_lock').where('name_hash', '=', name_hash)
  await (who.client === undefined ? locks : locks.where('client', '=', who.client)).execute()
}

/** What one more failure makes of a lock. */
export function afterFailure(before: State | undefined, at: number): State {
  const failures = (before && before.forget_at > at ? before.failures : 0) + 1
  const beyond = failures - FREE_ATTEMPTS
  const locked_until = beyond < 0 ? 0 : at + Math.min(FIRST_LOCK * 2 ** beyond, LONGEST_LOCK)
  return { failures, locked_until, forget_at: Math.max(at, locked_until) + FORGET_AFTER }
}

function refuseWhileLocked(state: State | undefined, at: number): void {
  if (state && state.locked_until > at)
    throw failure.loginLocked(Math.ceil((state.locked_until - at) / SECOND))
}

function find(queries: Queries, who: Attempt): Promise<State | undefined> {
  const { name_hash, client } = keyOf(who)
  return queries
    .selectFrom('login_lock')
    .select(['failures', 'locked_until', 'forget_at'])
    .where('name_hash', '=', name_hash)
    .where('client', '=', client)
    .executeTakeFirst()
}

const keyOf = ({ name, client }: Attempt) => ({
  name_hash: createHash('sha256').update(nameKey(name)).digest('hex'),
  client,
})

/**
 * One after the other for each key. Only a kindness: without it five right logins at the same moment would be counted as
 * five failures before the first is judged.
 */
function createTurns() {
  const last = new Map<string, Promise<unknown>>()
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work, work)
    last.set(key, turn)
    const leave = () => {
      if (last.get(key) === turn) last.delete(key)
    }
    turn.then(leave, leave)
    return turn
  }
}
