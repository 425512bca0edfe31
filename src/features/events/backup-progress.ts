/**
 * Reports the backup's progress as an event. The progress is read from the database, because the backup may
 * run in another process.
 */
import type { ServiceEvent } from '../../contract/files/events.ts'
import type { Queries } from '../../database/database.ts'

export type BackupProgress = NonNullable<Awaited<ReturnType<typeof readBackupProgress>>>

export async function readBackupProgress(db: Queries) {
  const run = await db
    .selectFrom('backup')
    .select(['nr', 'done', 'total', 'ok'])
    .orderBy('nr', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!run) return null
  const total = run.total === null ? null : Number(run.total)
  return { nr: run.nr, doneCount: Number(run.done), total, hasEnded: run.ok !== null }
}

/**
 * The event for a change from `previous` to `current`. Null if there is no backup, or if it is the same
 * backup with the same `doneCount` and `hasEnded`.
 */
export function progressEvent(
  previous: BackupProgress | null,
  current: BackupProgress | null,
): ServiceEvent | null {
  if (
    !current ||
    (previous?.nr === current.nr &&
      previous.doneCount === current.doneCount &&
      previous.hasEnded === current.hasEnded)
  )
    return null
  // `total` is an estimate, so `doneCount` may differ from it at the end. A backup that has ended is reported
  // as complete.
  const shownCount = current.hasEnded && current.total !== null ? current.total : current.doneCount
  return {
    name: 'fortschritt',
    data: { aufgabe: 'sicherung', erledigt: shownCount, gesamt: current.total, fertig: current.hasEnded },
  }
}
