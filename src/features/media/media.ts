/**
 * The life of a media file: stored and replaced here, deleted by `delete-for-good.ts`. Bytes first, row
 * second, answer last.
 *
 * Crash points of `store`: a crash before `commit` leaves only staged bytes; a crash between `commit` and the
 * end of the transaction leaves an object without a row. The nightly sweep finds both. Objects of failed
 * transactions are found sooner (`leftovers.ts`). The transaction is all or nothing; it moves the content
 * that it replaces to the trash, or puts its objects on the discard list.
 */

import { Failure } from '../../errors/errors.ts'
import { tokenOf } from '../../http/access/actor.ts'
import { objectName, parseObjectName } from '../../storage/names.ts'
import type { FeatureParts } from '../feature.ts'
import { createFileRemover, type FileRemover } from './delete-for-good.ts'
import type { Discards } from './discards.ts'
import { findByPath } from './media.store.ts'
import type { Relocations } from './relocations.ts'
import {
  type FileToStore,
  isEqualContent,
  joinUpload,
  type RecordedUpload,
  type RecordingParts,
  recordUpload,
  type StoredFile,
} from './store-or-replace.ts'

export type { FileToStore, StoredFile }

export interface Media extends FileRemover {
  /**
   * Rejects with 409 for a taken path, unless `overwrite` allows it. The caller discards the staged bytes.
   */
  store(file: FileToStore): Promise<StoredFile>
}

export interface MediaParts extends Pick<FeatureParts, 'storage' | 'newId'>, RecordingParts {
  discards: Discards
  relocations: Pick<Relocations, 'kick'>
  /** Called for an upload whose object may have been left without a row. */
  onLeftover?: (id: string, object: string) => void
  /** Called for each new content from which derived files can be made, after its row is written. */
  onStored: (nr: number, tokenId: string | null) => void
}

export function createMedia(parts: MediaParts): Media {
  const { database, storage, discards, newId, now, onLeftover = () => {} } = parts

  /**
   * With `overwrite: 'equal'`, returns the id of the file at this path if its bytes and media type are the
   * same, and whether its object has the recorded length. Otherwise returns null.
   */
  async function findEqualFile(file: FileToStore): Promise<{ id: string; isIntact: boolean } | null> {
    const row = file.overwrite === 'equal' ? await findByPath(database.read, file.path) : null
    if (!row || !isEqualContent(file, row)) return null
    return { id: row.id, isIntact: (await storage.measure(row.object)) === row.size }
  }

  /**
   * Removes an object, or remembers it if that fails. Never rejects, because the caller may be about to
   * report another error.
   */
  const removeOrRemember = (id: string, object: string) =>
    storage.remove(object).catch(() => onLeftover(id, object))

  /**
   * Records the upload as one more id of the equal file at its path; null if that file is no longer there.
   */
  function joinEqualFile(file: FileToStore, equalFileId: string, id: string): Promise<RecordedUpload | null> {
    return database.transaction(async tx => {
      const row = await findByPath(tx, file.path)
      return row?.id === equalFileId ? joinUpload(parts, tx, file, row, id) : null
    })
  }

  return {
    async store(file) {
      // If the staged bytes are an object already, its name and the id in the name are kept.
      const { object: existingObject } = file.staging
      const id = (existingObject && parseObjectName(existingObject)?.id) || newId()
      const equalFile = await findEqualFile(file)
      const joinedUpload = equalFile?.isIntact ? await joinEqualFile(file, equalFile.id, id) : null
      if (joinedUpload) return joinedUpload.storedFile
      const object = existingObject ?? objectName(file.path, id)
      const writtenAt = now()
      await storage.commit(file.staging, object, file)
      try {
        const damagedContentId = equalFile && !equalFile.isIntact ? equalFile.id : undefined
        const recordedUpload = await recordUpload(parts, {
          file,
          id,
          object,
          writtenAt,
          damagedContentId,
        })
        const { storedFile } = recordedUpload
        // If `isJoined` is true, an equal file was at this path, and only the id of the upload was added to
        // that file. The new object was never in a row, so no reader and no backup needs it, and it is
        // removed immediately.
        if (recordedUpload.isJoined) await removeOrRemember(id, object)
        else {
          if (recordedUpload.isReplacedInTrash) parts.relocations.kick()
          else if (storedFile.replaced) discards.kick()
          if (parts.isDerivable(file.mime)) parts.onStored(storedFile.nr, tokenOf(file.actor)?.id ?? null)
        }
        return storedFile
      } catch (error) {
        // A `Failure` is a refusal by this program, so the transaction was certainly rolled back. After any
        // other error, for example a connection lost during the commit, the row may have been written. So
        // the object stays until the database can be asked (`leftovers.ts`).
        if (error instanceof Failure) await removeOrRemember(id, object)
        else onLeftover(id, object)
        throw error
      }
    },
    ...createFileRemover(parts),
  }
}
