/**
 * Protection against guessing passwords. Each pair of name and client has a lock: it closes for 30 seconds
 * after five failures, and for twice as long after each further failure, up to 15 minutes. In addition every
 * client has a rate limit over all names: a burst of thirty failures, then one a minute. Locks and rate
 * limits are in the database, so that neither a restart nor another process gives new attempts.
 *
 * Known and unknown names are treated alike, including how long they are remembered: a difference would
 * reveal which accounts exist. The rate limit also bounds the number of rows that one client can create (a
 * few hundred). So no row has to be evicted to save space, and nobody can push out the row of a name to try
 * that name again.
 */
import type { Selectable } from 'kysely'
import { sha256 } from '../../../base/hash/sha256.ts'
import { DAY, MINUTE, SECOND } from '../../../contract/values/units.ts'
import type { Database, Queries } from '../../../database/database.ts'
import { CLOCK_MARGIN, hasDeadlinePassed } from '../../../database/deadline.ts'
import type { LoginLockTable } from '../../../database/schema.ts'
import { failure } from '../../../errors/errors.ts'
import { nameKey } from '../accounts.store.ts'

const FAILURES_UNTIL_LOCK = 5
export const FIRST_LOCK_DURATION = 30 * SECOND
export const MAX_LOCK_DURATION = 15 * MINUTE
/** Milliseconds that the row of a name is kept after the end of its last lock. */
export const LOCKED_NAME_RETENTION = DAY
/**
 * Milliseconds that the row of a name is kept after its last failure if its lock never closed, for example
 * because the name was tried once. This allows four failures an hour, no more than the longest lock does.
 */
export const UNLOCKED_NAME_RETENTION = 60 * MINUTE

/** Number of failures before a client is locked: enough for six people behind one address. */
export const CLIENT_FAILURE_LIMIT = 30
/** Milliseconds until a failure of a client is forgiven; several are forgiven one after the other. */
export const CLIENT_FORGIVENESS_INTERVAL = MINUTE
/**
 * Maximum milliseconds until the last failure of a client is forgiven, with a minute for differing clocks.
 * There is a maximum because no failure is counted while the client is locked.
 */
const MAX_CLIENT_RETENTION = CLIENT_FAILURE_LIMIT * CLIENT_FORGIVENESS_INTERVAL + CLOCK_MARGIN
/** Maximum milliseconds that the row of a name is kept, with a minute for differing clocks. */
const MAX_NAME_RETENTION = MAX_LOCK_DURATION + LOCKED_NAME_RETENTION + CLOCK_MARGIN
/** Used in place of the hash of a name in the row that counts all failures of a client. */
const ANY_NAME = ''

interface LoginAttempt {
  /** The name as typed; there may be no such account. */
  name: string
  /** The client as `networkOf` identifies it: an IPv4 address, or the /64 of an IPv6 address. */
  client: string
}

export type LoginLock = ReturnType<typeof createLoginLock>

type LockState = Pick<Selectable<LoginLockTable>, 'failures' | 'locked_until' | 'forget_at'>
type CountedFailure = { stateBefore: LockState | undefined; stateAfter: LockState }

