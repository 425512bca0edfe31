/**
 * Rebuilds a lost database from the stored objects alone. Object names give paths and ids, bytes give hashes;
 * whatever only the database knew is lost. Rows are written in batches, so that an interrupted run can be
 * continued.
 */
import { streamBatches } from '../../base/batches.ts'
import { MEGABYTE } from '../../contract/values/units.ts'
import { countRows } from '../../database/count-rows.ts'
import type { Database } from '../../database/database.ts'
import { WHOLE_LIBRARY } from '../../http/access/library-area.ts'
import type { Storage } from '../../storage/storage.ts'
import type { FeatureParts } from '../feature.ts'
import { readAreaTotals } from '../folders/folders.store.ts'
import { isOwnObject, type OwnObject, walkStore } from '../integrity/compare.ts'
import { addName, type CountedNames, emptyNameList } from '../integrity/names.ts'
import { findOwners, type Owner, walkOwners } from '../integrity/owners.ts'
import { type Candidate, readCandidate } from './candidates.ts'
import { recordDerivedFiles } from './derived.ts'
import { placeFile, placeReplacedInTrash, type Rivalry } from './rebuild.store.ts'

/**
 * The library is read before the trash, because the rows of the library decide how files in the trash are
 * recorded.
 */
const ORIGINAL_ROOTS = ['files/', 'trash/'] as const

/** The rows of originals are written in batches. A batch ends when it has this many originals or bytes. */
const BATCH_FILES = 200
const BATCH_BYTES = 256 * MEGABYTE

export interface RebuildReport {
  files: number
  trash: number
  bytes: number
  /**
   * Number of pending files: the service will make their previews and WebP variants, and measure them again.
   */
  toDerive: number
  rivalries: { count: number; first: Rivalry[] }
  unreadable: { count: number; first: string[] }
  /** Files in the folders of the store that do not belong to the service; they are left as they are. */
  foreign: { count: number; first: string[] }
}

export interface RebuildParts extends Pick<FeatureParts, 'database' | 'storage' | 'now'> {
  onProgress: (readBytes: number, totalBytes: number) => void
}

export async function rebuildIndex(parts: RebuildParts): Promise<RebuildReport> {
  const { database, storage, onProgress } = parts
  const [rivalries, unreadableNames, foreignNames] = [
    emptyNameList<Rivalry>(),
    emptyNameList(),
    emptyNameList(),
  ]
  const totalBytes = await measureOriginals(storage, name => addName(foreignNames, name))
  let readBytes = 0
  const onBytes = (count: number) => {
    readBytes += count
    onProgress(readBytes, totalBytes)
  }
  await deleteRowsWithoutObject(parts)
  for await (const batch of streamBatches(listOriginals(storage), isBatchFull)) {
    const candidates: Candidate[] = []
    const ids = batch.map(({ parsed: parsedName }) => parsedName.id)
    // The rows that an interrupted run has written already.
    const knownOwners = new Map((await findOwners(database.read, ids)).map(owner => [owner.id, owner]))
    for (const listedObject of batch) {
      if (isAlreadyRead(knownOwners.get(listedObject.parsed.id), listedObject)) onBytes(listedObject.size)
      else candidates.push(...(await readOrReport(listedObject)))
    }
    for (const rivalry of await placeFiles(parts, candidates)) addName(rivalries, rivalry)
  }
  // `moveReplacedToTrash` treats every original without a row as replaced. A file that could not be read has
  // no row either, so this step is left to a later run that can read all files.
  if (unreadableNames.count === 0) await moveReplacedToTrash(parts)
  await recordDerivedFiles(parts)
  return {
    ...(await countTotals(database)),
    rivalries: toReportList(rivalries),
    unreadable: toReportList(unreadableNames),
    foreign: toReportList(foreignNames),
  }

  async function readOrReport(listedObject: OwnObject): Promise<Candidate[]> {
    try {
      const candidate = await readCandidate(storage, listedObject, onBytes)
      return candidate ? [candidate] : []
    } catch {
      addName(unreadableNames, listedObject.name)
      return []
    }
  }
}

/**
 * Puts the originals whose content id has no row into the trash, because other originals have their paths.
 * Must be called after every original was read.
 */
async function moveReplacedToTrash({ database, storage, now }: RebuildParts): Promise<void> {
  for await (const batch of streamBatches(listOriginals(storage), isBatchFull)) {
    const ids = batch.map(({ parsed: parsedName }) => parsedName.id)
    const ownedIds = new Set((await findOwners(database.read, ids)).map(({ id }) => id))
    for (const listedObject of batch.filter(({ parsed: parsedName }) => !ownedIds.has(parsedName.id))) {
      const replacedFile = await readCandidate(storage, listedObject, () => {}).catch(() => null)
      if (replacedFile) await database.transaction(tx => placeReplacedInTrash(tx, replacedFile, now()))
    }
  }
}

/** The list with the field names of the JSON report. */
const toReportList = <Entry>({ count, names }: CountedNames<Entry>) => ({ count, first: names })

/**
 * Returns the total size of the originals in bytes, and calls `onForeign` for each file that does not belong
 * to the service.
 */
async function measureOriginals(storage: Storage, onForeign: (name: string) => void): Promise<number> {
  let totalBytes = 0
  for await (const { name, size, parsed: parsedName } of walkStore(storage, ORIGINAL_ROOTS)) {
    if (parsedName?.role === 'original') totalBytes += size
    else if (!parsedName) onForeign(name)
  }
  return totalBytes
}

/** Deletes the rows that an interrupted run has written for objects that are gone now. */
async function deleteRowsWithoutObject({ database, storage }: RebuildParts): Promise<void> {
  for await (const { place: table, id, object } of walkOwners(database.read)) {
    if ((await storage.measure(object)) !== null) continue
    await database.transaction(tx => tx.deleteFrom(table).where('id', '=', id).execute())
  }
}

const isAlreadyRead = (knownOwner: Owner | undefined, listedObject: OwnObject) =>
  knownOwner?.object === listedObject.name &&
  knownOwner.size === listedObject.size &&
  knownOwner.updated_at === Math.floor(listedObject.writtenAt)

async function* listOriginals(storage: Storage): AsyncGenerator<OwnObject> {
  for await (const object of walkStore(storage, ORIGINAL_ROOTS)) {
    if (isOwnObject(object) && object.parsed.role === 'original') yield object
  }
}

const isBatchFull = (objects: readonly OwnObject[]) =>
  objects.length >= BATCH_FILES || objects.reduce((bytes, { size }) => bytes + size, 0) >= BATCH_BYTES

function placeFiles({ database, now }: RebuildParts, candidates: readonly Candidate[]): Promise<Rivalry[]> {
  return database.transaction(async tx => {
    const rivalries: Rivalry[] = []
    for (const candidate of candidates) rivalries.push(...(await placeFile(tx, candidate, now())))
    return rivalries
  })
}

async function countTotals({ read }: Database) {
  const libraryTotal = await readAreaTotals(read, WHOLE_LIBRARY)
  const trashTotal = await read.selectFrom('trash_total').select(['files', 'bytes']).executeTakeFirstOrThrow()
  return {
    files: libraryTotal.files,
    trash: Number(trashTotal.files),
    bytes: libraryTotal.bytes + Number(trashTotal.bytes),
    toDerive: await countRows(read.selectFrom('media').where('derived', '=', 'pending')),
  }
}
