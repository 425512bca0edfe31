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
  const totalBytes = run.total === null ? null : Number(run.total)
  return { nr: run.nr, doneBytes: Number(run.done), total: totalBytes, hasEnded: run.ok !== null }
}

/**
 * The event for a change from `previous` to `current`. Null if there is no backup, or if it is the same
 * backup with the same `doneBytes` and `hasEnded`.
 */
export function progressEvent(
  previous: BackupProgress | null,
  current: BackupProgress | null,
): ServiceEvent | null {
  if (
    !current ||
    (previous?.nr === current.nr &&
      previous.doneBytes === current.doneBytes &&
      previous.hasEnded === current.hasEnded)
  )
    return null
  // `totalBytes` is an estimate, so `doneBytes` may differ from it at the end. A backup that has ended is
  // reported as complete.
  const shownBytes = current.hasEnded && current.total !== null ? current.total : current.doneBytes
  return {
    name: 'fortschritt',
    data: { aufgabe: 'sicherung', erledigt: shownBytes, gesamt: current.total, fertig: current.hasEnded },
  }
}
