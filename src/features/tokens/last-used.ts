/**
 * When each token was last used. The times are noted in memory and written to the database together now and then, never
 * for a single request.
 */
import type { Database } from '../../database/database.ts'

export interface LastUsed {
  note(tokenId: string): void
  /** The time that is noted in this process and not yet written; undefined when nothing is noted. */
  pending(tokenId: string): number | undefined
  flush(): Promise<void>
}

export function createLastUsed({ database, now }: { database: Database; now: () => number }): LastUsed {
  let notes = new Map<string, number>()
  return {
    note: tokenId => notes.set(tokenId, now()),
    pending: tokenId => notes.get(tokenId),
    async flush() {
      if (notes.size === 0) return
      const writing = notes
      notes = new Map()
      try {
        await database.transaction(async tx => {
          for (const [id, at] of writing) {
            // Another instance may have written a later time, which must stay.
            await tx
              .updateTable('token')
              .set({ used_at: at })
              .where('id', '=', id)
              .where(({ or, eb }) => or([eb('used_at', 'is', null), eb('used_at', '<', at)]))
              .execute()
          }
        })
      } catch (error) {
        notes = new Map([...writing, ...notes])
        throw error
      }
    },
  }
}
