/**
 * The history of one file, back to its upload. An entry names only the path at that time, so the file is
 * followed backwards through its renames. Entries of other files at the same paths are skipped.
 */
import { REPLACED_FILE_DETAIL } from '../../contract/files/history-details.ts'
import type { Queries } from '../../database/database.ts'
import { type Area, isPathInside } from '../../http/access/library-area.ts'
import { type HistoryRow, hideFormerPathOutside } from './history.list.ts'

/** Maximum number of entries that are shown for one file. */
const MAX_ENTRIES = 200
const ENTRIES_PER_PAGE = 50

/**
 * The history of the file that is at `path` now, newest entry first. Entries from a time when the file was
 * outside of the area are left out.
 */
export async function historyOfFile(db: Queries, path: string, area: Area): Promise<HistoryRow[]> {
  const entries = await wholeHistory(db, path)
  return entries
    .filter(entry => isPathInside(entry.path, area))
    .map(entry => hideFormerPathOutside(entry, area))
}

async function wholeHistory(db: Queries, path: string): Promise<HistoryRow[]> {
  const ownEntries: HistoryRow[] = []
  let position = { path, beforeNr: Number.MAX_SAFE_INTEGER }
  /**
   * The entry that restored the file, while the loop reads older entries from the time when the file was in
   * the trash. Null at all other times.
   */
  let restoration: HistoryRow | null = null
  let newerEntry: HistoryRow | null = null
  while (ownEntries.length < MAX_ENTRIES) {
    const page = await entriesAt(db, position)
    for (const entry of page) {
      position = { ...position, beforeNr: entry.nr }
      // This entry is about another file at this path, which was permanently deleted from the trash.
      if (entry.what === 'entfernt') continue
      const isReplaced = newerEntry !== null && isReplacement(newerEntry)
      newerEntry = entry
      if (restoration) {
        // The trash can contain several files of one path; the size tells them apart. A file that was
        // replaced has no entry for its removal: its last entry is the one before the entry of the file that
        // replaced it.
        if (entry.bytes !== restoration.bytes || (entry.what !== 'geloescht' && !isReplaced)) continue
        restoration = null
      } else if (entry.what === 'geloescht') return ownEntries
      if (entry.what === 'wiederhergestellt' && !isReplacement(entry)) restoration = entry
      ownEntries.push(entry)
      if (entry.what === 'hochgeladen') return ownEntries
      if ((entry.what === 'umbenannt' || entry.what === 'verschoben') && entry.details !== null) {
        position.path = entry.details
        break
      }
    }
    if (page.length === 0) break
  }
  return ownEntries.slice(0, MAX_ENTRIES)
}

/** Whether the entry records that content replaced earlier content at the path. */
const isReplacement = ({ what, details }: HistoryRow) =>
  what === 'ueberschrieben' || details === REPLACED_FILE_DETAIL

const entriesAt = (db: Queries, { path, beforeNr }: { path: string; beforeNr: number }) =>
  db
    .selectFrom('history')
    .selectAll()
    .where('path', '=', path)
    .where('nr', '<', beforeNr)
    .orderBy('nr', 'desc')
    .limit(ENTRIES_PER_PAGE)
    .execute()
