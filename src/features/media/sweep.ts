/**
 * Compares store and database both ways: objects nobody points to (what a crash between bytes and row leaves)
 * are removed once they are old enough, files whose object is gone are named, be they in the library or in the trash.
 *
 * What is young is left alone: its row may be about to be written. Age counts from when the object got its name, so a
 * relocation under way is safe too. And where originals lie without their rows in greater number than a crash can
 * leave them, it is the rows that are lost: then nothing is removed, since these files are all there is.
 */
import type { Coordination } from '../../coordination/coordination.ts'
import type { Database } from '../../database/database.ts'
import { OBJECT_ROOTS, parseName } from '../../storage/names.ts'
import type { ListedObject, Storage } from '../../storage/storage.ts'
import { objectsOf } from './media.store.ts'
import { knowsAnyFile, objectOf, objectsBehind, ownersOf } from './sweep.store.ts'

export const SWEEP_AGE = 60 * 60 * 1000
const BATCH = 500
/** Originals without a row that are taken for the leftovers of a crash. */
const CRASH_LEAVES = 20

export interface SweepReport {
  /** Objects removed because no row owns them. */
  removed: string[]
  /** Originals without a row that all stay, because the database seems to have lost their rows. */
  heldBack: number
  /** Paths whose object is not there. */
  missing: string[]
  /** The same of what lies in the trash, where a path may stand several times. */
  missingInTrash: { nr: number; path: string }[]
}

export interface SweepParts {
  database: Database
  storage: Storage
  now: () => number
  coordination: Pick<Coordination, 'isHeld'>
}

export interface SweepOptions {
  olderThan?: number
  /** Somebody has decided on it: however many there are, as long as the database knows any file at all. */
  byHand?: boolean
  /** When it aborts, the sweep ends and tells what it has done and found so far. */
  signal?: AbortSignal | undefined
}

export async function sweep(parts: SweepParts, options: SweepOptions = {}): Promise<SweepReport> {
  const { olderThan = SWEEP_AGE, byHand = false, signal } = options
  await parts.storage.clearStaging(olderThan)
  const heldBack = await suspicious(parts, olderThan, byHand)
  const removed = heldBack > 0 ? [] : await removeOrphans(parts, olderThan, signal)
  const missing = (await withoutObject(parts, 'media', signal)).map(row => row.path)
  return { removed, heldBack, missing, missingInTrash: await withoutObject(parts, 'trash', signal) }
}

async function removeOrphans(parts: SweepParts, olderThan: number, signal?: AbortSignal): Promise<string[]> {
  const removed: string[] = []
  for await (const found of orphans(parts, olderThan)) {
    if (signal?.aborted) break
    // As with the discard list: a backup under way may own what has lost its row since.
    if (found.length > 0 && (await parts.coordination.isHeld('backup'))) continue
    for (const { name } of found) {
      await parts.storage.remove(name)
      removed.push(name)
    }
  }
  return removed
}

/** How many originals have no row, where that must be taken for a database that is lost, or older than the store. */
async function suspicious(parts: SweepParts, olderThan: number, byHand: boolean): Promise<number> {
  const { read } = parts.database
  let originals = 0
  for await (const found of orphans(parts, olderThan)) {
    const ids = found.flatMap(({ name }) => {
      const parsed = parseName(name)
      return parsed?.role === 'original' ? [parsed.id] : []
    })
    if (ids.length === 0) continue
    // An earlier name of a living file is no loss: its row leads to the same bytes.
    const living = new Set((await ownersOf(read, ids)).map(({ id }) => id))
    originals += ids.filter(id => !living.has(id)).length
  }
  if (originals === 0) return 0
  const leftovers = byHand || originals <= CRASH_LEAVES
  return leftovers && (await knowsAnyFile(read)) ? 0 : originals
}

/** Finds what a sweep removes, in portions, and removes nothing. `onLooked` is told how many objects were looked at. */
export async function* orphans(
  parts: SweepParts,
  olderThan = SWEEP_AGE,
  onLooked: (objects: number) => void = () => {},
): AsyncGenerator<ListedObject[]> {
  for (const root of OBJECT_ROOTS) {
    for await (const objects of batches(parts.storage.list(root))) {
      yield await unowned(parts, objects, olderThan)
      onLooked(objects.length)
    }
  }
}

/** Those whose names are ours by their shape, old enough, and owned by no row. Foreign files are never touched. */
async function unowned(
  parts: SweepParts,
  objects: ListedObject[],
  olderThan: number,
): Promise<ListedObject[]> {
  const oldEnough = parts.now() - olderThan
  const candidates = objects.flatMap(object => {
    const parsed = parseName(object.name)
    return parsed && object.changedAt <= oldEnough ? [{ object, id: parsed.id }] : []
  })
  if (candidates.length === 0) return []
  const ids = [...new Set(candidates.map(candidate => candidate.id))]
  const rows = await ownersOf(parts.database.read, ids)
  const owned = new Set(rows.flatMap(objectsOf))
  // While a file's derived files are being made or its objects follow it, its row does not name them all yet.
  const busy = new Set(rows.filter(row => row.busy).map(row => row.id))
  return candidates
    .filter(({ object, id }) => !owned.has(object.name) && !busy.has(id))
    .map(({ object }) => object)
}

/** Files whose object is not there. */
export async function withoutObject(
  { database: { read }, storage }: SweepParts,
  table: 'media' | 'trash',
  signal?: AbortSignal,
): Promise<{ nr: number; path: string }[]> {
  const missing: { nr: number; path: string }[] = []
  for (let after = 0; ; ) {
    const rows = await objectsBehind(read, table, after, BATCH)
    if (rows.length === 0 || signal?.aborted) return missing
    for (const { nr, path, object } of rows) {
      after = nr
      if (await storage.open(object)) continue
      // Deleted, overwritten or relocated between reading the row and looking for its object?
      if ((await objectOf(read, table, nr)) === object) missing.push({ nr, path })
    }
  }
}

async function* batches<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  yield batch
}
