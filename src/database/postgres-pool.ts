/**
 * Connections to PostgreSQL. Every statement has a deadline, because the client library has none: a server that hangs, or
 * a network that swallows packets, must not keep a request for ever. Connections that hang are thrown away all together,
 * and fresh ones are opened; a server that is back is thus found by itself.
 */
import { SQL } from 'bun'
import type { Log } from '../log.ts'
import { StorageFullError } from '../storage/storage.ts'
import { DatabaseBusyError, DatabaseUnavailableError } from './database.ts'

/** Connections of one process. With ten processes they stay below PostgreSQL's default of 100. */
const CONNECTIONS = 8

/** Seconds until the attempt to connect is given up. */
const CONNECT_TIMEOUT = 3

/** Milliseconds that a statement may take. `long` is for what reads or changes very many rows. */
const DEADLINES = { short: 8_000, long: 120_000 } as const
export type Pace = keyof typeof DEADLINES

/** Milliseconds after which an unanswered statement makes the pool ask whether the server answers at all. */
const SUSPICIOUS = 2_000
const PROBE_DEADLINE = 2_500

export interface PostgresResult {
  rows: object[]
  /** Rows that the statement has read or changed. */
  count: number
}

export type RunStatement = (text: string, parameters?: readonly unknown[]) => Promise<PostgresResult>

/** One connection that nobody else uses, until `release`. */
export interface Reserved {
  run: RunStatement
  release(): void
}

export interface PostgresPool {
  /** Runs a statement on any connection. */
  run(pace: Pace): RunStatement
  reserve(pace: Pace): Promise<Reserved>
  close(): Promise<void>
}

export interface PoolOptions {
  url: string
  schema: string
  log: Log
}

type Runner = Pick<SQL, 'unsafe'>

export function createPool({ url, schema, log }: PoolOptions): PostgresPool {
  const connect = () =>
    new SQL({
      url,
      max: CONNECTIONS,
      bigint: true,
      connectionTimeout: CONNECT_TIMEOUT,
      connection: { search_path: `${schema},public`, application_name: 'fundus', TimeZone: 'UTC' },
    })
  let current = connect()
  /** When each unanswered statement was sent. */
  const unanswered = new Set<{ since: number }>()
  let probing = false

  /** Throws all connections away: whoever waits on one of them gets an error, later statements use fresh ones. */
  function replace(hung: SQL, why: string): void {
    if (hung !== current) return
    log.warn('the connections to the database are opened anew', { why })
    current = connect()
    void hung.close({ timeout: 0 }).catch(() => {})
  }

  const watch = setInterval(() => {
    const oldest = Math.min(...[...unanswered].map(({ since }) => since))
    if (!probing && performance.now() - oldest > SUSPICIOUS) void probe(current)
  }, SUSPICIOUS / 2)
  watch.unref()

  /** Asks on a connection of its own, since all others may be busy with long statements. */
  async function probe(suspect: SQL): Promise<void> {
    probing = true
    const own = new SQL({ url, max: 1, connectionTimeout: PROBE_DEADLINE / 1000 })
    const answered = await Promise.race([
      own.unsafe('select 1').then(
        () => true,
        () => false,
      ),
      Bun.sleep(PROBE_DEADLINE).then(() => false),
    ])
    void own.close({ timeout: 0 }).catch(() => {})
    probing = false
    if (!answered) replace(suspect, 'the server does not answer')
  }

  /** `through` runs the statement; `pool` is thrown away when the statement is not answered in time. */
  async function guarded(
    pool: SQL,
    through: Runner,
    pace: Pace,
    [text, parameters]: readonly [text: string, parameters: readonly unknown[]],
  ): Promise<PostgresResult> {
    const sent = { since: performance.now() }
    unanswered.add(sent)
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      late.reject(new DatabaseUnavailableError('the database did not answer in time'))
      replace(pool, 'a statement was not answered in time')
    }, DEADLINES[pace])
    try {
      const rows = await Promise.race([through.unsafe(text, [...parameters]), late.promise])
      return { rows: rows as object[], count: rows.count }
    } catch (error) {
      throw translated(error)
    } finally {
      clearTimeout(timer)
      unanswered.delete(sent)
    }
  }

  return {
    run:
      pace =>
      (text, parameters = []) =>
        guarded(current, current, pace, [text, parameters]),

    async reserve(pace) {
      const pool = current
      const late = Promise.withResolvers<never>()
      const timer = setTimeout(
        () => late.reject(new DatabaseUnavailableError('no connection became free in time')),
        DEADLINES[pace],
      )
      const reserving = pool.reserve()
      try {
        const connection = await Promise.race([reserving, late.promise])
        return {
          run: (text, parameters = []) => guarded(pool, connection, pace, [text, parameters]),
          release: () => void connection.release(),
        }
      } catch (error) {
        // One that comes too late belongs to nobody.
        void reserving.then(
          connection => connection.release(),
          () => {},
        )
        throw translated(error)
      } finally {
        clearTimeout(timer)
      }
    },

    async close() {
      clearInterval(watch)
      await current.close({ timeout: 1 })
    },
  }
}

/** SQLSTATEs (PostgreSQL manual, appendix A): connection lost, server starting or stopping, cancelled, out of connections. */
const UNAVAILABLE = /^(08...|57P0.|57014|53300|53400|25006)$/
const LOCK_TIMEOUT = '55P03'
const DISK_FULL = '53100'

function translated(error: unknown): unknown {
  const { code = '', errno = '' } = (error ?? {}) as { code?: string; errno?: string }
  if (errno === LOCK_TIMEOUT) return new DatabaseBusyError('another process writes', { cause: error })
  if (errno === DISK_FULL) return new StorageFullError({ cause: error })
  const lost = String(code).startsWith('ERR_POSTGRES_') && code !== 'ERR_POSTGRES_SERVER_ERROR'
  if (lost || UNAVAILABLE.test(String(errno)))
    return new DatabaseUnavailableError('the database cannot be reached', { cause: error })
  return error
}
