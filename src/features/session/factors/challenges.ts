/**
 * Challenges for passkeys. Each is an encrypted expiry time, so that issuing one stores nothing. A challenge
 * is stored only when it has been answered, until it expires, because each may be answered only once.
 */
import { sha256 } from '../../../base/hash/sha256.ts'
import { CHALLENGE_LIFETIME } from '../../../contract/accounts/factors.ts'
import type { Queries } from '../../../database/database.ts'
import type { InstanceKey, SealPurpose } from './instance-key.ts'

type ChallengePurpose = Extract<SealPurpose, `passkey${string}`>

export type Challenges = ReturnType<typeof createChallenges>

export function createChallenges({ key, now }: { key: InstanceKey; now: () => number }) {
  return {
    /** A new challenge. Browsers return its bytes as base64url. */
    issue: async (purpose: ChallengePurpose) =>
      new Uint8Array(Buffer.from(await key.seal(purpose, String(now() + CHALLENGE_LIFETIME)), 'base64url')),

    /** Whether the challenge was issued by this instance and has not expired. */
    async isValid(purpose: ChallengePurpose, challenge: string): Promise<boolean> {
      const end = Number((await key.open(purpose, challenge)) ?? 0)
      return end > now() && end <= now() + CHALLENGE_LIFETIME
    },

    /** Marks a challenge as answered; false if it was answered before. */
    spend: (tx: Queries, challenge: string) => spendOnce(tx, challenge, now() + CHALLENGE_LIFETIME),
  }
}

/** Stores a challenge until it expires; false if it is stored already. */
export async function spendOnce(tx: Queries, challenge: string, end: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('spent_challenge')
    .values({ hash: sha256(challenge), expires_at: end })
    .onConflict(conflict => conflict.column('hash').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Removes challenges that have expired. */
export async function deleteExpiredChallenges(tx: Queries, now: number): Promise<void> {
  await tx.deleteFrom('spent_challenge').where('expires_at', '<=', now).execute()
}
