/** Puts files into the new index, one at a time; what stands in each other's way is decided here. */
import type { Queries } from '../../database/database.ts'
import { isRelocated } from '../../storage/names.ts'
import { type Candidate, derivedStateOf, isLater, rowOf } from './candidates.ts'

/** Two objects claimed the same place; `left` stays in the store without an entry. */
export interface Rivalry {
  path: string
  kept: string
  left: string
}

const DELETED_BY = 'unbekannt'

/** Answers the objects that had to give way, this one perhaps among them. */
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
  await tx
    .insertInto('media')
    .values({ ...rowOf(candidate), derived: derivedStateOf(candidate) })
    .execute()
  return rivals.flatMap(({ object }) => rivalry(candidate, candidate.object, object))
}

async function placeInTrash(tx: Queries, candidate: Candidate, now: number): Promise<Rivalry[]> {
  const alive = await tx
    .selectFrom('media')
    .select(['nr', 'object'])
    .where('id', '=', candidate.id)
    .executeTakeFirst()
  // Both names at once: on its way into the trash, or out of it. Out of it a file comes under a marked name; when in
  // doubt it is there rather than gone.
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
      // When it got its name in the trash. Its bytes may be years old, and would be cleaned up at once.
      deleted_at: Math.min(candidate.changedAt, now),
      deleted_by: DELETED_BY,
    })
    .execute()
  return alive ? rivalry(candidate, candidate.object, alive.object) : []
}

/** A run that goes on after an interruption meets what it has placed already. */
function rivalry({ path }: Candidate, kept: string, left: string): Rivalry[] {
  return kept === left ? [] : [{ path, kept, left }]
}
