/**
 * The lookup of every `/f/` request. Locks and cold caches make its statement the most expensive part of
 * serving a small file, so rows are cached while the database does not change.
 *
 * SQLite reports whether another connection has committed (`pragma data_version`), which is checked once per
 * event loop iteration: a client that got its response after a commit sends its next request in a later
 * iteration, so that request sees the commit. An iteration with many requests, or on a busy machine, can last
 * longer than that; so the version is checked again after `CHECK_VALID` milliseconds.
 */
import type { Database as Connection } from 'bun:sqlite'
import { type DatabaseState, SERVED_COLUMNS, type ServedFile } from '../database.ts'

const SELECT_SERVED = `select ${SERVED_COLUMNS.join(', ')} from media where path = ?`

/** Maximum number of cached rows; then the cache is emptied. */
const MAX_CACHED_ROWS = 50_000

/** Milliseconds for which a check is valid: a client needs longer to get an answer and send a request. */
const CHECK_VALID = 0.5

export function createLookUp(reader: Connection) {
  const select = reader.prepare<ServedFile, [string]>(SELECT_SERVED)
  const dataVersion = reader.prepare<{ data_version: number }, []>('pragma data_version')
  const settings = reader.prepare<[name: string, value: string], []>('select name, value from setting')
  const remembered = new Map<string, ServedFile>()
  let state = stateAt(-1)
  let checked = false
  let checkedAt = 0

  function check(): void {
    const at = performance.now()
    if (checked && at - checkedAt < CHECK_VALID) return
    checkedAt = at
    if (!checked) setImmediate(expire)
    checked = true
    const now = dataVersion.get()!.data_version
    if (now === state.version) return
    remembered.clear()
    state = stateAt(now)
  }

  /** Reads the settings on demand: after most commits nobody needs them. */
  function stateAt(version: number): DatabaseState {
    let texts: DatabaseState['settings'] | undefined
    return {
      version,
      get settings() {
        texts ??= new Map(settings.values() as [name: string, value: string][])
        return texts
      },
    }
  }

  /**
   * Makes the next lookup check the cache first. Called after a commit, and after each event loop iteration.
   */
  function expire(): void {
    checked = false
  }

  return {
    find(path: string) {
      check()
      const known = remembered.get(path)
      if (known) return known
      const found = select.get(path)
      if (found) {
        if (remembered.size >= MAX_CACHED_ROWS) remembered.clear()
        remembered.set(path, found)
      }
      return found
    },
    /** The state changes with every commit of another connection. */
    currentState() {
      check()
      return state
    },
    /** The state that `currentState` or a lookup found last. */
    knownState: () => state,
    expire,
    close() {
      select.finalize()
      dataVersion.finalize()
      settings.finalize()
    },
  }
}
