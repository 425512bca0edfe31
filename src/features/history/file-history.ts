/**
 * The history of one file, back to its upload. An entry names only the path at that time, so the file is
 * followed backwards through its renames. Entries of other files at the same paths are skipped.
 */
import { REPLACED_FILE_DETAIL } from '../../contract/values/limits.ts'
import type { Queries } from '../../database/database.ts'
import { type Area, isInside } from '../../http/access/area.ts'
import { type HistoryRow, hideOutside } from './history.list.ts'

/** Maximum number of entries: more than anybody reads beside a picture. */
const MAX_ENTRIES = 200
const PAGE = 50

/**
 * The history of the file that is at `path` now, newest entry first. Entries from its time outside of the
 * area are left out.
 */
export async function historyOfFile(db: Queries, path: string, area: Area): Promise<HistoryRow[]> {
  const entries = await wholeHistory(db, path)
  return entries.filter(entry => isInside(entry.path, area)).map(entry => hideOutside(entry, area))
}

async function wholeHistory(db: Queries, path: string): Promise<HistoryRow[]> {
  const own: HistoryRow[] = []
  let place = { path, before: Number.MAX_SAFE_INTEGER }
  /** Set while going back through the time of the file in the trash: the entry of its restoration. */
  let restored: HistoryRow | null = null
  let newer: HistoryRow | null = null
  while (own.length < MAX_ENTRIES) {
    const page = await entriesAt(db, place)
    for (const entry of page) {
      place = { ...place, before: entry.nr }
      // Another file was deleted from the trash for good.
      if (entry.what === 'entfernt') continue
      const isReplaced = newer !== null && replaces(newer)
      newer = entry
      if (restored) {
        // Several files of one path can be in the trash; the size tells them apart. A file that was replaced
        // has no entry for its removal; its last entry is the one before the entry of its successor.
        if (entry.bytes !== restored.bytes || (entry.what !== 'geloescht' && !isReplaced)) continue
        restored = null
      } else if (entry.what === 'geloescht') return own
      if (entry.what === 'wiederhergestellt' && !replaces(entry)) restored = entry
      own.push(entry)
      if (entry.what === 'hochgeladen') return own
      if ((entry.what === 'umbenannt' || entry.what === 'verschoben') && entry.details !== null) {
        place.path = entry.details
        break
      }
    }
    if (page.length === 0) break
  }
  return own.slice(0, MAX_ENTRIES)
}

/** Whether the entry replaced the content before. */
const replaces = ({ what, details }: HistoryRow) =>
  what === 'ueberschrieben' || details === REPLACED_FILE_DETAIL

const entriesAt = (db: Queries, { path, before }: { path: string; before: number }) =>
  db
    .selectFrom('history')
    .selectAll()
    .where('path', '=', path)
    .where('nr', '<', before)
    .orderBy('nr', 'desc')
    .limit(PAGE)
    .execute()
