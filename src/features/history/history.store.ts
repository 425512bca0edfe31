/** The history of files. Written in the transaction that makes it happen, so that it tells neither more nor less. */
import { type Actor, actorColumns } from '../../access/actor.ts'
import { batches } from '../../batches.ts'
import type { Occurrence } from '../../contract/history.ts'
import type { Queries } from '../../database/database.ts'

export interface HistoryEntry {
  what: Occurrence
  path: string
  bytes: number
  /** Further words, such as the path it had before. */
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
