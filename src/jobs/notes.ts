/**
 * Keeps notes in memory, only the latest one of each key, and writes them together from time to time. Used
 * for times of use, which must not cost a write for every request.
 */
import { batches } from '../base/batches.ts'
import type { Database, Queries } from '../database/database.ts'

interface NotesParts<Note> {
  database: Database
  /** Writes notes, in a transaction. */
  write(tx: Queries, notes: readonly (readonly [key: string, note: Note])[]): Promise<unknown>
}

export function createNotes<Note>({ database, write }: NotesParts<Note>) {
  let notes = new Map<string, Note>()
  return {
    note: (key: string, note: Note) => void notes.set(key, note),
    /** The note of this key that is not written yet; undefined if there is none. */
    pending: (key: string) => notes.get(key),
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
