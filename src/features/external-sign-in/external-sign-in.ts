/**
 * Sign-in with external providers: sends the browser to the provider, and decides who is admitted when the
 * browser returns.
 */
import * as oauth from 'oauth4webapi'
import type { ProviderId } from '../../contract/accounts/external.ts'
import { SECOND } from '../../contract/values/units.ts'
import { Failure, failure } from '../../errors/errors.ts'
import type { Visitor } from '../../http/access/callers.ts'
import type { FeatureParts } from '../feature.ts'
import type { Sessions } from '../session/sessions.ts'
import { createAttemptLimiter } from '../session/sign-in/concurrent-attempts.ts'
import { accountNameOf, createExternalAccounts } from './external-accounts.ts'
import type { PendingSignIn } from './pending-sign-in.ts'
import { type Identity, matchingRuleIndex, type Provider } from './provider.ts'

/**
 * Maximum milliseconds for all requests to the provider that are needed to answer one request of a browser.
 */
const PROVIDER_TIMEOUT = 10 * SECOND

/**
 * Maximum number of sign-ins that wait for a provider at the same time in this process, for each network of
 * clients and in total. They are counted separately from sign-ins with a password, so that a provider that
 * hangs does not block those.
 */
const WAITING_LIMITS = { perNetwork: 10, total: 64 }

/** Claims of the protocol itself, which are useless in a rule. A trial does not show them. */
const TECHNICAL_CLAIMS = new Set(['nonce', 'at_hash', 'c_hash', 's_hash', 'jti', 'sid', 'exp', 'iat', 'nbf'])

interface ExternalSignInParts extends Pick<FeatureParts, 'database' | 'newId' | 'now' | 'log'> {
  sessions: Sessions
  /** The provider with this id; null if it is unknown or not configured. */
  providerOf(id: string): Provider | null
}

export type ExternalSignIn = ReturnType<typeof createExternalSignIn>

export function createExternalSignIn(parts: ExternalSignInParts) {
  const { now, log } = parts
  const accounts = createExternalAccounts(parts)
  const admit = createAttemptLimiter(WAITING_LIMITS)

  function findProvider(id: string): Provider {
    const provider = parts.providerOf(id)
    if (!provider) throw failure.providerAbsent()
    return provider
  }

  async function identify(
    returnQuery: URLSearchParams,
    pendingSignIn: PendingSignIn,
    { clientNetwork }: Pick<Visitor, 'clientNetwork'>,
  ) {
    const { provider: providerId } = pendingSignIn
    const provider = findProvider(providerId)
    try {
      const deadline = AbortSignal.timeout(PROVIDER_TIMEOUT)
      const identity = await admit(clientNetwork, () =>
        provider.identify(returnQuery, pendingSignIn, deadline),
      )
      const ruleIndex = matchingRuleIndex(provider, identity)
      return { provider, identity, ruleIndex, rights: provider.rules[ruleIndex]?.rights ?? null }
    } catch (error) {
      // Failures with status 500 and above are logged by the code that sends the answer.
      if (error instanceof Failure && error.status < 500)
        log.warn('sign-in elsewhere refused', { provider: providerId, code: error.code, cause: error.cause })
      throw error
    }
  }

  return {
    async begin(
      id: ProviderId,
      { clientNetwork }: Pick<Visitor, 'clientNetwork'>,
      { isTrial, returnTo }: Pick<PendingSignIn, 'isTrial' | 'returnTo'>,
    ) {
      const provider = findProvider(id)
      const pendingSignIn: PendingSignIn = {
        provider: id,
        state: oauth.generateRandomState(),
        nonce: oauth.generateRandomNonce(),
        verifier: oauth.generateRandomCodeVerifier(),
        begunAt: now(),
        isTrial,
        returnTo,
      }
      const deadline = AbortSignal.timeout(PROVIDER_TIMEOUT)
      return {
        pendingSignIn,
        address: await admit(clientNetwork, () => provider.createAuthorizationUrl(pendingSignIn, deadline)),
      }
    },

    /**
     * Begins a session for the person who has signed in at the provider. Rejects with 403 if no rule matches;
     * an existing account of the person then also loses its sessions and the invitations that it has issued.
     */
    async complete(returnQuery: URLSearchParams, pendingSignIn: PendingSignIn, visitor: Visitor) {
      const { provider, identity, rights } = await identify(returnQuery, pendingSignIn, visitor)
      const session = await accounts.beginSession(provider.origin, identity, {
        rights,
        pending: pendingSignIn,
        device: visitor.device,
      })
      if (!session) throw failure.externalUnmatched()
      return session
    },

    /** Runs a trial, which changes nothing: shows an operator which rule would match. */
    async runTrial(
      returnQuery: URLSearchParams,
      pendingSignIn: PendingSignIn,
      visitor: Pick<Visitor, 'clientNetwork'>,
    ) {
      const { identity, ruleIndex, rights } = await identify(returnQuery, pendingSignIn, visitor)
      return {
        name: identity.names.map(accountNameOf).find(name => name !== null) ?? identity.subject,
        claims: shownClaims(identity),
        ruleNumber: ruleIndex < 0 ? null : ruleIndex + 1,
        rights,
      }
    },
  }
}

const shownClaims = ({ claims }: Identity) =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => !TECHNICAL_CLAIMS.has(name)))
