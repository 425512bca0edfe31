/**
 * The life of a media file: stored, replaced, deleted. Bytes first, row second, answer last.
 *
 * Crash points of `store`: before `commit` only staged bytes are left, after it an object nobody points to; the sweep
 * finds both. The transaction is all or nothing, and what it lets go is on the discard list in that same transaction.
 */
import { kindOf } from '../../contract/kinds.ts'
import type { Database, Queries } from '../../database/database.ts'
import type { DerivedState } from '../../database/schema.ts'
import { Failure, failure } from '../../errors.ts'
import type { NewId } from '../../ids.ts'
import { objectName } from '../../storage/names.ts'
import type { Staging, Storage } from '../../storage/storage.ts'
import { usageOf } from '../tokens/tokens.store.ts'
import type { Discards } from './discards.ts'
import { deleteRow, discardObjects, findByPath, objectsOf, putRow } from './media.store.ts'

export interface FileToStore {
  path: string
  staging: Staging
  size: number
  sha256: string
  mime: string
  /** The token it is stored with, and the bytes that token may hold; null: stored without one. */
  token: { id: string; quota: number | null } | null
  /** What happens when the path is taken. `equal`: replaced by the same bytes only. */
  overwrite: boolean | 'equal'
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
  /** For good, with everything derived. False when there is no such file, or not this very content (`id`). */
  remove(path: string, id?: string): Promise<boolean>
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
      if (earlier && !mayReplace(file, earlier.sha256)) throw failure.pathTaken(path)
      const before = await bytesHeld(tx, file)
      const nr = await putRow(tx, {
        id,
        path,
        object,
        size,
        sha256,
        mime,
        kind: kindOf(mime),
        token_id: file.token?.id ?? null,
        created_at: earlier?.created_at ?? at,
        updated_at: at,
        derived,
      })
      checkQuota(file, before, await bytesHeld(tx, file))
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

    async remove(path, id) {
      const removed = await database.transaction(async tx => {
        const row = await findByPath(tx, path)
        if (!row || (id !== undefined && row.id !== id)) return false
        await deleteRow(tx, row)
        await discardObjects(tx, objectsOf(row), discards.dueAt())
        return true
      })
      if (removed) discards.kick()
      return removed
    },
  }
}

function mayReplace({ overwrite, sha256 }: FileToStore, earlierSha256: string): boolean {
  return overwrite === 'equal' ? sha256 === earlierSha256 : overwrite
}

/** The running figure that the database keeps; nothing where no quota asks for it. */
async function bytesHeld(tx: Queries, { token }: FileToStore): Promise<number> {
  return token && token.quota !== null ? (await usageOf(tx, token.id)).bytes : 0
}

/** Shrinking is always allowed, also for a token that a lowered quota has left above it. */
function checkQuota({ token }: FileToStore, before: number, after: number): void {
  if (!token || token.quota === null || after <= token.quota || after <= before) return
  throw failure.quotaExceeded({ held: before, allowed: token.quota, needed: after - before })
}
