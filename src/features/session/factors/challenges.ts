/**
 * Challenges for passkeys, and the hashes of challenges that were answered. A challenge is an encrypted
 * expiry time, so nothing is stored when it is issued. Because each may be answered only once, the hash of an
 * answered challenge is stored, at least until the challenge expires. The hash of a used `state` of an
 * external sign-in (OAuth) is stored in the same way.
 */
import { sha256 } from '../../../base/hash/sha256.ts'
import { CHALLENGE_LIFETIME } from '../../../contract/accounts/factors.ts'
import type { Queries } from '../../../database/database.ts'
import { CLOCK_MARGIN, hasDeadlinePassed } from '../../../database/deadline.ts'
import type { InstanceKey, SealPurpose } from './instance-key.ts'

type ChallengePurpose = Extract<SealPurpose, `passkey${string}`>

export type Challenges = ReturnType<typeof createChallenges>

export function createChallenges({ key, now }: { key: InstanceKey; now: () => number }) {
  return {
    /** Returns a new challenge. Browsers send its bytes back as base64url. */
    issue: async (purpose: ChallengePurpose) =>
      new Uint8Array(Buffer.from(await key.seal(purpose, String(now() + CHALLENGE_LIFETIME)), 'base64url')),

    /** Whether the challenge was issued by this instance, for this purpose, and has not expired. */
    async isValid(purpose: ChallengePurpose, challenge: string): Promise<boolean> {
      const expiresAt = Number((await key.open(purpose, challenge)) ?? 0)
      return !hasDeadlinePassed(expiresAt, now(), CHALLENGE_LIFETIME + CLOCK_MARGIN)
    },

    /** Marks a challenge as answered; false if it was answered before. */
    spend: (tx: Queries, challenge: string) => recordFirstUse(tx, challenge, now() + CHALLENGE_LIFETIME),
  }
}

/**
 * Stores the hash of a challenge, or of the `state` of an external sign-in, at least until `expiresAt`.
 * Returns false if it is stored already, because then it was used before.
 */
export async function recordFirstUse(tx: Queries, challenge: string, expiresAt: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('spent_challenge')
    .values({ hash: sha256(challenge), expires_at: expiresAt })
    .onConflict(conflict => conflict.column('hash').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Deletes the stored hashes that have expired. */
export async function deleteExpiredChallenges(tx: Queries, now: number): Promise<void> {
  await tx.deleteFrom('spent_challenge').where('expires_at', '<=', now).execute()
}
