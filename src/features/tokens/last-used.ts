/**
 * Records when each token was last used: in memory, from where it is written now and then, never for a single
 * request.
 */
import { sql } from 'kysely'
import type { Database, Queries } from '../../database/database.ts'
import { createNotes } from '../../jobs/notes.ts'

export type LastUsed = ReturnType<typeof createLastUsed>

export function createLastUsed({ database, now }: { database: Database; now: () => number }) {
  const notes = createNotes({ database, write })
  return { ...notes, note: (tokenId: string) => notes.note(tokenId, now()) }
}

/** Writes the notes; a later time of another instance is kept. */
async function write(tx: Queries, notes: readonly (readonly [id: string, at: number])[]): Promise<void> {
  const values = notes.map(([id, at]) => sql`(${id}, cast(${at} as bigint))`)
  await sql`with noted (id, used_at) as (values ${sql.join(values)})
    update token set used_at = noted.used_at from noted
    where token.id = noted.id and (token.used_at is null or token.used_at < noted.used_at)`.execute(tx)
}
