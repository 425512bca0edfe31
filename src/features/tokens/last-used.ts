/**
 * Records when each token was last used. Requests only note the time in memory; a job writes the notes to the
 * database.
 */
import { sql } from 'kysely'
import type { Database, Queries } from '../../database/database.ts'
import { createNoteBuffer } from '../../jobs/notes.ts'

export type LastUseRecorder = ReturnType<typeof createLastUseRecorder>

export function createLastUseRecorder({ database, now }: { database: Database; now: () => number }) {
  const notes = createNoteBuffer({ database, write: writeUses })
  return { ...notes, noteUse: (tokenId: string) => notes.addNote(tokenId, now()) }
}

/** Writes the noted times to the database, unless another process has written a later one. */
async function writeUses(tx: Queries, uses: readonly (readonly [id: string, at: number])[]): Promise<void> {
  const values = uses.map(([id, usedAt]) => sql`(${id}, cast(${usedAt} as bigint))`)
  await sql`with noted (id, used_at) as (values ${sql.join(values)})
    update token set used_at = noted.used_at from noted
    where token.id = noted.id and (token.used_at is null or token.used_at < noted.used_at)`.execute(tx)
}
