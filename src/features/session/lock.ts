/**
 * The lock against guessing, for each name and client: five attempts are free, then it closes for 30 seconds, and for
 * twice as long after every further failure. Beside it every client has a pace, whatever names it tries: thirty failures
 * at once, then one a minute. Both live in the database, so that neither a restart nor another instance gives new
 * attempts.
 *
 * Known and unknown names are treated alike, down to how long they are remembered: a difference would tell which there
 * are. The pace also bounds how many rows a client can make (a few hundred), so none has to give way to another, and
 * nobody can push out the row of a name in order to try it again.
 */
import type { Selectable } from 'kysely'
import { DAY, MINUTE, SECOND } from '../../contract/units.ts'
import type { Database, Queries } from '../../database/database.ts'
import type { LoginLockTable } from '../../database/schema.ts'
import { failure } from '../../errors.ts'
import { sha256 } from '../../sha256.ts'
import { nameKey } from './accounts.store.ts'

export const FREE_ATTEMPTS = 5
export const FIRST_LOCK = 30 * SECOND
export const LONGEST_LOCK = 15 * MINUTE
/** After the end of the last lock. */
export const FORGET_AFTER = DAY
/**
 * After the last failure where no lock was closed yet: a name that was tried once and never again. Four failures an hour
 * that way are no more than the longest lock lets through.
 */
export const FORGET_UNLOCKED_AFTER = 60 * MINUTE

/** Six people behind one address who mistype five times each. */
export const CLIENT_FREE_ATTEMPTS = 30
/** Each failure of a client is forgiven after this time, one after the other. */
export const CLIENT_PACE = MINUTE
/** In the place of a name's hash: the row that counts every name of a client. */
const ANY_NAME = ''

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
      const key = keyOf(who)
      await save(tx, key, afterFailure(before.name, at))
      await save(tx, { ...key, name_hash: ANY_NAME }, afterClientFailure(before.client, at))
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

/** Also what other names have cost the client. Without a client: for all of them. */
export async function clearLock(tx: Queries, who: { name: string; client?: string }): Promise<void> {
  const { name_hash } = keyOf({ name: who.name, client: '' })
  const locks = tx.deleteFrom('login_lock').where('name_hash', 'in', [name_hash, ANY_NAME])
  await (who.client === undefined ? locks : locks.where('client', '=', who.client)).execute()
}

/** What one more failure makes of a lock. */
export function afterFailure(before: State | undefined, at: number): State {
  const failures = (before && before.forget_at > at ? before.failures : 0) + 1
  const beyond = failures - FREE_ATTEMPTS
  if (beyond < 0) return { failures, locked_until: 0, forget_at: at + FORGET_UNLOCKED_AFTER }
  const locked_until = at + Math.min(FIRST_LOCK * 2 ** beyond, LONGEST_LOCK)
  return { failures, locked_until, forget_at: locked_until + FORGET_AFTER }
}

/** `forget_at` is when the last failure is forgiven; closed while as many are not as there are free ones. */
export function afterClientFailure(before: State | undefined, at: number): State {
  const forget_at = Math.max(before?.forget_at ?? 0, at) + CLIENT_PACE
  const locked_until = forget_at - (CLIENT_FREE_ATTEMPTS - 1) * CLIENT_PACE
  return { failures: Math.ceil((forget_at - at) / CLIENT_PACE), locked_until, forget_at }
}

/** What is known of the name at this client, and of the client whatever the name. */
interface Known {
  name: State | undefined
  client: State | undefined
}

function refuseWhileLocked({ name, client }: Known, at: number): void {
  const lockedUntil = Math.max(name?.locked_until ?? 0, client?.locked_until ?? 0)
  if (lockedUntil > at) throw failure.loginLocked(Math.ceil((lockedUntil - at) / SECOND))
}

async function find(queries: Queries, who: Attempt): Promise<Known> {
  const { name_hash, client } = keyOf(who)
  const rows = await queries
    .selectFrom('login_lock')
    .select(['name_hash', 'failures', 'locked_until', 'forget_at'])
    .where('name_hash', 'in', [name_hash, ANY_NAME])
    .where('client', '=', client)
    .execute()
  return {
    name: rows.find(row => row.name_hash === name_hash),
    client: rows.find(row => row.name_hash === ANY_NAME),
  }
}

async function save(tx: Queries, key: ReturnType<typeof keyOf>, state: State): Promise<void> {
  await tx
    .insertInto('login_lock')
    .values({ ...key, ...state })
    .onConflict(conflict => conflict.columns(['name_hash', 'client']).doUpdateSet(state))
    .execute()
}

const keyOf = ({ name, client }: Attempt) => ({
  name_hash: sha256(nameKey(name)),
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
