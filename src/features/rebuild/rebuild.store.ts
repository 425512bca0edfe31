/**
 * Inserts rows for the stored objects into the new database, one by one, and decides which object wins if two
 * claim the same path or content id.
 */
import type { Insertable } from 'kysely'
import type { Queries } from '../../database/database.ts'
import type { TrashTable } from '../../database/schema.ts'
import { isRelocated } from '../../storage/names.ts'
import { findByPath } from '../media/media.store.ts'
import { isDerivable } from '../previews/derive.ts'
import { type Candidate, isLater, rowOfCandidate } from './candidates.ts'

/**
 * Two objects that claimed the same path or content id. `fundus rebuild --json` prints these fields, so their
 * names stay.
 */
export interface Rivalry {
  path: string
  /** Name of the winner, which got the row. */
  kept: string
  /**
   * Name of the loser. It is later put into the trash if its content id differs; otherwise it stays in the
   * store without a row.
   */
  left: string
}

const UNKNOWN_DELETER = 'unbekannt'

/**
 * Inserts a row for the candidate, unless an object that already has a row wins against it. Returns one
 * rivalry for each object that lost, which may be the candidate itself.
 */
export const placeFile = (tx: Queries, candidate: Candidate, now: number): Promise<Rivalry[]> =>
  candidate.trashNr === undefined ? placeInLibrary(tx, candidate) : placeInTrash(tx, candidate, now)

async function placeInLibrary(tx: Queries, candidate: Candidate): Promise<Rivalry[]> {
  const rivals = await tx
    .selectFrom('media')
    .select(['nr', 'object', 'path', 'updated_at'])
    .where(({ or, eb }) => or([eb('id', '=', candidate.id), eb('path', '=', candidate.path)]))
    .execute()
  const winner = rivals.find(rival => !isLater(candidate, { ...rival, writtenAt: rival.updated_at }))
  if (winner) return rivalriesBetween(candidate, winner.object, candidate.object)
  for (const { nr } of rivals) await tx.deleteFrom('media').where('nr', '=', nr).execute()
  const row = rowOfCandidate(candidate)
  await tx
    .insertInto('media')
    .values({ ...row, derived: isDerivable(row.mime) ? 'pending' : 'done' })
    .execute()
  return rivals.flatMap(({ object }) => rivalriesBetween(candidate, candidate.object, object))
}

async function placeInTrash(tx: Queries, candidate: Candidate, now: number): Promise<Rivalry[]> {
  const libraryRow = await tx
    .selectFrom('media')
    .select(['nr', 'object'])
    .where('id', '=', candidate.id)
    .executeTakeFirst()
  // The content is in the library and in the trash: a move into or out of the trash was interrupted. A file
  // that leaves the trash gets a name with a mark, and so does a renamed file. If the name in the library has
  // a mark, either may be the case, and the file counts as present rather than deleted.
  if (libraryRow && isRelocated(libraryRow.object))
    return rivalriesBetween(candidate, libraryRow.object, candidate.object)
  if (libraryRow) await tx.deleteFrom('media').where('nr', '=', libraryRow.nr).execute()
  const trashRow = await tx
    .selectFrom('trash')
    .select(['nr', 'object'])
    .where('id', '=', candidate.id)
    .executeTakeFirst()
  if (trashRow) return rivalriesBetween(candidate, trashRow.object, candidate.object)
  const entryWithNumber = await tx
    .selectFrom('trash')
    .select('nr')
    .where('nr', '=', candidate.trashNr!)
    .executeTakeFirst()
  const fileAtPath = await findByPath(tx, candidate.path)
  await insertIntoTrash(tx, candidate, {
    ...(!entryWithNumber && { nr: candidate.trashNr! }),
    // This is the time at which the object got its name in the trash. The bytes may have been written years
    // ago; with the time of writing, the file would be removed from the trash immediately.
    deleted_at: Math.min(candidate.changedAt, now),
    removal_reason: fileAtPath ? 'ueberschrieben' : 'geloescht',
  })
  return libraryRow ? rivalriesBetween(candidate, candidate.object, libraryRow.object) : []
}

/**
 * Puts content that has no row into the trash. Other content has the path now, so this content was about to
 * be moved to the trash or removed. It stays in the trash for the full period, because nobody knows when it
 * was replaced.
 */
export async function placeReplacedInTrash(tx: Queries, candidate: Candidate, now: number): Promise<void> {
  const trashRow = await tx.selectFrom('trash').select('nr').where('id', '=', candidate.id).executeTakeFirst()
  if (!trashRow) await insertIntoTrash(tx, candidate, { deleted_at: now, removal_reason: 'ueberschrieben' })
}

async function insertIntoTrash(
  tx: Queries,
  candidate: Candidate,
  entry: Pick<Insertable<TrashTable>, 'nr' | 'deleted_at' | 'removal_reason'>,
): Promise<void> {
  await tx
    .insertInto('trash')
    .values({
      ...rowOfCandidate(candidate),
      width: null,
      height: null,
      duration: null,
      retrieved_at: null,
      retrievals: 0,
      media_nr: null,
      deleted_by: UNKNOWN_DELETER,
      ...entry,
    })
    .execute()
}

/**
 * Returns a list with the rivalry of two objects. The list is empty if they are the same object, because a
 * resumed run finds objects that it has placed already.
 */
function rivalriesBetween({ path }: Candidate, winner: string, loser: string): Rivalry[] {
  return winner === loser ? [] : [{ path, kept: winner, left: loser }]
}
