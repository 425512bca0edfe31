/** The lengths of the queues in the database. */
import { countRows } from '../../database/count-rows.ts'
import type { Database } from '../../database/database.ts'
import { NOT_IN_TRASH_STORE } from '../media/following.ts'

/** Reads through `browse`, so that slow queries do not delay other reads. */
export async function readQueueLengths({ browse }: Database) {
  const [derived, discards, renamedFiles, trashedFiles, messages] = await Promise.all([
    countRows(browse.selectFrom('media').where('derived', '=', 'pending')),
    countRows(browse.selectFrom('discard')),
    countRows(browse.selectFrom('relocation')),
    countRows(browse.selectFrom('trash').where(NOT_IN_TRASH_STORE)),
    countRows(browse.selectFrom('message')),
  ])
  return { derived, discards, relocations: renamedFiles + trashedFiles, messages }
}
