/**
 * Writing the history of files. An entry is written in the same transaction as the change, so that the history records
 * every change that happened and none that did not.
 */
import { type Actor, actorColumns } from '../../access/actor.ts'
import { batches } from '../../batches.ts'
import type { Occurrence } from '../../contract/history.ts'
import type { Queries } from '../../database/database.ts'

export interface HistoryEntry {
  what: Occurrence
  path: string
  bytes: number
  /** Further text for people, such as the path that the file had before. */
  details?: string
}

export async function recordHistory(
  tx: Queries,
  by: Actor,
  at: number,
  entries: readonly HistoryEntry[],
): Promise<void> {
  const actor = actorColumns(by)
  for (const rows of batches(entries)) {
    await tx
      .insertInto('history')
      .values(
        rows.map(({ what, path, bytes, details }) => ({
          at,
          what,
          path,
          ...actor,
          bytes,
          details: details ?? null,
        })),
      )
      .execute()
  }
}
