/**
 * Writes the history of files, in the transaction of the change itself. So the history contains exactly the
 * changes that were committed.
 */
import type { Insertable } from 'kysely'
import { batches } from '../../base/batches.ts'
import type { Occurrence } from '../../contract/files/history.ts'
import { compileOnce } from '../../database/compile-once.ts'
import type { Queries } from '../../database/database.ts'
import type { HistoryTable } from '../../database/schema.ts'
import { type Actor, actorColumns } from '../../http/access/actor.ts'

export interface HistoryEntry {
  what: Occurrence
  path: string
  bytes: number
  /** Further text for people, such as the previous path. */
  details?: string
}

type NewEntry = Omit<Insertable<HistoryTable>, 'nr'>

const insertEntry = compileOnce(
  (db, { at, what, path, who, who_kind, bytes, details, action, follows }: NewEntry) =>
    db.insertInto('history').values({ at, what, path, who, who_kind, bytes, details, action, follows }),
)

/** Writes the entries. `actionId`: the id of the action that they belong to, if any. */
export async function recordHistory(
  tx: Queries,
  actor: Actor,
  time: number,
  entries: readonly HistoryEntry[],
  actionId: string | null = null,
): Promise<void> {
  const actorValues = actorColumns(actor)
  const earlierOccurrences = await occurrencesBefore(tx, entries, actionId)
  const rows = entries.map(({ what, path, bytes, details }) => {
    const follows = Number(earlierOccurrences?.has(what) ?? false)
    earlierOccurrences?.add(what)
    return {
      at: time,
      what,
      path,
      ...actorValues,
      bytes,
      details: details ?? null,
      action: actionId,
      follows,
    }
  })
  if (rows.length === 1) await insertEntry(tx, rows[0]!)
  else for (const batch of batches(rows)) await tx.insertInto('history').values(batch).execute()
}

/**
 * The occurrences in `entries` that earlier calls have already recorded for this action, which may span
 * several transactions. Null if there is no action.
 */
async function occurrencesBefore(
  tx: Queries,
  entries: readonly HistoryEntry[],
  actionId: string | null,
): Promise<Set<Occurrence> | null> {
  if (actionId === null) return null
  const occurrences = new Set<Occurrence>()
  // One index lookup per occurrence instead of reading all entries of the action, because an upload of many
  // files calls this once per file.
  for (const what of new Set(entries.map(entry => entry.what))) {
    const row = await tx
      .selectFrom('history')
      .select('nr')
      .where('action', '=', actionId)
      .where('what', '=', what)
      .limit(1)
      .executeTakeFirst()
    if (row) occurrences.add(what)
  }
  return occurrences
}
