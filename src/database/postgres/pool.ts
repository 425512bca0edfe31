/**
 * Connections to PostgreSQL. Every statement has a deadline, because the client library has none: a server
 * that hangs, or a network that drops packets, must not block a request for ever. If a statement misses its
 * deadline, or the server does not answer a test query, all connections of the pool are dropped and new ones
 * opened. So the pool recovers when the server is back.
 */
import { SQL } from 'bun'
import type { Log } from '../../base/log.ts'
import { withTimeout } from '../../base/time-limit.ts'
import { DatabaseBusyError, DatabaseFullError, DatabaseUnavailableError } from '../database.ts'

/**
 * Maximum number of connections per pool. A running service process has one pool, so ten processes stay below
 * PostgreSQL's default limit of 100 connections (`max_connections`).
 */
const MAX_CONNECTIONS = 8

/** Seconds within which a connection must be opened. */
const CONNECT_TIMEOUT_SECONDS = 3

/**
 * Milliseconds within which a statement must be answered, and within which a connection must become free for
 * a transaction. `long`: for work on very many rows.
 */
export const STATEMENT_DEADLINES = { short: 7_000, long: 120_000 } as const
/** Which deadline applies to a statement or a transaction. */
export type DeadlineKind = keyof typeof STATEMENT_DEADLINES

/**
 * Settings of every connection of the pool. If our machine loses power or its network, the server notices it
 * after about 30 s instead of hours, also during a long statement, and drops the connection and its
 * transaction. A write transaction has shorter limits (`postgres/lock.ts`).
 */
const SESSION_SETTINGS = {
  application_name: 'fundus',
  TimeZone: 'UTC',
  idle_in_transaction_session_timeout: String(STATEMENT_DEADLINES.long),
  tcp_keepalives_idle: '15',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '30000',
  client_connection_check_interval: '5000',
}

/**
 * Milliseconds without an answer after which the pool checks whether the server answers at all, and the
 * maximum duration of this check.
 */
const PROBE_DELAY = 2_000
const PROBE_DEADLINE = 2_500

export interface PostgresResult {
  rows: object[]
  /** Number of rows read or changed. */
  count: number
}

type Rows = object[] & { count: number }
/** The template tag of the client library, which sends the template as a prepared statement. */
export type SqlTag = (template: TemplateStringsArray) => PromiseLike<Rows>

export type RunStatement = (text: string, parameters?: readonly unknown[]) => Promise<PostgresResult>

export type PostgresPool = ReturnType<typeof createPool>
export type ReservedConnection = Awaited<ReturnType<PostgresPool['reserve']>>

type PoolOptions = { url: string; schema: string; log: Log }

export const searchPath = (schema: string) => `${schema},public`

/** The connections of a pool to one schema. `replacePool` replaces all of them by new ones. */
function createConnections({ url, schema, log }: PoolOptions) {
  const connect = () =>
    new SQL({
      url,
      max: MAX_CONNECTIONS,
      bigint: true,
      connectionTimeout: CONNECT_TIMEOUT_SECONDS,
      connection: { ...SESSION_SETTINGS, search_path: searchPath(schema) },
    })
  let activePool = connect()
  return {
    currentPool: () => activePool,
    /**
     * Drops all connections and rejects their pending statements. Later calls of `run` and `reserve` use new
     * connections. Does nothing if `hungPool` was replaced already.
     */
    replacePool(hungPool: SQL, reason: string): void {
      if (hungPool !== activePool) return
      log.warn('the connections to the database are opened anew', { why: reason })
      activePool = connect()
      void hungPool.close({ timeout: 0 }).catch(() => {})
    },
  }
}