export function createLoginLock({ database, now }: { database: Database; now: () => number }) {
  const runSequentially = createKeyedQueue()

  /**
   * Counts an attempt as a failure before it is checked. Returns the state of the name's lock before and
   * after this failure. Rejects with 429 while the name or the client is locked.
   */
  async function countFailure(attempt: LoginAttempt): Promise<CountedFailure> {
    // This first check only reads, because write transactions run one after the other: a flood of attempts
    // during a lock must not delay the writes of uploads.
    refuseWhileLocked(await findLocks(database.read, attempt, now()), now())
    return database.transaction(async tx => {
      const time = now()
      const locks = await findLocks(tx, attempt, time)
      refuseWhileLocked(locks, time)
      const key = lockKeyOf(attempt)
      const newState = lockAfterFailure(locks.name, time)
      await saveLock(tx, key, newState)
      await saveLock(tx, { ...key, name_hash: ANY_NAME }, rateLimitAfterFailure(locks.client, time))
      return { stateBefore: locks.name, stateAfter: newState }
    })
  }

  return {
    /**
     * Runs one login attempt. `checkAttempt` rejects if the attempt fails. If it resolves, the lock of the
     * name is cleared, unless `shouldClearLock` returns false for the outcome. In that case earlier failures
     * still count: a right password alone, for example, clears nothing if a second factor must follow. While
     * the name or the client is locked, rejects with 429 without calling `checkAttempt`. An attempt is
     * counted as a failure before it is checked, so that concurrent attempts get no more tries than
     * consecutive ones.
     */
    attempt: <T>(
      attempt: LoginAttempt,
      checkAttempt: () => Promise<T>,
      { shouldClearLock = () => true }: { shouldClearLock?: (outcome: T) => boolean } = {},
    ) =>
      runSequentially(Object.values(lockKeyOf(attempt)).join(' '), async () => {
        const countedFailure = await countFailure(attempt)
        const outcome = await checkAttempt()
        await database.transaction(async tx => {
          if (shouldClearLock(outcome)) await clearNameLock(tx, attempt)
          else await undoCountedFailure(tx, attempt, countedFailure)
          await forgiveClient(tx, attempt)
        })
        return outcome
      }),

    /** Deletes the rows whose `forget_at` has passed. */
    async removeForgotten() {
      await database.transaction(tx => tx.deleteFrom('login_lock').where('forget_at', '<=', now()).execute())
    },
  }
}

/** Clears the lock of this pair of name and client, after a successful attempt. */
async function clearNameLock(tx: Queries, attempt: LoginAttempt): Promise<void> {
  const { name_hash, client } = lockKeyOf(attempt)
  await tx.deleteFrom('login_lock').where('name_hash', '=', name_hash).where('client', '=', client).execute()
}

/**
 * Takes back the failure that was counted for this attempt: restores the state before it. If another process
 * has changed the state meanwhile, subtracts one failure instead.
 */
async function undoCountedFailure(
  tx: Queries,
  attempt: LoginAttempt,
  { stateBefore, stateAfter }: CountedFailure,
): Promise<void> {
  const { name_hash, client } = lockKeyOf(attempt)
  const updateQuery = tx
    .updateTable('login_lock')
    .where('name_hash', '=', name_hash)
    .where('client', '=', client)
  const unlockedState = { failures: 0, locked_until: 0, forget_at: stateAfter.forget_at }
  const { numUpdatedRows } = await updateQuery
    .set(stateBefore ?? unlockedState)
    .where('failures', '=', stateAfter.failures)
    .where('locked_until', '=', stateAfter.locked_until)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n)
    await updateQuery.set(({ eb }) => ({ failures: eb('failures', '-', 1) })).execute()
}

/**
 * Subtracts the failure that was counted for the client. Earlier failures still count: otherwise signing in
 * with one's own account would give thirty new attempts at other names.
 */
async function forgiveClient(tx: Queries, { client }: LoginAttempt): Promise<void> {
  await tx
    .updateTable('login_lock')
    .set(({ eb }) => ({
      failures: eb('failures', '-', 1),
      locked_until: eb('locked_until', '-', CLIENT_FORGIVENESS_INTERVAL),
      forget_at: eb('forget_at', '-', CLIENT_FORGIVENESS_INTERVAL),
    }))
    .where('name_hash', '=', ANY_NAME)
    .where('client', '=', client)
    .execute()
}

/** Clears the lock of a name at every client, and every client's rate limit. */
export async function clearLocks(tx: Queries, name: string): Promise<void> {
  const { name_hash } = lockKeyOf({ name, client: '' })
  await tx.deleteFrom('login_lock').where('name_hash', 'in', [name_hash, ANY_NAME]).execute()
}

