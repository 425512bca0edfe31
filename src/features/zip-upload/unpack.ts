/**
 * Unpacks an archive into staged (temporary) files. Each entry is accepted or refused separately. Nothing is
 * stored before the whole archive is unpacked, so a ZIP bomb leaves nothing behind.
 */
import { Failure, failure } from '../../errors/errors.ts'
import type { SizeLimit } from '../../http/bodies/body.ts'
import type { Staging, Storage } from '../../storage/storage.ts'
import { receiveBytes } from '../upload/receive-bytes.ts'
import { type Archive, type ArchiveEntry, METHOD_DEFLATED, METHOD_STORED, openArchive } from './archive.ts'
import { isSystemEntry } from './clean-entry-name.ts'

interface UnpackedFile {
  name: string
  /** The path in the library. */
  path: string
  staging: Staging
  size: number
  sha256: string
}

interface RefusedEntry {
  name: string
  reason: Failure
}

interface UnpackResult {
  files: UnpackedFile[]
  refusedEntries: RefusedEntry[]
}

interface UnpackOptions {
  storage: Storage
  /** Limit for each single file. */
  limit: SizeLimit
  /** Returns the path in the library for an entry's name. Throws if the name gives no valid path. */
  pathFor(name: string): string
}

/**
 * Unpacks the archive into staged files. The caller stores them and must discard each one afterwards, stored
 * or not. Leaves nothing staged if it rejects.
 */
export async function unpack(file: string, options: UnpackOptions): Promise<UnpackResult> {
  using archive = await openArchive(file)
  const unpackResult: UnpackResult = { files: [], refusedEntries: [] }
  try {
    for (const entry of archive.entries) {
      if (entry.kind === 'folder') continue
      try {
        unpackResult.files.push(await unpackEntry(archive, entry, options))
      } catch (error) {
        // An entry larger than announced makes the whole archive untrustworthy.
        if (!(error instanceof Failure) || error.code === 'zip-understated') throw error
        unpackResult.refusedEntries.push({ name: entry.name, reason: error })
      }
    }
    return unpackResult
  } catch (error) {
    for (const { staging } of unpackResult.files) await staging.discard()
    throw error
  }
}

async function unpackEntry(
  archive: Archive,
  entry: ArchiveEntry,
  { storage, limit, pathFor }: UnpackOptions,
): Promise<UnpackedFile> {
  const { name } = entry
  // The checks that need no unpacking come first.
  if (isSystemEntry(name)) throw failure.entryOfSystem()
  if (entry.kind === 'special') throw failure.entrySpecial()
  const path = pathFor(name)
  if (entry.isEncrypted) throw failure.entryEncrypted()
  if (entry.method !== METHOD_STORED && entry.method !== METHOD_DEFLATED) throw failure.entryMethodUnknown()
  if (entry.size === 0) throw failure.fileEmpty()
  if (entry.size > limit.bytes) throw limit.createError()
  const { staging, size, sha256 } = await receiveBytes(storage, archive.read(entry), limit)
  // Moves the bytes to disk, because thousands of files may have to wait until the whole archive is unpacked.
  await staging.file()
  return { name, path, staging, size, sha256 }
}
