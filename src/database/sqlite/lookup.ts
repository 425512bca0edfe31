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
const CHECK_VALID_FOR = 0.5

export function createFileLookup(reader: Connection) {
  const select = reader.prepare<ServedFile, [string]>(SELECT_SERVED)
  const dataVersion = reader.prepare<{ data_version: number }, []>('pragma data_version')
  const settings = reader.prepare<[name: string, value: string], []>('select name, value from setting')
  const cachedRows = new Map<string, ServedFile>()
  let state = stateAt(-1)
  let isChecked = false
  let checkedAt = 0

  function checkVersion(): void {
    const at = performance.now()
    if (isChecked && at - checkedAt < CHECK_VALID_FOR) return
    checkedAt = at
    if (!isChecked) setImmediate(expireCheck)
    isChecked = true
    const version = dataVersion.get()!.data_version
    if (version === state.version) return
    cachedRows.clear()
    state = stateAt(version)
  }

  /** Reads the settings on demand: after most commits nobody needs them. */
  function stateAt(version: number): DatabaseState {
    let settingTexts: DatabaseState['settings'] | undefined
    return {
      version,
      get settings() {
        settingTexts ??= new Map(settings.values() as [name: string, value: string][])
        return settingTexts
      },
    }
  }

  /**
   * Makes the next lookup check the cache first. Called after a commit, and after each event loop iteration.
   */
  function expireCheck(): void {
    isChecked = false
  }

  return {
    find(path: string) {
      checkVersion()
      const cachedRow = cachedRows.get(path)
      if (cachedRow) return cachedRow
      const row = select.get(path)
      if (row) {
        if (cachedRows.size >= MAX_CACHED_ROWS) cachedRows.clear()
        cachedRows.set(path, row)
      }
      return row
    },
    /** The state changes with every commit of another connection. */
    currentState() {
      checkVersion()
      return state
    },
    /** The state that `currentState` or a lookup found last. */
    knownState: () => state,
    expireCheck,
    close() {
      select.finalize()
      dataVersion.finalize()
      settings.finalize()
    },
  }
}