/** The state of a name's lock after one more failure. */
function lockAfterFailure(stateBefore: LockState | undefined, time: number): LockState {
  const failures = (stateBefore && stateBefore.forget_at > time ? stateBefore.failures : 0) + 1
  const excessFailures = failures - FAILURES_UNTIL_LOCK
  if (excessFailures < 0) return { failures, locked_until: 0, forget_at: time + UNLOCKED_NAME_RETENTION }
  const locked_until = time + Math.min(FIRST_LOCK_DURATION * 2 ** excessFailures, MAX_LOCK_DURATION)
  return { failures, locked_until, forget_at: locked_until + LOCKED_NAME_RETENTION }
}

/**
 * The state of a client's rate limit after one more failure. `forget_at` is the time at which the last
 * failure is forgiven. The client is locked while at least `CLIENT_FAILURE_LIMIT` failures are not forgiven
 * yet.
 */
function rateLimitAfterFailure(stateBefore: LockState | undefined, time: number): LockState {
  const forget_at = Math.max(stateBefore?.forget_at ?? 0, time) + CLIENT_FORGIVENESS_INTERVAL
  const locked_until = forget_at - (CLIENT_FAILURE_LIMIT - 1) * CLIENT_FORGIVENESS_INTERVAL
  return { failures: Math.ceil((forget_at - time) / CLIENT_FORGIVENESS_INTERVAL), locked_until, forget_at }
}

function refuseWhileLocked({ name, client }: Awaited<ReturnType<typeof findLocks>>, time: number): void {
  const lockedUntil = Math.max(name?.locked_until ?? 0, client?.locked_until ?? 0)
  if (lockedUntil > time) throw failure.loginLocked(Math.ceil((lockedUntil - time) / SECOND))
}

/** The lock of a name at a client, and the client's rate limit over all names. */
async function findLocks(queries: Queries, attempt: LoginAttempt, time: number) {
  const { name_hash, client } = lockKeyOf(attempt)
  const rows = await queries
    .selectFrom('login_lock')
    .select(['name_hash', 'failures', 'locked_until', 'forget_at'])
    .where('name_hash', 'in', [name_hash, ANY_NAME])
    .where('client', '=', client)
    .execute()
  return {
    name: rows.find(
      row => row.name_hash === name_hash && !hasDeadlinePassed(row.forget_at, time, MAX_NAME_RETENTION),
    ),
    client: rows.find(
      row => row.name_hash === ANY_NAME && !hasDeadlinePassed(row.forget_at, time, MAX_CLIENT_RETENTION),
    ),
  }
}

async function saveLock(tx: Queries, key: ReturnType<typeof lockKeyOf>, state: LockState): Promise<void> {
  await tx
    .insertInto('login_lock')
    .values({ ...key, ...state })
    .onConflict(conflict => conflict.columns(['name_hash', 'client']).doUpdateSet(state))
    .execute()
}

const lockKeyOf = ({ name, client }: LoginAttempt) => ({
  name_hash: sha256(nameKey(name)),
  client,
})

/**
 * Returns a function that runs the tasks of each key one after the other. The lock is safe without this, but
 * honest users would be locked out: five concurrent correct logins would be counted as five failures before
 * the first is checked.
 */
function createKeyedQueue() {
  const lastTaskByKey = new Map<string, Promise<unknown>>()
  return <T>(key: string, task: () => Promise<T>): Promise<T> => {
    const queuedTask = (lastTaskByKey.get(key) ?? Promise.resolve()).then(task, task)
    lastTaskByKey.set(key, queuedTask)
    const removeIfLast = () => {
      if (lastTaskByKey.get(key) === queuedTask) lastTaskByKey.delete(key)
    }
    queuedTask.then(removeIfLast, removeIfLast)
    return queuedTask
  }
}
