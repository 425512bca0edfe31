/** The lengths of the queues in the database: how much work waits, for whichever process does it. */
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { NOT_IN_STORE } from '../media/following.ts'

interface QueueLengths {
  derived: number
  discards: number
  relocations: number
  messages: number
}

/** Counts through `browse`, where slow queries hold up nothing else: nobody waits for a figure. */
export async function queueLengths({ browse }: Database): Promise<QueueLengths> {
  const [derived, discards, renamed, thrownAway, messages] = await Promise.all([
    browse.selectFrom('media').select(count).where('derived', '=', 'pending').executeTakeFirstOrThrow(),
    browse.selectFrom('discard').select(count).executeTakeFirstOrThrow(),
    browse.selectFrom('relocation').select(count).executeTakeFirstOrThrow(),
    browse.selectFrom('trash').select(count).where(NOT_IN_STORE).executeTakeFirstOrThrow(),
    browse.selectFrom('message').select(count).executeTakeFirstOrThrow(),
  ])
  return {
    derived: Number(derived.count),
    discards: Number(discards.count),
    relocations: Number(renamed.count) + Number(thrownAway.count),
    messages: Number(messages.count),
  }
}

const count = sql<number>`count(*)`.as('count')
