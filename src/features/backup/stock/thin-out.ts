/**
 * Removes old archives, then the contents that no remaining archive names. In two steps, because a run of
 * another process may publish an archive at any moment: a content is set aside, the archives are looked at
 * again, and what one of them names by now is brought back. `confirmContents` is the counterpart.
 */
import { BackupTrouble } from '../../../errors/errors.ts'
import { namedFiles } from '../archive/file-list.ts'
import type { Place } from '../places/place.ts'
import { type Retention, surplus } from '../places/retention.ts'
import { createSumTable, type SumTable } from './sum-table.ts'

/** Contents that are set aside before the archives are looked at again. */
const ASIDE_AT_ONCE = 1000

export interface ThinnedPlace {
  /** Bytes of archives and contents that are left. */
  bytes: number
  /** The contents that archives name. */
  named: SumTable
  /** An archive that could not be read, so that no content was removed. */
  unreadable: string | null
}

/**
 * Only for a target that has just received the archive `fresh`: where nothing new arrives, nothing old may be
 * removed. `fresh` stays too, since it looks old if the clock was set back.
 */
export async function thinOut(place: Place, retention: Retention, fresh: string): Promise<ThinnedPlace> {
  const going = surplus(await place.archives(), retention).filter(({ name }) => name !== fresh)
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
      if (++aside % ASIDE_AT_ONCE === 0) await settleAside(place, names)
    }
  await settleAside(place, names)
  return { bytes, named: names.table, unreadable }
}

/** Decides about what a thinning has set aside, this one or one that died. */
export async function settleAside(place: Place, names = createNames(place)): Promise<void> {
  const aside = await place.listAside()
  if (aside.length === 0) return
  const unreadable = await names.learn()
  for (const sha256 of aside) {
    if (unreadable !== null || names.table.has(sha256)) await place.bringBack(sha256)
    else await place.removeAside(sha256)
  }
}

/** The contents that archives name. An archive never changes, so each is read once. */
function createNames(place: Place) {
  const table = createSumTable()
  const read = new Set<string>()
  return {
    table,
    /** Reads the archives that are new. Returns the name of one that cannot be read, else null. */
    async learn(): Promise<string | null> {
      for (const { name } of await place.archives()) {
        if (read.has(name)) continue
        try {
          await using archive = await place.openArchive(name)
          for await (const { sha256 } of namedFiles(archive)) table.set(sha256, 1)
        } catch (error) {
          if (!(error instanceof BackupTrouble)) throw error
          // Another run may have removed it meanwhile.
          if ((await place.archives()).some(found => found.name === name)) return name
        }
        read.add(name)
      }
      return null
    },
  }
}
