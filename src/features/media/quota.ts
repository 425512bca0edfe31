/** The quota of a token: the bytes that it holds, the bytes that an upload adds, and the check. */

import { awaitAll } from '../../database/await-all.ts'
import type { Queries } from '../../database/database.ts'
import { failure } from '../../errors/errors.ts'
import type { tokenOf } from '../../http/access/actor.ts'
import { usageOf } from '../tokens/tokens.store.ts'
import type { MediaRow } from './media.store.ts'

type Token = ReturnType<typeof tokenOf>

/** Bytes that count towards the quota of a token. */
export type QuotaUsage = number

/** Bytes that the uploading token holds, those of its unfinished uploads included; 0 without a quota. */
export async function bytesHeldBy(tx: Queries, token: Token): Promise<QuotaUsage> {
  if (!token || token.quota === null) return 0
  const [{ bytes }, announcedBytes] = await awaitAll(usageOf(tx, token.id), announcedBytesOf(tx, token.id))
  return bytes + announcedBytes
}

/** The announced bytes of the unfinished uploads of a token. */
async function announcedBytesOf(tx: Queries, tokenId: string): Promise<number> {
  const row = await tx
    .selectFrom('partial_upload')
    .select(({ fn }) => fn.sum<number | string | null>('length').as('bytes'))
    .where('token_id', '=', tokenId)
    .where('finished', '=', 0)
    .executeTakeFirst()
  return Number(row?.bytes ?? 0)
}

/** The bytes by which the upload changes what its token holds. Files of other tokens do not count. */
export const gainOf = (token: Token, { size }: { size: number }, earlierRow: MediaRow | null) =>
  size - (earlierRow && earlierRow.token_id === token?.id ? earlierRow.size : 0)

/**
 * Throws if the quota is exceeded. Shrinking is always allowed, even if a lowered quota is still exceeded.
 */
export function checkQuota(token: Token, held: QuotaUsage, gain: number): void {
  if (!token || token.quota === null || held + gain <= token.quota || gain <= 0) return
  throw failure.quotaExceeded({ held, allowed: token.quota, needed: gain })
}
