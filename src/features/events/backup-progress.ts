/** How far the backup is, as an event. Read like the histories: the run may be another process's, or a command's. */
import type { ServiceEvent } from '../../contract/events.ts'
import type { Queries } from '../../database/database.ts'

export interface BackupProgress {
  nr: number
  done: number
  total: number | null
  ended: boolean
}

export async function backupProgress(db: Queries): Promise<BackupProgress | null> {
  const run = await db
    .selectFrom('backup')
    .select(['nr', 'done', 'total', 'ok'])
    .orderBy('nr', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!run) return null
  const total = run.total === null ? null : Number(run.total)
  return { nr: run.nr, done: Number(run.done), total, ended: run.ok !== null }
}

/** Null when nothing has moved since. */
export function progressEvent(
  before: BackupProgress | null,
  now: BackupProgress | null,
): ServiceEvent | null {
  if (!now || (before?.nr === now.nr && before.done === now.done && before.ended === now.ended)) return null
  // At the end all is done, also what was estimated too high.
  const done = now.ended && now.total !== null ? now.total : now.done
  return {
    name: 'fortschritt',
    data: { aufgabe: 'sicherung', erledigt: done, gesamt: now.total, fertig: now.ended },
  }
}
