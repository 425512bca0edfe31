/**
 * The life of a media file: stored, replaced, deleted. Bytes first, row second, answer last.
 *
 * Crash points of `store`: before `commit` only staged bytes are left, after it an object nobody points to; the sweep
 * finds both. The transaction is all or nothing, and what it lets go is on the discard list in that same transaction.
 */
import { kindOf } from '../../contract/kinds.ts'
import type { Database } from '../../database/database.ts'
import type { DerivedState } from '../../database/schema.ts'
import { Failure, failure } from '../../errors.ts'
import type { NewId } from '../../ids.ts'
import { objectName } from '../../storage/names.ts'
import type { Staging, Storage } from '../../storage/storage.ts'
import type { Discards } from './discards.ts'
import { deleteRow, discardObjects, findByPath, objectsOf, putRow } from './media.store.ts'

export interface FileToStore {
  path: string
  staging: Staging
  size: number
  sha256: string
  mime: string
  tokenId: string | null
  overwrite: boolean
}

export interface StoredFile {
  nr: number
  id: string
  path: string
  size: number
  sha256: string
  mime: string
  replaced: boolean
}

export interface Media {
  /** Rejects with 409 when the path is taken and may not be overwritten. Who staged the bytes discards them. */
  store(file: FileToStore): Promise<StoredFile>
  /** For good, with everything derived. False when there is no such file. */
  remove(path: string): Promise<boolean>
}

export interface MediaParts {
  database: Database
  storage: Storage
  discards: Discards
  newId: NewId
  now: () => number
  /** Whether anything can be made from a file of this type. */
  derivable: (mime: string) => boolean
  /** Told of each new content, after its row is there. */
  onStored: (nr: number) => void
}

export function createMedia(parts: MediaParts): Media {
  const { database, storage, discards, newId, now } = parts

  async function record(file: FileToStore, id: string, object: string): Promise<StoredFile> {
    const { path, size, sha256, mime } = file
    const at = now()
    const derived: DerivedState = parts.derivable(mime) ? 'pending' : 'done'
    return database.transaction(async tx => {
      const earlier = await findByPath(tx, path)
      if (earlier && !file.overwrite) throw failure.pathTaken(path)
      const nr = await putRow(tx, {
        id,
        path,
        object,
        size,
        sha256,
        mime,
        kind: kindOf(mime),
        token_id: file.tokenId,
        created_at: earlier?.created_at ?? at,
        updated_at: at,
        derived,
      })
      if (earlier) await discardObjects(tx, objectsOf(earlier), discards.dueAt())
      return { nr, id, path, size, sha256, mime, replaced: earlier !== null }
    })
  }

  return {
    async store(file) {
      const id = newId()
      const object = objectName(file.path, id)
      await storage.commit(file.staging, object)
      try {
        const stored = await record(file, id, object)
        if (stored.replaced) discards.kick()
        parts.onStored(stored.nr)
        return stored
      } catch (error) {
        // A refusal of ours was rolled back for certain. After any other trouble the row may yet be there (a
        // connection lost while committing), so the object stays and the sweep decides.
        if (error instanceof Failure) await storage.remove(object)
        throw error
      }
    },

    async remove(path) {
      const removed = await database.transaction(async tx => {
        const row = await findByPath(tx, path)
        if (!row) return false
        await deleteRow(tx, row)
        await discardObjects(tx, objectsOf(row), discards.dueAt())
        return true
      })
      if (removed) discards.kick()
      return removed
    },
  }
}