export function createPool(options: PoolOptions) {
  const { currentPool, replacePool } = createConnections(options)
  const watcher = watchAnswers(async () => {
    const suspectPool = currentPool()
    if (!(await isAnswering(options.url))) replacePool(suspectPool, 'the server does not answer')
  })

  /**
   * Rejects, and replaces the connections of `pool` by new ones, if the statement is not answered in time.
   */
  async function runInTime(
    pool: SQL,
    kind: DeadlineKind,
    statement: () => PromiseLike<Rows>,
  ): Promise<PostgresResult> {
    const onLate = () => replacePool(pool, 'a statement was not answered in time')
    const rows = await watcher.watch(
      withDeadline(kind, statement, 'the database did not answer in time', onLate),
    )
    return { rows, count: rows.count }
  }

  async function close(): Promise<void> {
    watcher.stop()
    await currentPool().close({ timeout: 1 })
  }

  return {
    /** Returns a function that runs a statement on any connection, within the deadline of this kind. */
    run(kind: DeadlineKind): RunStatement {
      return (text, parameters = []) => {
        const pool = currentPool()
        return runInTime(pool, kind, () => pool.unsafe(text, [...parameters]))
      }
    },

    /**
     * Reserves a connection that nobody else uses until it is disposed of. It runs statements in the order in
     * which they were requested. Rejects if no connection becomes free within the deadline of this kind.
     */
    async reserve(kind: DeadlineKind) {
      const pool = currentPool()
      const reservation = pool.reserve()
      // A connection that arrives too late is returned to the pool.
      const returnToPool = () => void reservation.then(connection => connection.release()).catch(() => {})
      const connection = await withDeadline(
        kind,
        () => reservation,
        'no connection became free in time',
        returnToPool,
      )
      const run: RunStatement = (text, parameters = []) =>
        runInTime(pool, kind, () => connection.unsafe(text, [...parameters]))
      return {
        /**
         * A statement with parameters is sent without waiting for the answers to earlier statements
         * (pipelining). A statement without parameters waits for them.
         */
        run,
        /**
         * Runs a statement without parameters, which is pipelined too, because a template is sent as a
         * prepared statement.
         */
        runTemplate: (statement: (tag: SqlTag) => PromiseLike<Rows>) =>
          runInTime(pool, kind, () => statement(connection)),
        [Symbol.dispose]: () => void connection.release(),
      }
    },

    close,
    [Symbol.asyncDispose]: close,
  }
}

/**
 * Calls `onSuspicion` repeatedly while a statement has been unanswered for longer than `PROBE_DELAY`, but
 * never twice at the same time.
 */
function watchAnswers(onSuspicion: () => Promise<void>) {
  /** When each unanswered statement was sent. */
  const unansweredStatements = new Set<{ sentAt: number }>()
  let isProbing = false
  const timer = setInterval(async () => {
    const oldestStart = Math.min(...[...unansweredStatements].map(({ sentAt }) => sentAt))
    if (isProbing || performance.now() - oldestStart <= PROBE_DELAY) return
    isProbing = true
    await onSuspicion()
    isProbing = false
  }, PROBE_DELAY / 2)
  timer.unref()
  return {
    watch<T>(answer: Promise<T>): Promise<T> {
      const statement = { sentAt: performance.now() }
      unansweredStatements.add(statement)
      return answer.finally(() => unansweredStatements.delete(statement))
    },
    stop: () => clearInterval(timer),
  }
}

/**
 * Whether the server answers. Uses a connection of its own, since all others may be busy with long
 * statements.
 */
async function isAnswering(url: string): Promise<boolean> {
  const probe = new SQL({ url, max: 1, connectionTimeout: PROBE_DEADLINE / 1000 })
  const answer = probe.unsafe('select 1').then(
    () => true,
    () => false,
  )
  const isAnswered = await withTimeout(PROBE_DEADLINE, answer, () => false)
  void probe.close({ timeout: 0 }).catch(() => {})
  return isAnswered
}

/**
 * Calls `onLate` and rejects with `message` if `work` takes longer than the deadline of this kind. If `work`
 * itself rejects, the error is translated (`translateError`).
 */
async function withDeadline<T>(
  kind: DeadlineKind,
  work: () => PromiseLike<T>,
  message: string,
  onLate: () => void,
): Promise<T> {
  try {
    return await withTimeout(STATEMENT_DEADLINES[kind], work(), () => {
      onLate()
      throw new DatabaseUnavailableError(message)
    })
  } catch (error) {
    throw translateError(error)
  }
}

/**
 * SQLSTATEs (PostgreSQL manual, appendix A), in the order of the pattern: connection failed or lost; server
 * starting, stopping or ending the session; statement cancelled; too many connections; configuration limit
 * exceeded; transaction read-only (on a standby server); idle in transaction for too long.
 */
const UNAVAILABLE_STATES = /^(08...|57P0.|57014|53300|53400|25006|25P03)$/
const LOCK_TIMEOUT_STATE = '55P03'
const DISK_FULL_STATE = '53100'

function translateError(error: unknown): unknown {
  const { code = '', errno = '' } = (error ?? {}) as { code?: string; errno?: string }
  if (errno === LOCK_TIMEOUT_STATE) return new DatabaseBusyError('another process writes', { cause: error })
  if (errno === DISK_FULL_STATE) return new DatabaseFullError({ cause: error })
  const isConnectionLost = String(code).startsWith('ERR_POSTGRES_') && code !== 'ERR_POSTGRES_SERVER_ERROR'
  if (isConnectionLost || UNAVAILABLE_STATES.test(String(errno)))
    return new DatabaseUnavailableError('the database cannot be reached', { cause: error })
  return error
}
