/** How much waits to be done, by whichever process. */
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { NOT_IN_STORE } from '../media/following.ts'

export interface QueueLengths {
  derived: number
  discards: number
  relocations: number
}

/** Aside, where counting may take its time: nobody waits for a figure. */
export async function queueLengths({ browse }: Database): Promise<QueueLengths> {
  const [derived, discards, renamed, thrownAway] = await Promise.all([
    browse.selectFrom('media').select(count).where('derived', '=', 'pending').executeTakeFirstOrThrow(),
    browse.selectFrom('discard').select(count).executeTakeFirstOrThrow(),
    browse.selectFrom('relocation').select(count).executeTakeFirstOrThrow(),
    browse.selectFrom('trash').select(count).where(NOT_IN_STORE).executeTakeFirstOrThrow(),
  ])
  return {
    derived: Number(derived.count),
    discards: Number(discards.count),
    relocations: Number(renamed.count) + Number(thrownAway.count),
  }
}

const count = sql<number>`count(*)`.as('count')
