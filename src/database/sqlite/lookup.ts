/**
 * The lookup of every request for a stored file (`/f/`). Because of locks and cold caches, its SQL statement
 * is the most expensive part of serving a small file, so rows are cached while the database does not change.
 *
 * `pragma data_version` shows whether another connection has committed. It is checked once per event loop
 * iteration: a client that got its response after a commit usually sends its next request in a later
 * iteration, so that this request sees the commit. But a long iteration may contain both, so the version is
 * checked again after `VERSION_CHECK_LIFETIME`.
 */
import type { Database as Connection } from 'bun:sqlite'
import { type DatabaseState, MAX_CACHED_ROWS, SERVED_COLUMNS, type ServedFile } from '../database.ts'

const SELECT_SERVED = `select ${SERVED_COLUMNS.join(', ')} from media where path = ?`

/**
 * Milliseconds for which a check of `data_version` is valid: no client gets an answer and sends another
 * request in this time.
 */
const VERSION_CHECK_LIFETIME = 0.5

export function createFileLookup(reader: Connection) {
  const fileStatement = reader.prepare<ServedFile, [string]>(SELECT_SERVED)
  const versionStatement = reader.prepare<{ data_version: number }, []>('pragma data_version')
  const settingsStatement = reader.prepare<[name: string, value: string], []>(
    'select name, value from setting',
  )
  const cachedRows = new Map<string, ServedFile>()
  let state = stateAt(-1)
  let isChecked = false
  let checkedAt = 0

  function checkVersion(): void {
    const now = performance.now()
    if (isChecked && now - checkedAt < VERSION_CHECK_LIFETIME) return
    checkedAt = now
    if (!isChecked) setImmediate(expireCheck)
    isChecked = true
    const version = versionStatement.get()!.data_version
    if (version === state.version) return
    cachedRows.clear()
    state = stateAt(version)
  }

  /** The settings are read only when a caller needs them: after most commits none does. */
  function stateAt(version: number): DatabaseState {
    let settingTexts: DatabaseState['settings'] | undefined
    return {
      version,
      get settings() {
        settingTexts ??= new Map(settingsStatement.values() as [name: string, value: string][])
        return settingTexts
      },
    }
  }

  /**
   * Makes the next lookup check first whether the cache is current. Called after a commit of this process,
   * and after each event loop iteration.
   */
  function expireCheck(): void {
    isChecked = false
  }

  return {
    find(path: string) {
      checkVersion()
      const cachedRow = cachedRows.get(path)
      if (cachedRow) return cachedRow
      const row = fileStatement.get(path)
      if (row) {
        if (cachedRows.size >= MAX_CACHED_ROWS) cachedRows.clear()
        cachedRows.set(path, row)
      }
      return row
    },
    /** The current state. Every commit of a connection other than `reader` makes a new state. */
    currentState() {
      checkVersion()
      return state
    },
    /** The state that the last call of `currentState` or `find` has read. */
    knownState: () => state,
    expireCheck,
    close() {
      fileStatement.finalize()
      versionStatement.finalize()
      settingsStatement.finalize()
    },
  }
}
