/**
 * The moment of the database, and the look-up that every `/f/` request makes. All callers who come while a
 * question for the moment waits to be sent share it; a caller who comes after it was sent needs the next one,
 * since the answer on its way may be older than the call. One question is under way at a time.
 */
import { type Database, type Moment, SERVED_COLUMNS, type ServedFile } from '../database.ts'
import { readable } from './dialect.ts'
import type { RunStatement } from './pool.ts'

/** The settings are sent only when something has changed since `$1`. */
const MOMENT = `select version, (extract(epoch from clock_timestamp()) * 1000)::float8 as clock,
  case when version <> $1 then (select coalesce(json_object_agg(name, value), '{}')::text from setting) end as settings
  from moment`

const SERVED_FILE = `select ${SERVED_COLUMNS.join(', ')} from media where path = $1`

/** The maximum number of cached rows. When it is reached, the whole cache is emptied. */
const REMEMBERED = 50_000

interface MomentRow {
  version: number
  clock: number
  settings: string | null
}

export interface Moments extends Pick<Database, 'moment' | 'latest' | 'servedFile' | 'clockOffset'> {
  moment(): Promise<Moment>
  /** The server's clock has just shown this, in Unix milliseconds. */
  clockSeen(at: number): void
}

/** `clock` is this machine's, in Unix milliseconds. */
export function createMoments(run: RunStatement, clock: () => number): Moments {
  const remembered = new Map<string, ServedFile>()
  let latest: Moment = { version: -1, settings: new Map() }
  let offset = 0
  let underWay: Promise<unknown> = Promise.resolve()
  let waiting: Promise<Moment> | undefined

  async function ask(): Promise<Moment> {
    waiting = undefined
    const sent = clock()
    const { rows } = await run(MOMENT, [latest.version]).catch(error => {
      // Data cached for this moment must be read again, which fails at once while the database does not
      // answer.
      latest = { ...latest }
      throw error
    })
    const [row] = readable(rows) as [MomentRow]
    // The server has read its clock somewhere between the question and the answer.
    offset = Math.round(row.clock - (sent + clock()) / 2)
    if (row.settings !== null) {
      remembered.clear()
      latest = { version: row.version, settings: new Map(Object.entries(JSON.parse(row.settings))) }
    }
    return latest
  }

  return {
    moment() {
      if (!waiting) {
        waiting = underWay.then(ask)
        underWay = waiting.catch(() => {})
      }
      return waiting
    },
    latest: () => latest,
    clockOffset: () => offset,
    clockSeen(at) {
      offset = Math.round(at - clock())
    },
    servedFile(path) {
      return remembered.get(path) ?? lookUp(path)
    },
  }

  async function lookUp(path: string): Promise<ServedFile | null> {
    const asOf = latest
    // No path has a NUL character; PostgreSQL would refuse the statement.
    const { rows } = path.includes('\0') ? { rows: [] } : await run(SERVED_FILE, [path])
    const [file = null] = readable(rows) as ServedFile[]
    // A row that was read before a change must not be remembered as one read after it.
    if (file && asOf === latest) {
      if (remembered.size >= REMEMBERED) remembered.clear()
      remembered.set(path, file)
    }
    return file
  }
}
