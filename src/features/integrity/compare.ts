/** Compares the stored objects with the rows in both directions; changes nothing. */
import { streamBatches } from '../../base/batches.ts'
import type { Database } from '../../database/database.ts'
import { OBJECT_ROOTS, type ParsedObjectName, parseObjectName } from '../../storage/names.ts'
import type { ListedObject, Storage } from '../../storage/storage.ts'
import type { FeatureParts } from '../feature.ts'
import { objectsOf } from '../media/media.store.ts'
import {
  findKeptIds,
  findOwners,
  findRecordedPictureSizes,
  type Owner,
  stillOwnsObject,
  unfinishedUploadObjects,
  walkOwners,
} from './owners.ts'

export type CompareParts = Pick<FeatureParts, 'database' | 'storage' | 'now'>

export interface FoundObject extends ListedObject {
  /** Null if the name does not have the format of this service. Such a foreign file is never touched. */
  parsed: ParsedObjectName | null
}

export async function* walkStore(
  storage: Storage,
  roots: readonly (typeof OBJECT_ROOTS)[number][] = OBJECT_ROOTS,
): AsyncGenerator<FoundObject> {
  for (const root of roots) {
    for await (const listedObject of storage.list(root))
      yield { ...listedObject, parsed: parseObjectName(listedObject.name) }
  }
}

/** An object whose name has the format of this service. */
export interface OwnObject extends ListedObject {
  parsed: ParsedObjectName
}
export const isOwnObject = (object: FoundObject): object is OwnObject => object.parsed !== null

/**
 * Yields, in batches, the objects without a row that have had their name for at least `minAge` milliseconds.
 * `onExamined` is called after each batch with the number of objects examined in it.
 */
export async function* walkOrphans(
  parts: CompareParts,
  minAge: number,
  onExamined: (objects: number) => void = () => {},
): AsyncGenerator<OwnObject[]> {
  for await (const objects of streamBatches(walkStore(parts.storage))) {
    const changedBefore = parts.now() - minAge
    const candidates = objects.filter(({ changedAt }) => changedAt <= changedBefore)
    yield await filterUnowned(parts.database, candidates)
    onExamined(objects.length)
  }
}

export async function filterUnowned(
  { read: db }: Database,
  objects: readonly FoundObject[],
): Promise<OwnObject[]> {
  const ownObjects = objects.filter(isOwnObject)
  const { pictureSizes = [], fileObjects = [] } = Object.groupBy(ownObjects, ({ parsed }) =>
    parsed.role === 'size' ? 'pictureSizes' : 'fileObjects',
  )
  const ownedPictureSizes = await findRecordedPictureSizes(
    db,
    pictureSizes.map(({ name }) => name),
  )
  const unownedPictureSizes = pictureSizes.filter(({ name }) => !ownedPictureSizes.has(name))
  if (fileObjects.length === 0) return unownedPictureSizes
  const ids = [...new Set(fileObjects.map(({ parsed }) => parsed.id))]
  const [owners, keptIds] = [await findOwners(db, ids), await findKeptIds(db, ids)]
  const ownedNames = new Set([...owners.flatMap(objectsOf), ...(await unfinishedUploadObjects(db))])
  // While derived files of a file are being made, or its objects are being relocated, its row does not refer
  // to all of them yet.
  const busyIds = new Set(owners.filter(owner => owner.isBusy).map(({ id }) => id))
  const unownedFileObjects = fileObjects.filter(
    ({ name, parsed: { id } }) => !ownedNames.has(name) && !busyIds.has(id) && !keptIds.has(id),
  )
  return [...unownedFileObjects, ...unownedPictureSizes]
}

/**
 * Returns the paths of the files in the library, and the numbers and paths of those in the trash, which may
 * contain several files with the same path.
 */
export const splitByPlace = (owners: readonly Owner[]) => ({
  library: owners.filter(({ place }) => place === 'media').map(({ path }) => path),
  trash: owners.filter(({ place }) => place === 'trash').map(({ nr, path }) => ({ nr, path })),
})

/**
 * Finds the files whose object is missing, those of the library first. If the signal aborts, returns those
 * found so far.
 */
export async function findOwnersWithoutObject(
  { database: { read: db }, storage }: CompareParts,
  signal?: AbortSignal,
): Promise<Owner[]> {
  const ownersWithoutObject: Owner[] = []
  if (signal?.aborted) return ownersWithoutObject
  for await (const owner of walkOwners(db)) {
    if (signal?.aborted) break
    if ((await storage.measure(owner.object)) === null && (await stillOwnsObject(db, owner)))
      ownersWithoutObject.push(owner)
  }
  return ownersWithoutObject
}
