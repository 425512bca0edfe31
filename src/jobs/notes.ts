/**
 * Keeps notes (small values by key) in memory, only the latest one of each key, until `flush` writes them all
 * in one transaction. Used to record when sessions and tokens were last used, which must not cost a write for
 * every request.
 */
import { batches } from '../base/batches.ts'
import type { Database, Queries } from '../database/database.ts'

interface NoteBufferParts<Note> {
  database: Database
  /** Writes a batch of notes to the database. */
  write(tx: Queries, notes: readonly (readonly [key: string, note: Note])[]): Promise<unknown>
}

export function createNoteBuffer<Note>({ database, write }: NoteBufferParts<Note>) {
  let pendingNotes = new Map<string, Note>()
  return {
    addNote: (key: string, note: Note) => void pendingNotes.set(key, note),
    /** The note of this key that waits for the next `flush`; undefined if there is none. */
    pendingNote: (key: string) => pendingNotes.get(key),
    async flush() {
      if (pendingNotes.size === 0) return
      const notesToWrite = pendingNotes
      pendingNotes = new Map()
      try {
        await database.transaction(async tx => {
          for (const batch of batches([...notesToWrite])) await write(tx, batch)
        })
      } catch (error) {
        pendingNotes = new Map([...notesToWrite, ...pendingNotes])
        throw error
      }
    },
  }
}
