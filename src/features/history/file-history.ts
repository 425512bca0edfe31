/**
 * The history of one file, back to its upload. An entry names only the path that the file had then, so the
 * file is followed backwards: the entry of a rename names the path before it. Entries that other files left
 * at the same paths earlier, later or while this file lay in the trash are passed over.
 */
import type { Queries } from '../../database/database.ts'
import type { HistoryRow } from './history.list.ts'

/** Entries that one answer holds at most: more than anybody reads beside a picture. */
const MOST = 200
/** Entries that are read at once. */
const PAGE = 50

/** For the file that is at `path` now; the newest entry first. */
export async function historyOfFile(db: Queries, path: string): Promise<HistoryRow[]> {
  const own: HistoryRow[] = []
  let place = { path, before: Number.MAX_SAFE_INTEGER }
  /** While going back through the time in the trash: the entry that says the file was restored. */
  let restored: HistoryRow | null = null
  while (own.length < MOST) {
    const page = await entriesAt(db, place)
    for (const entry of page) {
      place = { ...place, before: entry.nr }
      if (restored) {
        // Several files of one path can be in the trash at once; the size tells them apart.
        if (entry.what !== 'geloescht' || entry.bytes !== restored.bytes) continue
        restored = null
      } else if (entry.what === 'geloescht') return own
      // Removed for good was another file, out of the trash.
      else if (entry.what === 'entfernt') continue
      else if (entry.what === 'wiederhergestellt') restored = entry
      own.push(entry)
      if (entry.what === 'hochgeladen') return own
      if ((entry.what === 'umbenannt' || entry.what === 'verschoben') && entry.details !== null) {
        place.path = entry.details
        break
      }
    }
    if (page.length === 0) break
  }
  return own.slice(0, MOST)
}

const entriesAt = (db: Queries, { path, before }: { path: string; before: number }) =>
  db
    .selectFrom('history')
    .selectAll()
    .where('path', '=', path)
    .where('nr', '<', before)
    .orderBy('nr', 'desc')
    .limit(PAGE)
    .execute()
