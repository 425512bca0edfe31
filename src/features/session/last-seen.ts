/**
 * Records the last use of each session: its time, client address and program. A request only notes the use in
 * memory, and only if the last use in the database is older than five minutes. A job writes the notes to the
 * database.
 */
import { sql } from 'kysely'
import { MINUTE } from '../../contract/values/units.ts'
import type { Database, Queries } from '../../database/database.ts'
import type { Device, Session } from '../../http/access/callers.ts'
import { createNoteBuffer } from '../../jobs/notes.ts'

/**
 * Milliseconds for which further uses of a session are not noted, counted from its last use in the database.
 */
export const SEEN_INTERVAL = 5 * MINUTE

interface SessionUse extends Device {
  usedAt: number
}

export function createLastSeenRecorder({ database, now }: { database: Database; now: () => number }) {
  const {
    addNote,
    pendingNote: pendingUse,
    flush,
  } = createNoteBuffer<SessionUse>({ database, write: writeUses })
  return {
    pendingUse,
    flush,
    noteUse({ id }: Session, seenAt: number | null, device: Device) {
      // A time in the future is not recent: it was written by a process whose clock was ahead.
      const isRecent = seenAt !== null && seenAt <= now() && now() - seenAt < SEEN_INTERVAL
      if (!isRecent) addNote(id, { ...device, usedAt: now() })
    },
  }
}

async function writeUses(
  tx: Queries,
  uses: readonly (readonly [hash: string, use: SessionUse])[],
): Promise<void> {
  const values = uses.map(
    ([hash, { usedAt, address, program }]) =>
      sql`(${hash}, cast(${usedAt} as bigint), ${address}, cast(${program} as text))`,
  )
  await sql`with noted (hash, seen_at, address, program) as (values ${sql.join(values)})
    update session set seen_at = noted.seen_at, address = noted.address, program = noted.program from noted
    where session.hash = noted.hash`.execute(tx)
}
