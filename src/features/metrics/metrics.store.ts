/**
 * Reads the lengths of the queues in the database: derived files to make, objects to discard or to relocate,
 * messages to send.
 */
import { countRows } from '../../database/count-rows.ts'
import type { Database } from '../../database/database.ts'
import { NOT_IN_TRASH_FOLDER } from '../media/rows-to-relocate.ts'

/** Reads through `slowRead`, so that slow queries do not delay other reads. */
export async function readQueueLengths({ slowRead }: Database) {
  const [underivedFiles, discards, renamedFiles, trashedFiles, messages] = await Promise.all([
    countRows(slowRead.selectFrom('media').where('derived', '=', 'pending')),
    countRows(slowRead.selectFrom('discard')),
    countRows(slowRead.selectFrom('relocation')),
    countRows(slowRead.selectFrom('trash').where(NOT_IN_TRASH_FOLDER)),
    countRows(slowRead.selectFrom('message')),
  ])
  return { derived: underivedFiles, discards, relocations: renamedFiles + trashedFiles, messages }
}
