/** Unpacks an uploaded ZIP archive into the folder to which it was sent; the archive itself is not stored. */
import { pathBelow } from '../../contract/paths/path-parts.ts'
import type { SizeLimit } from '../../http/bodies/body.ts'
import { lowerCasePath } from '../../http/path-check.ts'
import type { Storage } from '../../storage/storage.ts'
import { cleanEntryName } from '../zip-upload/clean-entry-name.ts'
import type { StagedBytes } from './form.ts'

interface ArchiveParts {
  storage: Storage
  /** Size limit of each file in the archive. */
  limit: SizeLimit
  /** Whether invalid names are cleaned instead of refused. */
  shouldCleanNames: boolean
  storeFile: (path: string, bytes: StagedBytes) => Promise<void>
  /** Called for each file that cannot be stored; rethrows `error` if it must end the request. */
  refuseFile: (name: string, error: unknown) => void
}

/**
 * Stores the files of the archive, with their folders, below `folder`. A refused file does not affect the
 * others.
 */
export async function storeArchive(
  { storage, limit, shouldCleanNames, storeFile, refuseFile }: ArchiveParts,
  { staging }: StagedBytes,
  folder: string,
): Promise<void> {
  const pathFor = (name: string) =>
    lowerCasePath(pathBelow(folder, shouldCleanNames ? cleanEntryName(name) : name))
  const { unpack } = await import('../zip-upload/unpack.ts')
  const { files, refusedEntries } = await unpack(await staging.file(), { storage, limit, pathFor })
  try {
    for (const { name, reason } of refusedEntries) refuseFile(name, reason)
    for (const file of files) await storeFile(file.path, file).catch(error => refuseFile(file.name, error))
  } finally {
    for (const file of files) await file.staging.discard()
  }
}
