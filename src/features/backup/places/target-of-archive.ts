/** Finds the target that has a requested archive, or the one that has the newest archive. */
import type { NewId } from '../../../base/ids.ts'
import type { Storage } from '../../../storage/storage.ts'
import { newestFirst } from '../archive/archive-name.ts'
import { type BucketTarget, isBucketName } from '../bucket/bucket-target.ts'
import { createFolderPlace } from './folder-place.ts'
import type { Place } from './place.ts'
import type { ListArchives } from './place-inspector.ts'
import { type TargetNames, targetNamesOf } from './targets.ts'

interface ArchiveTargetParts {
  targets: TargetNames
  listArchives: ListArchives
  storage: Pick<Storage, 'scratch'>
  newId: NewId
  now: () => number
}

/** A current target that has this archive; null if none has it. */
export async function placeOfArchive(parts: ArchiveTargetParts, name: string): Promise<Place | null> {
  const { storage, newId, now } = parts
  const targets = parts.targets.current()
  for (const targetName of targetNamesOf(targets)) {
    // Only the name of a listed archive becomes part of a path, so that no request can read files outside
    // the folder.
    const hasArchive = (await parts.listArchives(targetName))?.some(archive => archive.name === name)
    if (!hasArchive) continue
    if (!isBucketName(targetName)) return createFolderPlace(targetName, newId)
    const { openBucketPlace } = await import('../bucket/bucket-place.ts')
    return openBucketPlace({
      target: targets.bucket!,
      scratch: storage.scratch,
      newId,
      now,
      createKey: false,
    })
  }
  return null
}

/**
 * The current target with the newest archive, and the names of its archives, newest first. Null if no target
 * has an archive.
 */
export async function targetWithNewestArchive(
  parts: Pick<ArchiveTargetParts, 'targets' | 'listArchives'>,
): Promise<{ place: string | BucketTarget; names: string[] } | null> {
  const targets = parts.targets.current()
  const listings = await Promise.all(
    targetNamesOf(targets).map(async targetName => ({
      targetName,
      archives: (await parts.listArchives(targetName)) ?? [],
    })),
  )
  const [newestListing] = listings
    .filter(({ archives }) => archives.length > 0)
    .sort((a, b) => newestFirst(a.archives[0]!, b.archives[0]!))
  if (!newestListing) return null
  const { targetName, archives } = newestListing
  return {
    place: isBucketName(targetName) ? targets.bucket! : targetName,
    names: archives.map(({ name }) => name),
  }
}
