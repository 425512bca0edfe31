/**
 * The write lock, which only one transaction of all processes can hold at a time, and the time limits of the
 * transaction that holds it. The statement that takes the lock also sets the limits, for this transaction
 * only, so they work through any connection pooler and cost no round trip. The limits free the lock if its
 * holder vanishes without closing its connection: a power cut, a network failure, a suspended machine.
 */
import { type DeadlineKind, type RunStatement, STATEMENT_DEADLINES } from './pool.ts'

/**
 * The number of the advisory lock: `Fund` in ASCII. Locks of different databases do not affect each other.
 */
export const WRITE_LOCK = 0x46756e64

/**
 * Milliseconds by kind of transaction. `lock`: how long the transaction waits for the lock. `idle`: how long
 * the server waits for the next statement before it rolls the transaction back. For a short transaction
 * `idle` is shorter than `lock`, so that waiting transactions get the lock instead of an error. For a long
 * transaction `idle` is longer, because repeating the transaction costs more.
 */
const TIME_LIMITS = {
  short: { lock: 6_000, idle: 5_000 },
  long: { lock: 6_000, idle: 15_000 },
} as const satisfies Record<DeadlineKind, unknown>

/** The subquery `limited` is computed before `locked`, so `lock_timeout` limits the wait for the lock. */
const TAKE_LOCK = `with limited as materialized (select set_config('lock_timeout', $1, true),
    set_config('idle_in_transaction_session_timeout', $2, true), set_config('statement_timeout', $3, true)),
  locked as materialized (select pg_advisory_xact_lock(${WRITE_LOCK}) from limited)
  select pg_current_xact_id()::text as xact, pg_postmaster_start_time()::text as server,
    (extract(epoch from clock_timestamp()) * 1000)::float8 as clock from locked`

/** A transaction that has the lock. */
export interface LockedTransaction extends TransactionId {
  /** The server's time just after the lock was taken, in Unix milliseconds. */
  clock: number
}

/**
 * Identifies a transaction, so that its outcome can be queried until the server restarts. `server`: when the
 * server was started.
 */
export interface TransactionId {
  xact: string
  server: string
}

/** Takes the lock for the current transaction. Rejects with `DatabaseBusyError` if that takes too long. */
export async function takeLock(run: RunStatement, kind: DeadlineKind): Promise<LockedTransaction> {
  const { lock, idle } = TIME_LIMITS[kind]
  const { rows } = await run(TAKE_LOCK, [String(lock), String(idle), String(STATEMENT_DEADLINES[kind])])
  return rows[0] as LockedTransaction
}

/**
 * Whether a transaction whose COMMIT was not answered is stored; null if unknown. That transaction holds the
 * lock until it ends, so the next holder of the lock sees the outcome.
 */
export async function isCommitted(
  run: RunStatement,
  { xact, server }: TransactionId,
): Promise<boolean | null> {
  await run('begin')
  try {
    const ownTransaction = await takeLock(run, 'short')
    // After a crash the server may assign the id of a lost transaction again.
    if (ownTransaction.server !== server) return null
    const { rows } = await run('select pg_xact_status($1::text::xid8) as status', [xact])
    const { status } = rows[0] as { status: string | null }
    return status === null ? null : status === 'committed'
  } finally {
    await run('rollback').catch(() => {})
  }
}

export interface LockHolder {
  pid: number
  /** The client's address; null for a connection through a Unix socket. */
  client: string | null
  state: string | null
  /**
   * Seconds since the state of the holder's connection last changed, usually when a statement began or ended.
   */
  seconds: number | null
}

const SELECT_HOLDER = `select pid, host(client_addr) as client, state,
    extract(epoch from clock_timestamp() - state_change)::int as seconds
  from pg_locks join pg_stat_activity using (pid)
  where locktype = 'advisory' and granted and classid = 0 and objid = ${WRITE_LOCK} and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())`

/** The current holder of the lock, for the log; null if nobody holds it. */
export async function findLockHolder(run: RunStatement): Promise<LockHolder | null> {
  const { rows } = await run(SELECT_HOLDER)
  return (rows[0] as LockHolder | undefined) ?? null
}
