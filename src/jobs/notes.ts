/**
 * Keeps notes (small values by key) in memory, only the latest one of each key, until `flush` writes them all
 * in one transaction. Used for the times at which something was last used, which must not cost a write for
 * every request.
 */
import { batches } from '../base/batches.ts'
import type { Database, Queries } from '../database/database.ts'

interface NotesParts<Note> {
  database: Database
  /** Writes a batch of notes to the database. */
  write(tx: Queries, notes: readonly (readonly [key: string, note: Note])[]): Promise<unknown>
}

export function createNotes<Note>({ database, write }: NotesParts<Note>) {
  let notes = new Map<string, Note>()
  return {
    note: (key: string, note: Note) => void notes.set(key, note),
    /** The note of this key that `flush` has not written yet; undefined if there is none. */
    pending: (key: string) => notes.get(key),
    async flush() {
      if (notes.size === 0) return
      const notesToWrite = notes
      notes = new Map()
      try {
        await database.transaction(async tx => {
          for (const batch of batches([...notesToWrite])) await write(tx, batch)
        })
      } catch (error) {
        notes = new Map([...notesToWrite, ...notes])
        throw error
      }
    },
  }
}
