/** The interface of a provider, and how the claims about a person decide on their rights. */
import { ownValue } from '../../contract/values/own-value.ts'
import type { AccountRights } from '../../http/access/library-area.ts'
import type { PendingSignIn } from './pending-sign-in.ts'

export interface Identity {
  /** The provider's own id of the person, which never changes. */
  subject: string
  /** Names of the person at the provider, the preferred one first. */
  names: readonly unknown[]
  claims: Readonly<Record<string, unknown>>
}

export interface ClaimRule {
  claim: string
  value: string
  rights: AccountRights
}

export interface Provider {
  /**
   * Identifies the provider. Accounts store it with the subject, since two providers may use the same ids.
   */
  origin: string
  rules: readonly ClaimRule[]
  /** The page of the provider to which the browser is sent. */
  createAuthorizationUrl(pending: PendingSignIn, deadline: AbortSignal): Promise<URL>
  /**
   * Finds out who the person is. `returnQuery` is the query with which the browser returned from the
   * provider. Rejects if the query, or an answer of the provider, is not valid.
   */
  identify(returnQuery: URLSearchParams, pending: PendingSignIn, deadline: AbortSignal): Promise<Identity>
}

/**
 * Index of the first rule that matches; -1 if none does. A rule matches if the claim has the value of the
 * rule, or is a list that contains the value.
 */
export const matchingRuleIndex = ({ rules }: Provider, { claims }: Identity) =>
  rules.findIndex(({ claim, value }) => {
    const claimValue = isUnverifiedEmail(claim, claims) ? undefined : ownValue(claims, claim)
    return Array.isArray(claimValue) ? claimValue.includes(value) : claimValue === value
  })

/**
 * Some providers let people enter any e-mail address, so an address that is marked as unverified may belong
 * to somebody else. It matches no rule (OpenID Connect Core 1.0 §5.7).
 */
const isUnverifiedEmail = (claim: string, claims: Identity['claims']) =>
  claim === 'email' && ['false', false].includes(ownValue(claims, 'email_verified') as string | boolean)
