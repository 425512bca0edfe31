/** The archives of a bucket. */
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { NewId } from '../../../base/ids.ts'
import { isSystemError } from '../../../base/system/error-code.ts'
import { archiveTrouble, BackupTrouble } from '../../../errors/errors.ts'
import { longPath } from '../../../storage/local/platform.ts'
import type { BucketFiles } from '../../../storage/s3/bucket-files.ts'
import { createAppender } from '../archive/append.ts'
import { newestFirst, parseArchiveName } from '../archive/archive-name.ts'
import { type ArchiveFile, openArchive, readContent } from '../archive/archive-reader.ts'
import type { ArchiveStore, FoundArchive } from '../places/place.ts'
import { isStoreError } from './readable-errors.ts'
import type { Sealing } from './sealing.ts'
import { sendAndCompare } from './send-and-compare.ts'

export interface BucketArchivesParts {
  files: BucketFiles
  sealing: Sealing
  /** The local folder for a temporary copy of an archive while the archive is read. */
  scratch: string
  newId: NewId
}

export function createBucketArchives(parts: BucketArchivesParts): ArchiveStore {
  const { files, sealing } = parts
  const fileOf = (name: string) => name + sealing.suffix
  return {
    archives: () => findArchives(files, sealing),
    openArchive: name => openLocalCopy(parts, name),
    putArchive: (name, { size, newReader }, options) =>
      sendAndCompare(files, sealing, fileOf(name), {
        content: () => readContent(newReader(), { start: 0, size }),
        size,
        ...options,
      }),
    removeArchives: names => files.remove(names.map(fileOf)),
  }
}

/** Lists the archives, newest first. */
export async function findArchives(
  files: BucketFiles,
  { suffix, plainSize }: Sealing,
): Promise<FoundArchive[]> {
  const archives: FoundArchive[] = []
  for await (const { name, size } of files.list('fundus-')) {
    const parsedName = name.endsWith(suffix)
      ? parseArchiveName(name.slice(0, name.length - suffix.length))
      : null
    if (parsedName) archives.push({ ...parsedName, bytes: plainSize(size) })
  }
  return archives.sort(newestFirst)
}

/** Opens a local copy of the archive, which is removed when the archive is closed. */
async function openLocalCopy(
  { files, sealing, scratch, newId }: BucketArchivesParts,
  name: string,
): Promise<ArchiveFile> {
  const archiveFile = name + sealing.suffix
  const localFile = join(scratch, `archiv-${newId()}`)
  const removeLocalFile = () => rm(longPath(localFile), { force: true })
  try {
    // If there is no such archive, `openArchive` below rejects with the same error as in a folder.
    if ((await files.size(archiveFile)) !== null) {
      await using handle = await open(longPath(localFile), 'wx', 0o600)
      const appender = createAppender(handle)
      for await (const chunk of sealing.unseal(files.read(archiveFile))) await appender.append(chunk)
      await appender.writeBuffer()
    }
    const openedArchive = await openArchive(localFile)
    const dispose = async () => {
      await openedArchive[Symbol.asyncDispose]()
      await removeLocalFile()
    }
    return { ...openedArchive, [Symbol.asyncDispose]: dispose }
  } catch (error) {
    await removeLocalFile()
    const isKnownError = isStoreError(error) || error instanceof BackupTrouble || isSystemError(error)
    // Any other error means that the key does not decrypt these bytes.
    throw isKnownError ? error : archiveTrouble.broken(name)
  }
}
