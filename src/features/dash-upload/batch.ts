/** Stores the files of one request, one after the other; a refused file does not affect the others. */

import { pathBelow, splitPath } from '../../contract/paths/path-parts.ts'
import { Failure, failure } from '../../errors/errors.ts'
import type { Actor } from '../../http/access/actor.ts'
import { type Area, refusePathsOutside } from '../../http/access/library-area.ts'
import { knownFailure } from '../../http/answers/render-error.ts'
import type { SizeLimit } from '../../http/bodies/body.ts'
import { type Storage, StorageFullError } from '../../storage/storage.ts'
import type { Media, StoredFile } from '../media/media.ts'
import type { RemoveMetadata } from '../upload/remove-metadata.ts'
import { typeOfPath } from '../upload/type-lookup.ts'
import type { SentFile, StagedBytes } from './form.ts'
import { storeArchive } from './store-archive.ts'
import type { TargetPathOf } from './target-path.ts'

export interface RefusedFile {
  name: string
  reason: Failure
}

interface BatchParts {
  storage: Storage
  media: Media
  targetPathOf: TargetPathOf
  removeMetadata: RemoveMetadata
  /** Size limit of each file, including files in archives. */
  limit: SizeLimit
  actor: Actor
  /** The folders that the account may see: nothing is stored outside of them. */
  allowedArea: Area
  overwrite: boolean
  /** Whether the client asked for invalid names in archives to be cleaned instead of refused. */
  shouldCleanNames: boolean
  /** The id under which the history groups the files. */
  actionId: string
}

export function createBatch(parts: BatchParts) {
  const { media, targetPathOf, removeMetadata, actor, allowedArea, overwrite, actionId: action } = parts
  const storedFiles: StoredFile[] = []
  const refusedFiles: RefusedFile[] = []
  const storedPaths = new Set<string>()

  /**
   * Adds the file to `refusedFiles` if the error is about this file. Any other error is rethrown and ends the
   * request, with one exception: if another file of the request is already stored and `knownFailure` knows
   * the error, only this file is refused, because the client must learn which files are stored.
   */
  function refuseFile(name: string, error: unknown): void {
    const concernsFile = error instanceof Failure || error instanceof StorageFullError
    const reason = concernsFile || storedFiles.length > 0 ? knownFailure(error) : null
    if (reason === null) throw error
    refusedFiles.push({ name, reason })
  }

  /**
   * Stores one file. Each path can be stored only once per request: otherwise `a.png` could silently replace
   * `A.png`, since both have the same path.
   */
  async function storeFile(path: string, stagedBytes: StagedBytes): Promise<void> {
    if (storedPaths.has(path)) throw failure.pathRepeated(path)
    refusePathsOutside([path], allowedArea)
    const { size, sha256, ...cleanedFile } = await removeMetadata(stagedBytes)
    await using staging = cleanedFile.staging
    const mime = typeOfPath(path)
    storedFiles.push(await media.store({ path, staging, size, sha256, mime, actor, overwrite, action }))
    storedPaths.add(path)
  }

  return {
    storedFiles,
    refusedFiles,

    /**
     * Stores or refuses one file. If the only file of the request is an archive, its refusal rejects the
     * whole request.
     */
    async storeOrRefuse(
      { name, isArchive, bytes }: SentFile,
      folder: string,
      isOnlyFile: boolean,
    ): Promise<void> {
      const path = pathBelow(folder, name)
      try {
        if (bytes instanceof Failure) throw bytes
        // The archive itself is not stored, so only its folder has to be valid.
        if (isArchive) {
          const archiveParts = { ...parts, storeFile, refuseFile }
          await storeArchive(archiveParts, bytes, splitPath(path).folder)
        } else await storeFile(await targetPathOf(path, overwrite), bytes)
      } catch (error) {
        if (isArchive && isOnlyFile) throw error
        refuseFile(name, error)
      }
    },
  }
}
