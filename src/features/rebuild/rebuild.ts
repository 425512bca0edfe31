/**
 * Rebuilds the index from the disk alone, if the database is lost. Names give paths and ids, bytes give
 * hashes; what was only in the database is lost. Rows are written in portions, so that an interrupted run can
 * be continued.
 */
import { inBatches } from '../../base/batches.ts'
import { MEGABYTE } from '../../contract/values/units.ts'
import { countRows } from '../../database/count-rows.ts'
import type { Database } from '../../database/database.ts'
import { EVERYTHING } from '../../http/access/area.ts'
import type { Storage } from '../../storage/storage.ts'
import type { FeatureParts } from '../feature.ts'
import { filesAndBytes } from '../folders/folders.store.ts'
import { isOwn, type OwnObject, walkStore } from '../integrity/compare.ts'
import { type Names, noNames, note } from '../integrity/names.ts'
import { type Owner, ownersOf, walkOwners } from '../integrity/owners.ts'
import { type Candidate, readCandidate } from './candidates.ts'
import { takeOverDerived } from './derived.ts'
import { placeFile, placeReplaced, type Rivalry } from './rebuild.store.ts'

/** The library is read first, since files in the trash are judged by what the library holds. */
const ROOTS = ['files/', 'trash/'] as const

const PORTION_FILES = 200
const PORTION_BYTES = 256 * MEGABYTE

export interface RebuildReport {
  files: number
  trash: number
  bytes: number
  /** Number of files whose preview or WebP variant the service will remake. */
  toDerive: number
  rivalries: { count: number; first: Rivalry[] }
  unreadable: { count: number; first: string[] }
  /** Files in the store that do not belong to the service; they are left as they are. */
  foreign: { count: number; first: string[] }
}

export interface RebuildParts extends Pick<FeatureParts, 'database' | 'storage' | 'now'> {
  onProgress: (read: number, total: number) => void
}

export async function rebuildIndex(parts: RebuildParts): Promise<RebuildReport> {
  const { database, storage, onProgress } = parts
  const [rivalries, unreadable, foreign] = [noNames<Rivalry>(), noNames(), noNames()]
  const total = await measure(storage, name => note(foreign, name))
  let read = 0
  const onBytes = (count: number) => {
    read += count
    onProgress(read, total)
  }
  await dropVanished(parts)
  for await (const portion of inBatches(originals(storage), isPortion)) {
    const candidates: Candidate[] = []
    const ids = portion.map(({ parsed }) => parsed.id)
    // Files that an interrupted run has read already.
    const known = new Map((await ownersOf(database.read, ids)).map(owner => [owner.id, owner]))
    for (const listed of portion) {
      if (isKnown(known.get(listed.parsed.id), listed)) onBytes(listed.size)
      else candidates.push(...(await readOrNote(listed)))
    }
    for (const rivalry of await placeAll(parts, candidates)) note(rivalries, rivalry)
  }
  // A file that could not be read has no row either, although nothing replaced it: the next run reads it.
  if (unreadable.count === 0) await trashReplaced(parts)
  await takeOverDerived(parts)
  return {
    ...(await countFigures(database)),
    rivalries: asFirst(rivalries),
    unreadable: asFirst(unreadable),
    foreign: asFirst(foreign),
  }

  async function readOrNote(listed: OwnObject): Promise<Candidate[]> {
    try {
      const candidate = await readCandidate(storage, listed, onBytes)
      return candidate ? [candidate] : []
    } catch {
      note(unreadable, listed.name)
      return []
    }
  }
}

/** Called when every original was read: originals without a row now have lost to another one. */
async function trashReplaced({ database, storage, now }: RebuildParts): Promise<void> {
  for await (const portion of inBatches(originals(storage), isPortion)) {
    const ids = portion.map(({ parsed }) => parsed.id)
    const owned = new Set((await ownersOf(database.read, ids)).map(({ id }) => id))
    for (const listed of portion.filter(({ parsed }) => !owned.has(parsed.id))) {
      const replaced = await readCandidate(storage, listed, () => {}).catch(() => null)
      if (replaced) await database.transaction(tx => placeReplaced(tx, replaced, now()))
    }
  }
}

/** A list with the names of fields that the JSON report has. */
const asFirst = <Entry>({ count, names }: Names<Entry>) => ({ count, first: names })

/**
 * Returns the number of bytes to read, and calls `onForeign` for each file that does not belong to the
 * service.
 */
async function measure(storage: Storage, onForeign: (name: string) => void): Promise<number> {
  let total = 0
  for await (const { name, size, parsed } of walkStore(storage, ROOTS)) {
    if (parsed?.role === 'original') total += size
    else if (!parsed) onForeign(name)
  }
  return total
}

/** Deletes rows of an interrupted run whose object has gone since. */
async function dropVanished({ database, storage }: RebuildParts): Promise<void> {
  for await (const { place: table, id, object } of walkOwners(database.read)) {
    if ((await storage.measure(object)) !== null) continue
    await database.transaction(tx => tx.deleteFrom(table).where('id', '=', id).execute())
  }
}

const isKnown = (known: Owner | undefined, listed: OwnObject) =>
  known?.object === listed.name &&
  known.size === listed.size &&
  known.updated_at === Math.floor(listed.writtenAt)

async function* originals(storage: Storage): AsyncGenerator<OwnObject> {
  for await (const object of walkStore(storage, ROOTS)) {
    if (isOwn(object) && object.parsed.role === 'original') yield object
  }
}

const isPortion = (objects: readonly OwnObject[]) =>
  objects.length >= PORTION_FILES || objects.reduce((bytes, { size }) => bytes + size, 0) >= PORTION_BYTES

function placeAll({ database, now }: RebuildParts, candidates: readonly Candidate[]): Promise<Rivalry[]> {
  return database.transaction(async tx => {
    const rivalries: Rivalry[] = []
    for (const candidate of candidates) rivalries.push(...(await placeFile(tx, candidate, now())))
    return rivalries
  })
}

async function countFigures({ read }: Database) {
  const library = await filesAndBytes(read, EVERYTHING)
  const trash = await read.selectFrom('trash_total').select(['files', 'bytes']).executeTakeFirstOrThrow()
  return {
    files: library.files,
    trash: Number(trash.files),
    bytes: library.bytes + Number(trash.bytes),
    toDerive: await countRows(read.selectFrom('media').where('derived', '=', 'pending')),
  }
}
