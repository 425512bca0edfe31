/** The files of one request, stored one after the other; each is judged by itself. */
import type { Actor } from '../../access/actor.ts'
import { lowerCased, splitPath } from '../../contract/paths.ts'
import { Failure, failure } from '../../errors.ts'
import { checkValidPath } from '../../path-check.ts'
import { type Storage, StorageFullError } from '../../storage/storage.ts'
import type { Media, StoredFile } from '../media/media.ts'
import type { SizeLimit } from '../upload/intake.ts'
import { typeOfPath } from '../upload/media-type.ts'
import { unpack } from '../zip-upload/unpack.ts'
import type { SentFile, StagedBytes } from './form.ts'

export interface Refused {
  name: string
  why: Failure
}

export interface BatchParts {
  storage: Storage
  media: Media
  /** Of each single file, those in archives included. */
  limit: SizeLimit
  by: Actor
  overwrite: boolean
}

export function createBatch({ storage, media, limit, by, overwrite }: BatchParts) {
  const stored: StoredFile[] = []
  const refused: Refused[] = []
  const taken = new Set<string>()

  /**
   * In one request a path goes to one file only: `A.png` and `a.png` would become one otherwise, and the second
   * silently replace the first.
   */
  async function keep(path: string, { staging, size, sha256 }: StagedBytes): Promise<void> {
    if (taken.has(path)) throw failure.pathRepeated(path)
    stored.push(await media.store({ path, staging, size, sha256, mime: typeOfPath(path), by, overwrite }))
    taken.add(path)
  }

  async function keepArchive({ staging }: StagedBytes, folder: string): Promise<void> {
    const pathFor = (name: string) => checkedPath(below(folder, name))
    const unpacked = await unpack(staging.file, { storage, limit, pathFor })
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

    /** `alone`: an archive that is all there is is refused as the whole request, with its own status. */
    async take({ name, archive, bytes }: SentFile, folder: string, alone: boolean): Promise<void> {
      const path = below(folder, name)
      try {
        if (bytes instanceof Failure) throw bytes
        // An archive is not stored, so only the folder it lay in has to be valid.
        if (archive) await keepArchive(bytes, splitPath(path).folder)
        else await keep(checkedPath(path), bytes)
      } catch (error) {
        if (archive && alone) throw error
        refused.push({ name, why: refusal(error) })
      }
    },
  }
}

/** What can be said of one file. Anything else is a fault of ours and ends the request. */
function refusal(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof StorageFullError) return failure.storageFull(error)
  throw error
}

/** In lower case; what is wrong with it otherwise is not corrected. */
function checkedPath(sent: string): string {
  checkValidPath(sent)
  return lowerCased(sent)
}

const below = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`)
