/** Opens the objects of a data folder together with the rows that own them. */

import { newId } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../database/database.ts'
import { putFinding } from '../database/findings.ts'
import { createIsOwned, shortFilesStoredSince } from '../database/object-owner.ts'
import type { JournalDamage } from '../storage/disk/bring-back.ts'
import { createDiskStorage, type DiskParts } from '../storage/disk/disk.ts'
import { parseName } from '../storage/names.ts'
import type { Storage } from '../storage/storage.ts'

interface DiskObjectsParts extends Pick<DiskParts, 'reserve' | 'onFault'> {
  dataDir: string
  database: Database
  log: Log
  now: () => number
}

export function openDiskObjects({
  dataDir,
  database,
  log,
  now,
  ...parts
}: DiskObjectsParts): Promise<Storage> {
  /** Recorded as findings, so that `/status` and dashboard report the files before the next `check`. */
  async function onDamage(damage: JournalDamage): Promise<void> {
    const ids = damage.lost.map(name => parseName(name)?.id).filter(id => id !== undefined)
    await database.transaction(async tx => {
      for (const id of ids) await putFinding(tx, id, 'missing', now())
    })
    log.error('a journal of short files was damaged and is kept aside', { ...damage })
  }
  return createDiskStorage({
    ...{ ...parts, root: dataDir, newId, onDamage },
    isOwned: createIsOwned(database.read),
    storedSince: shortFilesStoredSince(database.read),
  })
}
