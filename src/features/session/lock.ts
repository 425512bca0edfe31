/**
 * The lock against guessing passwords. Each pair of name and client has a lock: five attempts are free, then
 * the lock closes for 30 seconds, and for twice as long after every further failure. In addition every client
 * has a pace, whatever names it tries: thirty failures at once, then one a minute. Lock and pace are stored
 * in the database, so that neither a restart nor another instance gives new attempts.
 *
 * Known and unknown names are treated alike, down to how long they are remembered: a difference would reveal
 * which accounts exist. The pace also bounds how many rows one client can create (a few hundred). So no row
 * ever has to be evicted for another, and nobody can push out the row of a name in order to try that name
 * again.
 */
import type { Selectable } from 'kysely'
import { sha256 } from '../../base/hash/sha256.ts'
import { DAY, MINUTE, SECOND } from '../../contract/values/units.ts'
import type { Database, Queries } from '../../database/database.ts'
import { hasPassed } from '../../database/deadline.ts'
import type { LoginLockTable } from '../../database/schema.ts'
import { failure } from '../../errors/errors.ts'
import { nameKey } from './accounts.store.ts'

const FREE_ATTEMPTS = 5
export const FIRST_LOCK = 30 * SECOND
export const LONGEST_LOCK = 15 * MINUTE
/** Milliseconds after the end of its last lock until the row of a name is forgotten. */
export const FORGET_AFTER = DAY
/**
 * As long as the lock of a row has never closed, the row is forgotten this many milliseconds after its last
 * failure. An example is a name that was tried once and never again. A client can make four failures an hour
 * that way, which is no more than the longest lock lets through.
 */
export const FORGET_UNLOCKED_AFTER = 60 * MINUTE

/**
 * Failures that a client may make at once: enough for six people behind one address who mistype five times
 * each.
 */
export const CLIENT_FREE_ATTEMPTS = 30
/** A client's failures are forgiven one after the other, one each time these milliseconds have passed. */
export const CLIENT_PACE = MINUTE
/**
 * How far ahead the last failure of a client is forgiven at most: while it is locked, no failure is counted.
 */
const LONGEST_PACE = (CLIENT_FREE_ATTEMPTS + 1) * CLIENT_PACE
/**
 * How far ahead the row of a name is forgotten at most; both with a minute for the clocks of several
 * machines.
 */
const LONGEST_MEMORY = LONGEST_LOCK + FORGET_AFTER + MINUTE
/** Stands in place of a name's hash in the row that counts a client's failures over all names. */
const ANY_NAME = ''

interface Attempt {
  /** The name as typed; an account of this name need not exist. */
  name: string
  /** The client's network, as `networkOf` names it. */
  client: string
}

export interface Lock {
  /**
   * Lets `judge` decide one attempt: when `judge` resolves, the attempt succeeded and the lock of the name is
   * cleared; when `judge` rejects, the attempt failed. While the lock is closed, rejects with 429 without
   * calling `judge`. An attempt is counted before it is judged, so that many attempts at once get no more
   * tries than attempts one after the other.
   */
  attempt<T>(who: Attempt, judge: () => Promise<T>): Promise<T>
  /** Deletes the rows whose `forget_at` has passed. */
  forget(): Promise<void>
}

type State = Pick<Selectable<LoginLockTable>, 'failures' | 'locked_until' | 'forget_at'>

export function createLock({ database, now }: { database: Database; now: () => number }): Lock {
  const inTurn = createTurns()

  async function count(who: Attempt): Promise<void> {
    // The first check only reads and takes no turn as a writer: a flood of attempts during a lock must not
    // hold up uploads.
    refuseWhileLocked(await find(database.read, who, now()), now())
    await database.transaction(async tx => {
      const at = now()
      const before = await find(tx, who, at)
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
        await database.transaction(tx => forgive(tx, who))
        return verdict
      }),

    async forget() {
      await database.transaction(tx => tx.deleteFrom('login_lock').where('forget_at', '<=', now()).execute())
    },
  }
}

/**
 * After a success: clears the lock of the name at the client, and takes back the one failure that this
 * attempt was counted as. The client's other failures still count: otherwise signing in with an account of
 * one's own would give thirty new attempts at the names of others.
 */
async function forgive(tx: Queries, who: Attempt): Promise<void> {
  const { name_hash, client } = keyOf(who)
  const rows = tx.deleteFrom('login_lock').where('name_hash', '=', name_hash)
  await rows.where('client', '=', client).execute()
  await tx
    .updateTable('login_lock')
    .set(({ eb }) => ({
      failures: eb('failures', '-', 1),
      locked_until: eb('locked_until', '-', CLIENT_PACE),
      forget_at: eb('forget_at', '-', CLIENT_PACE),
    }))
    .where('name_hash', '=', ANY_NAME)
    .where('client', '=', client)
    .execute()
}

/** Clears the lock of a name at every client, and the pace of every client. */
export async function clearLocks(tx: Queries, name: string): Promise<void> {
  const { name_hash } = keyOf({ name, client: '' })
  await tx.deleteFrom('login_lock').where('name_hash', 'in', [name_hash, ANY_NAME]).execute()
}

/** The state of a name's lock after one more failure. */
function afterFailure(before: State | undefined, at: number): State {
  const failures = (before && before.forget_at > at ? before.failures : 0) + 1
  const beyond = failures - FREE_ATTEMPTS
  if (beyond < 0) return { failures, locked_until: 0, forget_at: at + FORGET_UNLOCKED_AFTER }
  const locked_until = at + Math.min(FIRST_LOCK * 2 ** beyond, LONGEST_LOCK)
  return { failures, locked_until, forget_at: locked_until + FORGET_AFTER }
}

/**
 * The state of a client's pace after one more failure. `forget_at` is the time at which the client's last
 * failure is forgiven. The client is locked while at least `CLIENT_FREE_ATTEMPTS` failures are not yet
 * forgiven.
 */
function afterClientFailure(before: State | undefined, at: number): State {
  const forget_at = Math.max(before?.forget_at ?? 0, at) + CLIENT_PACE
  const locked_until = forget_at - (CLIENT_FREE_ATTEMPTS - 1) * CLIENT_PACE
  return { failures: Math.ceil((forget_at - at) / CLIENT_PACE), locked_until, forget_at }
}

/** The stored lock of a name at a client, and the stored pace of that client over all names. */
interface Known {
  name: State | undefined
  client: State | undefined
}

function refuseWhileLocked({ name, client }: Known, at: number): void {
  const lockedUntil = Math.max(name?.locked_until ?? 0, client?.locked_until ?? 0)
  if (lockedUntil > at) throw failure.loginLocked(Math.ceil((lockedUntil - at) / SECOND))
}

async function find(queries: Queries, who: Attempt, at: number): Promise<Known> {
  const { name_hash, client } = keyOf(who)
  const rows = await queries
    .selectFrom('login_lock')
    .select(['name_hash', 'failures', 'locked_until', 'forget_at'])
    .where('name_hash', 'in', [name_hash, ANY_NAME])
    .where('client', '=', client)
    .execute()
  return {
    name: rows.find(row => row.name_hash === name_hash && !hasPassed(row.forget_at, at, LONGEST_MEMORY)),
    client: rows.find(row => row.name_hash === ANY_NAME && !hasPassed(row.forget_at, at, LONGEST_PACE)),
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
 * Runs the work of each key one after the other. The lock is safe without this; it only spares honest users:
 * otherwise five correct logins at the same moment would be counted as five failures before the first of them
 * is judged.
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
