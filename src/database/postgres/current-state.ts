/**
 * The current state of the database, and the lookup of every `/f/` request. Callers that arrive before a
 * query for the state is sent share it. Later callers share the next query, since the pending answer may be
 * older than their call. Only one such query runs at a time.
 */
import { type DatabaseState, SERVED_COLUMNS, type ServedFile } from '../database.ts'
import { convertRows } from './dialect.ts'
import type { RunStatement } from './pool.ts'

/** Settings are returned only if something has changed since `$1`. */
const SELECT_STATE = `select version, (extract(epoch from clock_timestamp()) * 1000)::float8 as clock,
  case when version <> $1 then (select coalesce(json_object_agg(name, value), '{}')::text from setting) end as settings
  from moment`

const SELECT_SERVED = `select ${SERVED_COLUMNS.join(', ')} from media where path = $1`

/** Maximum number of cached rows; then the cache is emptied. */
const MAX_CACHED_ROWS = 50_000

type StateRow = { version: number; clock: number; settings: string | null }

/** `clock` is this machine's, in Unix milliseconds. */
export function createStates(run: RunStatement, clock: () => number) {
  const remembered = new Map<string, ServedFile>()
  let latest: DatabaseState = { version: -1, settings: new Map() }
  let offset = 0
  let underWay: Promise<unknown> = Promise.resolve()
  let waiting: Promise<DatabaseState> | undefined

  async function ask(): Promise<DatabaseState> {
    waiting = undefined
    const sent = clock()
    const { rows } = await run(SELECT_STATE, [latest.version]).catch(error => {
      // Data cached for this state must be read again, which fails while the database does not answer.
      latest = { ...latest }
      throw error
    })
    const [row] = convertRows(rows) as [StateRow]
    // The server read its clock somewhere between query and answer.
    offset = Math.round(row.clock - (sent + clock()) / 2)
    if (row.settings !== null) {
      remembered.clear()
      latest = { version: row.version, settings: new Map(Object.entries(JSON.parse(row.settings))) }
    }
    return latest
  }

  return {
    currentState() {
      if (!waiting) {
        waiting = underWay.then(ask)
        underWay = waiting.catch(() => {})
      }
      return waiting
    },
    knownState: () => latest,
    clockOffset: () => offset,
    /** `at`: what the server's clock shows now, in Unix milliseconds. */
    clockSeen(at: number) {
      offset = Math.round(at - clock())
    },
    servedFile: (path: string) => remembered.get(path) ?? lookUp(path),
  }

  async function lookUp(path: string): Promise<ServedFile | null> {
    const asOf = latest
    // No path has a NUL, which PostgreSQL would refuse.
    const { rows } = path.includes('\0') ? { rows: [] } : await run(SELECT_SERVED, [path])
    const [file = null] = convertRows(rows) as ServedFile[]
    // If the state has changed meanwhile, the row may be older than `latest`, so it is not cached.
    if (file && asOf === latest) {
      if (remembered.size >= MAX_CACHED_ROWS) remembered.clear()
      remembered.set(path, file)
    }
    return file
  }
}
