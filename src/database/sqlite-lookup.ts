/**
 * The look-up behind every `/f/` request. A statement costs little by itself, but locks and cold caches make it the most
 * expensive part of serving a small file, so rows are remembered while the database stays as it is.
 *
 * SQLite says whether another connection has committed since (`pragma data_version`). That is asked once in each turn of
 * the event loop: whoever was answered after a commit sends its next request in a later turn, and finds it.
 */
import type { Database as Connection } from 'bun:sqlite'
import type { ServedFile } from './database.ts'

const SERVED_FILE = `select nr, id, object, size, sha256, mime, derived, variant_size, preview_size
  from media where path = ?`

/** Rows remembered at the most; beyond that all are forgotten and learnt again. */
const REMEMBERED = 50_000

export interface LookUp {
  find(path: string): ServedFile | null
  /** Moves with every commit of another connection. */
  version(): number
  /** This process has committed: what is remembered counts no more, within this turn too. */
  expire(): void
  close(): void
}

export function createLookUp(reader: Connection): LookUp {
  const select = reader.prepare<ServedFile, [string]>(SERVED_FILE)
  const dataVersion = reader.prepare<{ data_version: number }, []>('pragma data_version')
  const remembered = new Map<string, ServedFile>()
  let version = -1
  let checked = false

  function check(): void {
    checked = true
    setImmediate(expire)
    const now = dataVersion.get()!.data_version
    if (now !== version) remembered.clear()
    version = now
  }

  function expire(): void {
    checked = false
  }

  return {
    find(path) {
      if (!checked) check()
      const known = remembered.get(path)
      if (known) return known
      const found = select.get(path)
      if (found) {
        if (remembered.size >= REMEMBERED) remembered.clear()
        remembered.set(path, found)
      }
      return found
    },
    version() {
      if (!checked) check()
      return version
    },
    expire,
    close() {
      select.finalize()
      dataVersion.finalize()
    },
  }
}
