/** Puts files into the new index one by one, and decides which object wins if two claim the same entry. */
import type { Insertable } from 'kysely'
import type { Queries } from '../../database/database.ts'
import type { TrashTable } from '../../database/schema.ts'
import { isRelocated } from '../../storage/names.ts'
import { findByPath } from '../media/media.store.ts'
import { isDerivable } from '../previews/derive.ts'
import { type Candidate, isLater, rowOf } from './candidates.ts'

/**
 * Two objects claimed the same entry, and `kept` has it. `left` is in the trash if it is another content,
 * else it stays in the store without an entry.
 */
export interface Rivalry {
  path: string
  kept: string
  left: string
}

const DELETED_BY = 'unbekannt'

/** Returns one rivalry for each object that lost, possibly the candidate itself. */
export const placeFile = (tx: Queries, candidate: Candidate, now: number): Promise<Rivalry[]> =>
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
  // The file is in library and trash: it was on its way into or out of the trash. A file that comes out gets
  // a marked name. If in doubt, it counts as present rather than deleted.
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
  const successor = await findByPath(tx, candidate.path)
  await insertIntoTrash(tx, candidate, {
    ...(!taken && { nr: candidate.trashNr! }),
    // The time at which the object got its name in the trash. By the time of its bytes, which may be years
    // ago, the file would be removed from the trash at once.
    deleted_at: Math.min(candidate.changedAt, now),
    removal_reason: successor ? 'ueberschrieben' : 'geloescht',
  })
  return alive ? rivalry(candidate, candidate.object, alive.object) : []
}

/**
 * Puts a content without an entry into the trash. It was replaced by the content that has its path now, and
 * was about to be moved to the trash or removed. It gets the whole time in the trash, since nobody knows when
 * it was replaced.
 */
export async function placeReplaced(tx: Queries, candidate: Candidate, now: number): Promise<void> {
  const twin = await tx.selectFrom('trash').select('nr').where('id', '=', candidate.id).executeTakeFirst()
  if (!twin) await insertIntoTrash(tx, candidate, { deleted_at: now, removal_reason: 'ueberschrieben' })
}

async function insertIntoTrash(
  tx: Queries,
  candidate: Candidate,
  entry: Pick<Insertable<TrashTable>, 'nr' | 'deleted_at' | 'removal_reason'>,
): Promise<void> {
  const [width, height, duration, retrieved_at] = [null, null, null, null]
  await tx
    .insertInto('trash')
    .values({
      ...rowOf(candidate),
      ...{ width, height, duration, retrieved_at, retrievals: 0, media_nr: null },
      deleted_by: DELETED_BY,
      ...entry,
    })
    .execute()
}

/**
 * The rivalry of two objects; empty if they are the same, because a resumed run meets objects that it has
 * placed already.
 */
function rivalry({ path }: Candidate, kept: string, left: string): Rivalry[] {
  return kept === left ? [] : [{ path, kept, left }]
}
