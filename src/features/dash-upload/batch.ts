/** Stores the files of one request, one after the other; each file is stored or refused by itself. */

import { splitPath } from '../../contract/paths/paths.ts'
import { Failure, failure } from '../../errors/errors.ts'
import type { Actor } from '../../http/access/actor.ts'
import { type Area, refuseOutside } from '../../http/access/area.ts'
import { knownFailure } from '../../http/answers/render.ts'
import type { SizeLimit } from '../../http/bodies/body.ts'
import { type Storage, StorageFullError } from '../../storage/storage.ts'
import type { Media, StoredFile } from '../media/media.ts'
import { typeOfPath } from '../upload/media-type.ts'
import type { RemoveMetadata } from '../upload/remove-metadata.ts'
import { repairedName } from '../zip-upload/entry-name.ts'
import type { SentFile, StagedBytes } from './form.ts'
import { checkedPath, type TargetPath } from './target-path.ts'

export interface RefusedFile {
  name: string
  why: Failure
}

interface BatchParts {
  storage: Storage
  media: Media
  targetPath: TargetPath
  removeMetadata: RemoveMetadata
  /** Size limit of each file, including files in archives. */
  limit: SizeLimit
  by: Actor
  /** The folders that the account may see: nothing is stored outside of them. */
  reach: Area
  overwrite: boolean
  /** Whether names in archives are cleaned, as the client asked for. */
  repairNames: boolean
  /** The id under which the history groups the files. */
  action: string
}

export function createBatch(parts: BatchParts) {
  const { storage, media, targetPath, removeMetadata, limit, by, reach, overwrite, repairNames, action } =
    parts
  const stored: StoredFile[] = []
  const refused: RefusedFile[] = []
  const taken = new Set<string>()

  /**
   * Why one file is refused. A failure of the service ends the request while nothing is stored; afterwards it
   * is the reason for this file only, since the client has to learn which files are stored.
   */
  function refusal(error: unknown): Failure {
    const isOfFile = error instanceof Failure || error instanceof StorageFullError
    const known = isOfFile || stored.length > 0 ? knownFailure(error) : null
    if (known === null) throw error
    return known
  }

  /**
   * Stores one file. Each path is stored once per request: otherwise `a.png` would silently replace `A.png`,
   * which has the same path.
   */
  async function keep(path: string, bytes: StagedBytes): Promise<void> {
    if (taken.has(path)) throw failure.pathRepeated(path)
    refuseOutside([path], reach)
    const { size, sha256, ...kept } = await removeMetadata(bytes)
    await using staging = kept.staging
    const mime = typeOfPath(path)
    stored.push(await media.store({ path, staging, size, sha256, mime, by, overwrite, action }))
    taken.add(path)
  }

  async function keepArchive({ staging }: StagedBytes, folder: string): Promise<void> {
    const pathFor = (name: string) => checkedPath(pathBelow(folder, repairNames ? repairedName(name) : name))
    const { unpack } = await import('../zip-upload/unpack.ts')
    const unpacked = await unpack(await staging.file(), { storage, limit, pathFor })
    refused.push(...unpacked.refused)
    try {
      for (const file of unpacked.files) {
        await keep(file.path, file).catch(error => refused.push({ name: file.name, why: refusal(error) }))
      }
    } finally {
      for (const file of unpacked.files) await file.staging.discard()
    }
  }

  return {
    stored,
    refused,

    /**
     * Stores or refuses one file. `alone`: whether it is the only file of the request. If it is an archive
     * and is refused, the whole request is then refused with the status of the archive.
     */
    async take({ name, archive, bytes }: SentFile, folder: string, alone: boolean): Promise<void> {
      const path = pathBelow(folder, name)
      try {
        if (bytes instanceof Failure) throw bytes
        // An archive is not stored, so only its folder has to be valid.
        if (archive) await keepArchive(bytes, splitPath(path).folder)
        else await keep(await targetPath(path, overwrite), bytes)
      } catch (error) {
        if (archive && alone) throw error
        refused.push({ name, why: refusal(error) })
      }
    },
  }
}

export const pathBelow = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`)
