/** When each token was last used: in memory, and written now and then, never for a single request. */
import { sql } from 'kysely'
import { batches } from '../../base/batches.ts'
import type { Database, Queries } from '../../database/database.ts'

export type LastUsed = ReturnType<typeof createLastUsed>

export function createLastUsed({ database, now }: { database: Database; now: () => number }) {
  let notes = new Map<string, number>()
  return {
    note: (tokenId: string) => notes.set(tokenId, now()),
    /** Not yet written; undefined if there is nothing. */
    pending: (tokenId: string) => notes.get(tokenId),
    async flush() {
      if (notes.size === 0) return
      const writing = notes
      notes = new Map()
      try {
        await database.transaction(async tx => {
          for (const some of batches([...writing])) await write(tx, some)
        })
      } catch (error) {
        notes = new Map([...writing, ...notes])
        throw error
      }
    },
  }
}

/** A later time of another instance must stay. */
async function write(tx: Queries, notes: readonly (readonly [id: string, at: number])[]): Promise<void> {
  const values = notes.map(([id, at]) => sql`(${id}, cast(${at} as bigint))`)
  await sql`with noted (id, used_at) as (values ${sql.join(values)})
    update token set used_at = noted.used_at from noted
    where token.id = noted.id and (token.used_at is null or token.used_at < noted.used_at)`.execute(tx)
}
