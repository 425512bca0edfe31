/**
 * Puts files into the new index, one at a time, and decides which object wins when two claim the same place.
 */
import type { Queries } from '../../database/database.ts'
import { isRelocated } from '../../storage/names.ts'
import { isDerivable } from '../previews/derive.ts'
import { type Candidate, isLater, rowOf } from './candidates.ts'

/** Two objects claimed the same place: `kept` has the entry, `left` stays in the store without an entry. */
export interface Rivalry {
  path: string
  kept: string
  left: string
}

const DELETED_BY = 'unbekannt'

/** Returns one rivalry for each object that had to give way; the candidate itself may be such an object. */
export const place = (tx: Queries, candidate: Candidate, now: number): Promise<Rivalry[]> =>
  candidate.trashNr === undefined ? placeInLibrary(tx, candidate) : placeInTrash(tx, candidate, now)

async function placeInLibrary(tx: Queries, candidate: Candidate): Promise<Rivalry[]> {
  const rivals = await tx
    .selectFrom('media')
    .select(['nr', 'object', 'path', 'updated_at'])
    .where(({ or, eb }) => or([eb('id', '=', candidate.id), eb('path', '=', candidate.path)]))
    .execute()
  const stronger = rivals.find(rival => !isLater(candidate, { ...rival, writtenAt: rival.updated_at }))
  if (stronger) return rivalry(candidate, stronger.object, candidate.object)
  for (const { nr } of rivals) await tx.deleteFrom('media').where('nr', '=', nr).execute()
  const row = rowOf(candidate)
  await tx
    .insertInto('media')
    .values({ ...row, derived: isDerivable(row.mime) ? 'pending' : 'done' })
    .execute()
  return rivals.flatMap(({ object }) => rivalry(candidate, candidate.object, object))
}

async function placeInTrash(tx: Queries, candidate: Candidate, now: number): Promise<Rivalry[]> {
  const alive = await tx
    .selectFrom('media')
    .select(['nr', 'object'])
    .where('id', '=', candidate.id)
    .executeTakeFirst()
  // The file lies in the library and in the trash at once: it was on its way into the trash or out of it. A
  // file that comes out of the trash gets a marked name. When in doubt, the file counts as present in the
  // library rather than as deleted.
  if (alive && isRelocated(alive.object)) return rivalry(candidate, alive.object, candidate.object)
  if (alive) await tx.deleteFrom('media').where('nr', '=', alive.nr).execute()
  const twin = await tx
    .selectFrom('trash')
    .select(['nr', 'object'])
    .where('id', '=', candidate.id)
    .executeTakeFirst()
  if (twin) return rivalry(candidate, twin.object, candidate.object)
  const taken = await tx
    .selectFrom('trash')
    .select('nr')
    .where('nr', '=', candidate.trashNr!)
    .executeTakeFirst()
  const [width, height, duration, retrieved_at] = [null, null, null, null]
  await tx
    .insertInto('trash')
    .values({
      ...rowOf(candidate),
      ...{ width, height, duration, retrieved_at, retrievals: 0, media_nr: null },
      ...(!taken && { nr: candidate.trashNr! }),
      // The time when the object got its name in the trash, not the time of its bytes: the bytes may be years
      // old, and the file would be cleaned up at once.
      deleted_at: Math.min(candidate.changedAt, now),
      deleted_by: DELETED_BY,
    })
    .execute()
  return alive ? rivalry(candidate, candidate.object, alive.object) : []
}

/**
 * Empty when both objects are the same: a run that continues after an interruption meets objects that it has
 * already placed.
 */
function rivalry({ path }: Candidate, kept: string, left: string): Rivalry[] {
  return kept === left ? [] : [{ path, kept, left }]
}
