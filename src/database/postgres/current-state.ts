/**
 * The current state of the database, and the lookup of every request for a stored file (`/f/`). Only one
 * query for the state runs at a time. Callers that arrive while it runs wait until it ends and then share the
 * next query, because the answer to the running query may be older than their call.
 */
import { type DatabaseState, MAX_CACHED_ROWS, SERVED_COLUMNS, type ServedFile } from '../database.ts'
import { decodeStoredRows } from './dialect.ts'
import type { RunStatement } from './pool.ts'

/** Selects the settings only if the version differs from `$1`, the version that this process knows. */
const SELECT_STATE = `select version, (extract(epoch from clock_timestamp()) * 1000)::float8 as clock,
  case when version <> $1 then (select coalesce(json_object_agg(name, value), '{}')::text from setting) end as settings
  from moment`

const SELECT_SERVED = `select ${SERVED_COLUMNS.join(', ')} from media where path = $1`

/**
 * A limit in milliseconds. If the running query fails after the first waiting caller has waited for this
 * long, no new query is sent and all waiting callers get the error: another query would probably take as long
 * to fail, and a client waits for only 10 seconds.
 */
const MAX_WAIT_FOR_RETRY = 1_000

type StateRow = { version: number; clock: number; settings: string | null }

/** `clock`: this machine's time in Unix milliseconds. */
export function createStateReader(run: RunStatement, clock: () => number) {
  const cachedRows = new Map<string, ServedFile>()
  let latestState: DatabaseState = { version: -1, settings: new Map() }
  let serverClockOffset = 0
  let runningQuery: Promise<unknown> | undefined
  let nextState: Promise<DatabaseState> | undefined

  /** Waits for the preceding query, whose answer may be older than this call; then queries the state. */
  async function stateAfter(precedingQuery: Promise<unknown> | undefined): Promise<DatabaseState> {
    const calledAt = clock()
    await precedingQuery?.catch(error => {
      if (clock() - calledAt < MAX_WAIT_FOR_RETRY) return
      nextState = undefined
      throw error
    })
    runningQuery = nextState
    nextState = undefined
    return queryState()
  }

  async function queryState(): Promise<DatabaseState> {
    const sentAt = clock()
    const { rows } = await run(SELECT_STATE, [latestState.version]).catch(error => {
      // A new state object invalidates what callers have cached for the old one, so that they query the
      // database again instead of using old data while the database does not answer.
      latestState = { ...latestState }
      throw error
    })
    const [row] = decodeStoredRows(rows) as [StateRow]
    // The server read its clock at some moment between query and answer: the middle is assumed.
    serverClockOffset = Math.round(row.clock - (sentAt + clock()) / 2)
    if (row.settings !== null) {
      cachedRows.clear()
      latestState = { version: row.version, settings: new Map(Object.entries(JSON.parse(row.settings))) }
    }
    return latestState
  }

  return {
    currentState() {
      nextState ??= stateAfter(runningQuery)
      return nextState
    },
    knownState: () => latestState,
    clockOffset: () => serverClockOffset,
    /** `serverTime`: the server's current time in Unix milliseconds. */
    noteServerClock(serverTime: number) {
      serverClockOffset = Math.round(serverTime - clock())
    },
    servedFile: (path: string) => cachedRows.get(path) ?? queryServedFile(path),
  }

  async function queryServedFile(path: string): Promise<ServedFile | null> {
    const stateBefore = latestState
    // PostgreSQL refuses texts with NUL; no stored path has one.
    const { rows } = path.includes('\0') ? { rows: [] } : await run(SELECT_SERVED, [path])
    const [file = null] = decodeStoredRows(rows) as ServedFile[]
    // If the state has changed during the query, the row may be older than `latestState`, so it is not
    // cached.
    if (file && stateBefore === latestState) {
      if (cachedRows.size >= MAX_CACHED_ROWS) cachedRows.clear()
      cachedRows.set(path, file)
    }
    return file
  }
}
