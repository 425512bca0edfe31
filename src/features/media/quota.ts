/** The quota of a token: the bytes that count towards it, the bytes that an upload adds, and the check. */

import { awaitAll } from '../../database/await-all.ts'
import type { Queries } from '../../database/database.ts'
import { failure } from '../../errors/errors.ts'
import type { tokenOf } from '../../http/access/actor.ts'
import { usageOf } from '../tokens/tokens.store.ts'
import type { MediaRow } from './media.store.ts'

type OptionalToken = ReturnType<typeof tokenOf>

/** Bytes that count towards the quota of a token. */
export type QuotaUsage = number

/**
 * Bytes of the token's files, and the announced bytes of its unfinished uploads; 0 if there is no token, or
 * the token has no quota.
 */
export async function quotaUsageOf(tx: Queries, token: OptionalToken): Promise<QuotaUsage> {
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

/**
 * The number of bytes that the upload adds to those that count towards the quota of its token. A replaced
 * file is subtracted only if it belongs to the same token.
 */
export const addedBytesOf = (token: OptionalToken, { size }: { size: number }, earlierRow: MediaRow | null) =>
  size - (earlierRow && earlierRow.token_id === token?.id ? earlierRow.size : 0)

/**
 * Throws if the quota is exceeded. An upload that adds no bytes is always allowed, even if a lowered quota is
 * still exceeded.
 */
export function checkQuota(token: OptionalToken, heldBytes: QuotaUsage, addedBytes: number): void {
  if (!token || token.quota === null || heldBytes + addedBytes <= token.quota || addedBytes <= 0) return
  throw failure.quotaExceeded({ used: heldBytes, allowed: token.quota, needed: addedBytes })
}
