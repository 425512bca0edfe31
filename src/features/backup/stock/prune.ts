/**
 * Removes old archives from a target, then the contents that no remaining archive names. Contents are removed
 * in two steps, because a run of another process may publish an archive at any moment: content is first set
 * aside, then the archives are listed again, and content that one of them names by now is brought back. The
 * other run checks its contents after publishing (`confirmContents`).
 */
import { BackupTrouble } from '../../../errors/errors.ts'
import { filesNamedBy } from '../archive/file-list.ts'
import type { Place } from '../places/place.ts'
import { archivesToRemove, type Retention } from '../places/retention.ts'
import { createSumTable, type SumTable } from './sum-table.ts'

/** Number of contents that are set aside before the archives are listed again. */
const ASIDE_AT_ONCE = 1000

/** A target after old archives and their contents were removed. */
export interface PrunedPlace {
  /** Bytes of archives and contents that are left. */
  bytes: number
  /** The contents that archives name. */
  named: SumTable
  /** Name of an archive that could not be read, so that no content was removed; null if all were read. */
  unreadable: string | null
}

/**
 * Call this only after the target has received the archive `fresh`: without a new archive, no old one may be
 * removed. `fresh` itself is kept even if its name looks old because the clock was set back.
 */
export async function prune(place: Place, retention: Retention, fresh: string): Promise<PrunedPlace> {
  const going = archivesToRemove(await place.archives(), retention).filter(({ name }) => name !== fresh)
  if (going.length > 0) await place.removeArchives(going.map(({ name }) => name))
  const names = createNames(place)
  const unreadable = await names.learn()
  let bytes = (await place.archives()).reduce((sum, archive) => sum + archive.bytes, 0)
  let aside = 0
  for await (const page of place.contents())
    for (const { sha256, size } of page) {
      if (unreadable !== null || names.table.has(sha256)) {
        bytes += size
        continue
      }
      await place.setAside(sha256)
      if (++aside % ASIDE_AT_ONCE === 0) await resolveSetAside(place, names)
    }
  await resolveSetAside(place, names)
  return { bytes, named: names.table, unreadable }
}

/** Removes or brings back the contents that were set aside, by this run or by one that was killed. */
export async function resolveSetAside(place: Place, names = createNames(place)): Promise<void> {
  const aside = await place.listAside()
  if (aside.length === 0) return
  const unreadable = await names.learn()
  for (const sha256 of aside) {
    if (unreadable !== null || names.table.has(sha256)) await place.bringBack(sha256)
    else await place.removeAside(sha256)
  }
}

/** Collects the contents that archives name. An archive never changes, so each is read once. */
function createNames(place: Place) {
  const table = createSumTable()
  const read = new Set<string>()
  return {
    table,
    /**
     * Reads the archives that were not read yet. Returns the name of one that cannot be read; null if all
     * could.
     */
    async learn(): Promise<string | null> {
      for (const { name } of await place.archives()) {
        if (read.has(name)) continue
        try {
          await using archive = await place.openArchive(name)
          for await (const { sha256 } of filesNamedBy(archive)) table.set(sha256, 1)
        } catch (error) {
          if (!(error instanceof BackupTrouble)) throw error
          // Another run may have removed the archive meanwhile.
          if ((await place.archives()).some(found => found.name === name)) return name
        }
        read.add(name)
      }
      return null
    },
  }
}
