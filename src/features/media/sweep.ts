/**
 * Compares store and database both ways: objects nobody points to (what a crash between bytes and row leaves)
 * are removed once they are old enough, files whose object is gone are named, be they in the library or in the trash.
 *
 * What is young is left alone: its row may be about to be written. Age counts from when the object got its name, so a
 * relocation under way is safe too.
 */
import type { Coordination } from '../../coordination/coordination.ts'
import type { Database } from '../../database/database.ts'
import { OBJECT_ROOTS, parseName } from '../../storage/names.ts'
import type { ListedObject, Storage } from '../../storage/storage.ts'
import { objectsOf } from './media.store.ts'
import { objectOf, objectsBehind, ownersOf } from './sweep.store.ts'

export const SWEEP_AGE = 60 * 60 * 1000
const BATCH = 500

export interface SweepReport {
  /** Objects removed because no row owns them. */
  removed: string[]
  /** Paths whose object is not there. */
  missing: string[]
  /** The same of what lies in the trash, where a path may stand several times. */
  missingInTrash: { nr: number; path: string }[]
}

export interface SweepParts {
  database: Database
  storage: Storage
  now: () => number
  /** Without it nobody is ever at work on a backup, as in tests of other things. */
  coordination?: Pick<Coordination, 'isHeld'>
}

export async function sweep(parts: SweepParts, olderThan = SWEEP_AGE): Promise<SweepReport> {
  await parts.storage.clearStaging(olderThan)
  const removed: string[] = []
  for await (const found of orphans(parts, olderThan)) {
    // As with the discard list: a backup under way may own what has lost its row since.
    if (found.length > 0 && (await parts.coordination?.isHeld('backup'))) continue
    for (const { name } of found) {
      await parts.storage.remove(name)
      removed.push(name)
    }
  }
  const missing = (await withoutObject(parts, 'media')).map(row => row.path)
  return { removed, missing, missingInTrash: await withoutObject(parts, 'trash') }
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
): Promise<{ nr: number; path: string }[]> {
  const missing: { nr: number; path: string }[] = []
  for (let after = 0; ; ) {
    const rows = await objectsBehind(read, table, after, BATCH)
    if (rows.length === 0) return missing
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
