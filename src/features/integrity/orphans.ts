/** Lists objects without a row and rows without an object. On demand, removes the objects without a row. */
import { MAX_ORPHANS_SHOWN, type OrphansAnswer } from '../../contract/service/maintenance.ts'
import { failure } from '../../errors/errors.ts'
import type { Coordination } from '../../jobs/coordination.ts'
import { SWEEP_AGE } from '../../storage/object-age.ts'
import type { Events } from '../events/events.ts'
import { findOwnersWithoutObject, splitByPlace, walkOrphans } from './compare.ts'
import { addName, emptyNameList } from './names.ts'
import { findDiscardedObjects } from './owners.ts'
import { removeOrphans, type SweepParts } from './sweep.ts'

/**
 * Minimum age of a listed object in milliseconds: the row of a younger one may be about to be written. It is
 * much less than the age for removal, because it does no harm to list an object that is about to get a row.
 */
const MIN_SHOWN_AGE = 2_000

/** Minimum number of objects between two progress events. */
const OBJECTS_PER_PROGRESS_EVENT = 5_000

export interface OrphansParts extends SweepParts {
  coordination: Coordination
  publish: Events['publish']
}

export type Orphans = ReturnType<typeof createOrphans>

export function createOrphans(parts: OrphansParts) {
  return {
    find: () => findOrphans(parts),

    /**
     * Finds orphans, and removes the objects that have no row and are old enough (none while a backup is
     * running). Rejects with 409 while a sweep is running, or if rows may be lost; then nothing is removed.
     * Rows may be lost if there are originals without a row and, in addition, the database either has no
     * files at all or is known to lack committed changes.
     */
    async cleanUp() {
      const cleanUpRun = await parts.coordination.exclusively('sweep', async signal => {
        const foundOrphans = await findOrphans(parts)
        const { removedNames, heldBackCount } = await removeOrphans(parts, {
          isRequested: true,
          signal,
        })
        if (heldBackCount > 0) throw failure.rowsLost()
        return { ...foundOrphans, entfernt: removedNames.length }
      })
      if (!cleanUpRun) throw failure.sweepRunning()
      return cleanUpRun.result
    },
  }
}

async function findOrphans(parts: OrphansParts): Promise<OrphansAnswer> {
  let [examinedCount, publishedCount] = [0, 0]
  const publishProgress = (isFinished: boolean) =>
    parts.publish({
      name: 'fortschritt',
      data: { aufgabe: 'verwaiste', erledigt: examinedCount, gesamt: null, fertig: isFinished },
    })
  const { unownedNames, bytes, youngCount } = await findUnownedObjects(parts, objects => {
    examinedCount += objects
    if (examinedCount - publishedCount < OBJECTS_PER_PROGRESS_EVENT) return
    publishedCount = examinedCount
    publishProgress(false)
  })
  const { library, trash } = splitByPlace(await findOwnersWithoutObject(parts))
  publishProgress(true)
  return {
    ohne_eintrag: unownedNames.names,
    ohne_datei: library.slice(0, MAX_ORPHANS_SHOWN),
    papierkorb_ohne_datei: trash.slice(0, MAX_ORPHANS_SHOWN),
    gesamt: {
      ohne_eintrag: unownedNames.count,
      ohne_datei: library.length,
      papierkorb_ohne_datei: trash.length,
    },
    bytes,
    entfernt: 0,
    zu_jung: youngCount,
  }
}

/**
 * Finds the objects without a row that are not on the discard list. `youngCount` of them are too young to be
 * removed.
 */
async function findUnownedObjects(parts: OrphansParts, onExamined: (objects: number) => void) {
  const unownedNames = emptyNameList()
  let [bytes, youngCount] = [0, 0]
  const removableBefore = parts.now() - SWEEP_AGE
  for await (const foundObjects of walkOrphans(parts, MIN_SHOWN_AGE, onExamined)) {
    const names = foundObjects.map(({ name }) => name)
    const discardedNames = await findDiscardedObjects(parts.database.read, names)
    for (const { name, size, changedAt } of foundObjects) {
      if (discardedNames.has(name)) continue
      // An object that was removed after it was listed is no longer on the discard list. So the existence of
      // each object whose name is shown is checked.
      if (unownedNames.count < MAX_ORPHANS_SHOWN && (await parts.storage.measure(name)) === null) continue
      addName(unownedNames, name, MAX_ORPHANS_SHOWN)
      bytes += size
      if (changedAt > removableBefore) youngCount++
    }
  }
  return { unownedNames, bytes, youngCount }
}
