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
import { type Actor, tokenOf } from '../history/actor.ts'
import { recordHistory } from '../history/history.store.ts'
import { usageOf } from '../tokens/tokens.store.ts'
import type { Discards } from './discards.ts'
import { deleteRow, discardObjects, findByPath, objectsOf, putRow } from './media.store.ts'

export interface FileToStore {
  path: string
  staging: Staging
  size: number
  sha256: string
  mime: string
  /** Who stores it; a token also has its file and quota counted. */
  by: Actor
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
  remove(path: string, by: Actor, id?: string): Promise<boolean>
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
  /** Told of each upload with a token, in the transaction that records it. */
  onTokenUpload?: (tx: Queries, upload: { path: string; size: number; sender: string }) => Promise<void>
}

export function createMedia(parts: MediaParts): Media {
  const { database, storage, discards, newId, now } = parts

  async function tellUpload(tx: Queries, { path, size, by }: FileToStore): Promise<void> {
    const token = tokenOf(by)
    if (token) await parts.onTokenUpload?.(tx, { path, size, sender: token.name })
  }

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
        token_id: tokenOf(file.by)?.id ?? null,
        created_at: earlier?.created_at ?? at,
        updated_at: at,
        derived,
      })
      checkQuota(file, before, await bytesHeld(tx, file))
      if (earlier) await discardObjects(tx, objectsOf(earlier), discards.dueAt())
      await recordHistory(tx, file.by, at, [
        { what: earlier ? 'ueberschrieben' : 'hochgeladen', path, bytes: size },
      ])
      await tellUpload(tx, file)
      return { nr, id, path, size, sha256, mime, replaced: earlier !== null }
    })
  }

  /**
   * The same bytes are there already, and whole: only whose they are changes. Address, id and caches stay as they are.
   * Null when they are not, or not any more.
   */
  async function renew(file: FileToStore): Promise<StoredFile | null> {
    const { path, mime } = file
    const present = await findByPath(database.read, path)
    // Another type is another answer to readers, so it becomes another object.
    if (present?.sha256 !== file.sha256 || present.mime !== mime) return null
    if ((await storage.open(present.object))?.size !== present.size) return null
    const at = now()
    return database.transaction(async tx => {
      const row = await findByPath(tx, path)
      if (row?.id !== present.id) return null
      const before = await bytesHeld(tx, file)
      const token_id = tokenOf(file.by)?.id ?? null
      await tx.updateTable('media').set({ token_id, updated_at: at }).where('nr', '=', row.nr).execute()
      checkQuota(file, before, await bytesHeld(tx, file))
      await recordHistory(tx, file.by, at, [{ what: 'ueberschrieben', path, bytes: row.size }])
      await tellUpload(tx, file)
      return { nr: row.nr, id: row.id, path, size: row.size, sha256: row.sha256, mime, replaced: true }
    })
  }

  return {
    async store(file) {
      const renewed = file.overwrite === 'equal' ? await renew(file) : null
      if (renewed) return renewed
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

    async remove(path, by, id) {
      const removed = await database.transaction(async tx => {
        const row = await findByPath(tx, path)
        if (!row || (id !== undefined && row.id !== id)) return false
        await deleteRow(tx, row)
        await discardObjects(tx, objectsOf(row), discards.dueAt())
        await recordHistory(tx, by, now(), [{ what: 'entfernt', path, bytes: row.size }])
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
async function bytesHeld(tx: Queries, { by }: FileToStore): Promise<number> {
  const token = tokenOf(by)
  return token && token.quota !== null ? (await usageOf(tx, token.id)).bytes : 0
}

/** Shrinking is always allowed, also for a token that a lowered quota has left above it. */
function checkQuota({ by }: FileToStore, before: number, after: number): void {
  const token = tokenOf(by)
  if (!token || token.quota === null || after <= token.quota || after <= before) return
  throw failure.quotaExceeded({ held: before, allowed: token.quota, needed: after - before })
}
