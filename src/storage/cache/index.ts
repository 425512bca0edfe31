/**
 * The index of the cache, an SQLite database shared by the processes of one machine: size and last use of
 * each file, and which process is fetching which object. The index may be lost at any time, together with the
 * cache.
 */
import { Database as Connection } from 'bun:sqlite'

/**
 * Milliseconds for which a file is not evicted after it was entered or its use was recorded, because a reader
 * may be about to open it.
 */
export const READER_GRACE_PERIOD = 3_000

/** Milliseconds after which a claim that was not renewed is void: its process has probably exited. */
export const CLAIM_LIFETIME = 6_000

/**
 * Minimum milliseconds between two recorded uses of one file by this process, so that not every use is
 * written.
 */
const USE_RECORD_INTERVAL = 1_000

/** Maximum number of files that are evicted in one transaction when room is needed. */
const EVICTION_BATCH_SIZE = 50

/** Maximum number of files whose last recorded use is kept in memory. */
const MAX_CACHED_USES = 10_000

export interface CacheIndexParts {
  file: string
  /** Bytes that the cache may hold. */
  capacity: number
  now: () => number
  /** Deletes the file of an entry; false if it cannot be deleted now. */
  remove: (key: string) => boolean
}

export function openCacheIndex({ file, capacity, now, remove }: CacheIndexParts) {
  const db = openDatabase(file)
  const {
    selectTotal,
    selectOldest,
    deleteEntry,
    insertEntry,
    selectSize,
    recordUse,
    takeClaim,
    releaseClaim,
  } = prepareStatements(db)
  const lastUses = new Map<string, number>()
  const readTotal = () => selectTotal.get()?.bytes ?? 0

  /**
   * Enters a file if there is room. Otherwise evicts at most one batch of files, so that neither other
   * processes nor the event loop are blocked for long. Returns `again` if the caller must call it again, and
   * `full` if the file is larger than the cache or nothing can be evicted.
   */
  const enterOrMakeRoom = db.transaction((key: string, size: number): 'entered' | 'full' | 'again' => {
    deleteEntry.run(key)
    if (size > capacity) return 'full'
    if (readTotal() + size <= capacity) {
      insertEntry.run(key, size, now())
      return 'entered'
    }
    let evictedCount = 0
    for (const entry of selectOldest.all(now() - READER_GRACE_PERIOD, EVICTION_BATCH_SIZE)) {
      if (readTotal() + size <= capacity) break
      if (!remove(entry.key)) continue
      deleteEntry.run(entry.key)
      evictedCount++
    }
    return evictedCount > 0 ? 'again' : 'full'
  })

  return {
    readTotalBytes: readTotal,
    /**
     * Takes or renews the claim on an object. True if this process may fetch the object; false while another
     * process has the claim.
     */
    claim: (key: string, owner: string) =>
      takeClaim.run(key, owner, now() + CLAIM_LIFETIME, now()).changes > 0,
    unclaim: (key: string, owner: string) => void releaseClaim.run(key, owner),
    forget: (key: string) => void deleteEntry.run(key),
    close: () => db.close(),

    /**
     * Enters a file that is about to be placed. Evicts the least recently used files until the new one fits.
     * False if there is no room; the file must then not be placed.
     */
    async enter(key: string, size: number) {
      for (;;) {
        const outcome = enterOrMakeRoom.immediate(key, size)
        if (outcome !== 'again') return outcome === 'entered'
        await Bun.sleep(0)
      }
    },

    /**
     * Records a use of a file, unless one was recorded within `USE_RECORD_INTERVAL`, and returns the size
     * that the file should have; null if no such file was entered.
     */
    recordUseOf(key: string) {
      const entry = selectSize.get(key)
      if (!entry) return null
      const usedAt = now()
      if (usedAt - (lastUses.get(key) ?? Number.NEGATIVE_INFINITY) >= USE_RECORD_INTERVAL) {
        if (lastUses.size >= MAX_CACHED_USES) lastUses.clear()
        lastUses.set(key, usedAt)
        recordUse.run(usedAt, key)
      }
      return entry.size
    },
  }
}

function prepareStatements(db: Connection) {
  return {
    selectTotal: db.query<{ bytes: number }, []>('select bytes from total'),
    selectOldest: db.query<{ key: string }, [number, number]>(
      'select key from entry where used_at < ? order by used_at limit ?',
    ),
    deleteEntry: db.query<unknown, [string]>('delete from entry where key = ?'),
    insertEntry: db.query<unknown, [string, number, number]>(
      'insert into entry (key, size, used_at) values (?, ?, ?)',
    ),
    selectSize: db.query<{ size: number }, [string]>('select size from entry where key = ?'),
    recordUse: db.query<unknown, [number, string]>('update entry set used_at = ? where key = ?'),
    takeClaim: db.query<unknown, [string, string, number, number]>(
      `insert into claim (key, owner, until) values (?1, ?2, ?3)
        on conflict do update set owner = ?2, until = ?3 where owner = ?2 or until < ?4`,
    ),
    releaseClaim: db.query<unknown, [string, string]>('delete from claim where key = ? and owner = ?'),
  }
}

function openDatabase(file: string): Connection {
  const db = new Connection(file, { create: true })
  db.run('pragma busy_timeout = 5000')
  db.run('pragma journal_mode = wal')
  // Nothing is flushed, because the index may be lost at any time, together with the cache.
  db.run('pragma synchronous = off')
  db.run(`
    create table if not exists entry (key text primary key, size integer not null, used_at integer not null) without rowid;
    create index if not exists entry_used on entry (used_at, key);
    create table if not exists claim (key text primary key, owner text not null, until integer not null) without rowid;
    create table if not exists total (bytes integer not null);
    insert into total select 0 where not exists (select 1 from total);
    create trigger if not exists entry_in after insert on entry begin update total set bytes = bytes + new.size; end;
    create trigger if not exists entry_out after delete on entry begin update total set bytes = bytes - old.size; end;
  `)
  return db
}
