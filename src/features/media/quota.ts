/** The quota of a token: what it holds, what an upload adds, and the refusal. */

import type { Queries } from '../../database/database.ts'
import { failure } from '../../errors/errors.ts'
import type { tokenOf } from '../../http/access/actor.ts'
import { usageOf } from '../tokens/tokens.store.ts'
import type { MediaRow } from './media.store.ts'

type Token = ReturnType<typeof tokenOf>

/** Bytes that the uploading token holds, from a running figure; 0 without a quota. */
export const heldBy = async (tx: Queries, token: Token) =>
  token && token.quota !== null ? (await usageOf(tx, token.id)).bytes : 0

/** By how much the upload changes what its token holds. Files of other tokens do not count. */
export const gainOf = (token: Token, { size }: { size: number }, earlier: MediaRow | null) =>
  size - (earlier && earlier.token_id === token?.id ? earlier.size : 0)

/**
 * Throws if the quota is exceeded. Shrinking is always allowed, even if a lowered quota is still exceeded.
 */
export function checkQuota(token: Token, held: number, gain: number): void {
  if (!token || token.quota === null || held + gain <= token.quota || gain <= 0) return
  throw failure.quotaExceeded({ held, allowed: token.quota, needed: gain })
}
