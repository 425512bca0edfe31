/**
 * A sign-in that was begun here and is being completed at the provider. It is kept in a cookie of the browser
 * that began it, so that any process can complete it and no other browser can. The cookie is not sealed: the
 * user of the browser may read and forge it, but can harm only their own sign-in.
 */
import { z } from 'zod'
import { isSameSecret } from '../../base/hash/sha256.ts'
import { EXTERNAL_SIGN_IN_LIFETIME, PROVIDERS } from '../../contract/accounts/external.ts'
import { CLOCK_MARGIN, hasDeadlinePassed } from '../../database/deadline.ts'

const pendingSignInSchema = z.strictObject({
  provider: z.enum(PROVIDERS),
  /** Sent to the provider, which has to return it unchanged. */
  state: z.string().min(20).max(100),
  /** The signed answer of an OpenID Connect provider has to contain it. */
  nonce: z.string().min(20).max(100),
  /** PKCE (RFC 7636): the authorization code of the provider is useless without this secret. */
  verifier: z.string().min(43).max(128),
  begunAt: z.int(),
  isTrial: z.boolean(),
  /** The page of the dashboard to return to. */
  returnTo: z.string().max(2000),
})
export type PendingSignIn = z.output<typeof pendingSignInSchema>

/**
 * Browsers accept a cookie with this prefix only from exactly this host, so another subdomain cannot set one.
 */
const HOST_COOKIE_PREFIX = '__Host-'
const COOKIE_NAME = 'fundus_anmeldung'

/** The name of the cookie. Browsers accept the prefix only with https. */
export const pendingCookieName = (publicUrl: string) =>
  publicUrl.startsWith('https:') ? `${HOST_COOKIE_PREFIX}${COOKIE_NAME}` : COOKIE_NAME

export const encodePendingSignIn = (pending: PendingSignIn) =>
  Buffer.from(JSON.stringify(pending)).toString('base64url')

/**
 * The sign-in that the returned state belongs to; null if this browser did not begin it, or did so too long
 * ago.
 */
export function findPendingSignIn(
  cookies: readonly string[],
  { provider, state, now }: { provider: string; state: string; now: number },
): PendingSignIn | null {
  const ownSignIn = cookies
    .map(decodePendingSignIn)
    .find(signIn => signIn?.provider === provider && isSameSecret(signIn.state, state))
  if (!ownSignIn) return null
  const expiresAt = ownSignIn.begunAt + EXTERNAL_SIGN_IN_LIFETIME
  return hasDeadlinePassed(expiresAt, now, EXTERNAL_SIGN_IN_LIFETIME + CLOCK_MARGIN) ? null : ownSignIn
}

function decodePendingSignIn(text: string): PendingSignIn | null {
  try {
    return pendingSignInSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  } catch {
    return null
  }
}
