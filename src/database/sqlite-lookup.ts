/**
 * The look-up behind every `/f/` request. A statement costs little by itself, but locks and cold caches make it the most
 * expensive part of serving a small file, so rows are remembered while the database stays as it is.
 *
 * SQLite says whether another connection has committed since (`pragma data_version`). That is asked once in each turn of
 * the event loop: whoever was answered after a commit sends its next request in a later turn, and finds it. A turn in which
 * many requests are read, or in which the machine does something else, can take longer than that; it is asked again then.
 */
import type { Database as Connection } from 'bun:sqlite'
import type { ServedFile } from './database.ts'

const SERVED_FILE = `select nr, id, object, size, sha256, mime, derived, variant_size, preview_size
  from media where path = ?`

/** Rows remembered at the most; beyond that all are forgotten and learnt again. */
const REMEMBERED = 50_000

/** Milliseconds: no commit of another process is answered and followed by a request in less. */
const TRUSTED = 0.5

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
  let checkedAt = 0

  function check(): void {
    const at = performance.now()
    if (checked && at - checkedAt < TRUSTED) return
    checkedAt = at
    if (!checked) setImmediate(expire)
    checked = true
    const now = dataVersion.get()!.data_version
    if (now !== version) remembered.clear()
    version = now
  }

  function expire(): void {
    checked = false
  }

  return {
    find(path) {
      check()
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
      check()
      return version
    },
    expire,
    close() {
      select.finalize()
      dataVersion.finalize()
    },
  }
}
