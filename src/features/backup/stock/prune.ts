/**
 * Removes old archives from a target, then the contents that no remaining archive names. Contents are removed
 * in two steps, because a run of another process may publish an archive at any moment. A content is first set
 * aside. Then the archives are listed again, and a content that one of them names by now is brought back. The
 * other run checks its contents after publishing (`ensureContents`).
 */
import { BackupTrouble } from '../../../errors/errors.ts'
import { readAndVerifyFileList } from '../archive/file-list.ts'
import type { Place } from '../places/place.ts'
import { archivesToRemove, type Retention } from '../places/retention.ts'
import { type ChecksumTable, createChecksumTable } from './checksum-table.ts'

/** Number of contents to set aside before the archives are listed again. */
const SET_ASIDE_BATCH = 1000

/** The state of a target after old archives and unused contents were removed. */
export interface PruneResult {
  /** Bytes of the remaining archives and contents. */
  bytes: number
  /** The checksums of the contents that archives name; incomplete if an archive could not be read. */
  namedChecksums: ChecksumTable
  /** Name of an archive that could not be read; then no content was removed. Null if all were read. */
  unreadableArchive: string | null
}

/**
 * Removes old archives, then the contents that no remaining archive names. If an archive cannot be read, no
 * contents are removed, because it may name any of them. Call this only after the target has received
 * `newArchive`: without a new archive, no old one may be removed. `newArchive` itself is kept even if its
 * name looks old because the clock was set back.
 */
export async function prune(place: Place, retention: Retention, newArchive: string): Promise<PruneResult> {
  const oldArchives = archivesToRemove(await place.archives(), retention).filter(
    ({ name }) => name !== newArchive,
  )
  if (oldArchives.length > 0) await place.removeArchives(oldArchives.map(({ name }) => name))
  const namedContents = createChecksumCollector(place)
  const unreadableArchive = await namedContents.readNewArchives()
  let bytes = (await place.archives()).reduce((sum, archive) => sum + archive.bytes, 0)
  let setAsideCount = 0
  for await (const page of place.contents())
    for (const { sha256, size } of page) {
      if (unreadableArchive !== null || namedContents.checksums.has(sha256)) {
        bytes += size
        continue
      }
      await place.setAside(sha256)
      if (++setAsideCount % SET_ASIDE_BATCH === 0) await resolveSetAsideContents(place, namedContents)
    }
  await resolveSetAsideContents(place, namedContents)
  return { bytes, namedChecksums: namedContents.checksums, unreadableArchive }
}

/**
 * Removes the contents that were set aside, by this run or by one that was killed. Brings back those that an
 * archive names. If an archive cannot be read, brings all of them back.
 */
export async function resolveSetAsideContents(
  place: Place,
  namedContents = createChecksumCollector(place),
): Promise<void> {
  const setAsideChecksums = await place.listAside()
  if (setAsideChecksums.length === 0) return
  const unreadableArchive = await namedContents.readNewArchives()
  for (const sha256 of setAsideChecksums) {
    if (unreadableArchive !== null || namedContents.checksums.has(sha256)) await place.bringBack(sha256)
    else await place.removeAside(sha256)
  }
}

/**
 * Collects the checksums of the contents that archives name. An archive never changes, so one that was read
 * is not read again.
 */
function createChecksumCollector(place: Place) {
  const checksums = createChecksumTable()
  const namesOfReadArchives = new Set<string>()
  return {
    checksums,
    /**
     * Reads the archives that were not read yet. Returns the name of an archive that cannot be read; null if
     * all could be read.
     */
    async readNewArchives(): Promise<string | null> {
      for (const { name } of await place.archives()) {
        if (namesOfReadArchives.has(name)) continue
        try {
          await using archive = await place.openArchive(name)
          for await (const { sha256 } of readAndVerifyFileList(archive)) checksums.set(sha256, 1)
        } catch (error) {
          if (!(error instanceof BackupTrouble)) throw error
          // Another run may have removed the archive meanwhile.
          if ((await place.archives()).some(archive => archive.name === name)) return name
        }
        namesOfReadArchives.add(name)
      }
      return null
    },
  }
}
