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
import { createAdmission } from '../session/admission.ts'
import type { Sessions } from '../session/sessions.ts'
import { createExternalAccounts, shownName } from './external-accounts.ts'
import type { PendingSignIn } from './pending.ts'
import { type Identity, matchingRule, type Provider } from './provider.ts'

/** Milliseconds for all requests to the provider within one step. */
const PROVIDER_TIME = 10 * SECOND

/**
 * Maximum number of sign-ins that wait for a provider at the same time, so that a provider that hangs cannot
 * block all other sign-ins.
 */
const WAITING = { perNetwork: 10, inAll: 64 }

/** Claims of the protocol itself, which are useless in a rule. */
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
  const admit = createAdmission(WAITING)

  function provider(id: string): Provider {
    const found = parts.providerOf(id)
    if (!found) throw failure.providerAbsent()
    return found
  }

  async function identify(
    answer: URLSearchParams,
    pending: PendingSignIn,
    { client }: Pick<Visitor, 'client'>,
  ) {
    const { provider: id } = pending
    const at = provider(id)
    try {
      const time = AbortSignal.timeout(PROVIDER_TIME)
      const identity = await admit(client, () => at.identify(answer, pending, time))
      const rule = matchingRule(at, identity)
      return { at, identity, rule, rights: at.rules[rule]?.rights ?? null }
    } catch (error) {
      // Errors with status 500 and above are logged where the answer is sent.
      if (error instanceof Failure && error.status < 500)
        log.warn('sign-in elsewhere refused', { provider: id, code: error.code, cause: error.cause })
      throw error
    }
  }

  return {
    async begin(
      id: ProviderId,
      { client }: Pick<Visitor, 'client'>,
      { isTrial, returnTo }: Pick<PendingSignIn, 'isTrial' | 'returnTo'>,
    ) {
      const at = provider(id)
      const pending: PendingSignIn = {
        provider: id,
        state: oauth.generateRandomState(),
        nonce: oauth.generateRandomNonce(),
        verifier: oauth.generateRandomCodeVerifier(),
        begunAt: now(),
        ...{ isTrial, returnTo },
      }
      const time = AbortSignal.timeout(PROVIDER_TIME)
      return { pending, address: await admit(client, () => at.authorization(pending, time)) }
    },

    /** Rejects with 403 if no rule matches; the account then also loses its sessions. */
    async complete(answer: URLSearchParams, pending: PendingSignIn, visitor: Visitor) {
      const { at, identity, rights } = await identify(answer, pending, visitor)
      const begun = await accounts.enter(at.origin, identity, {
        ...{ rights, pending, device: visitor.device },
      })
      if (!begun) throw failure.externalUnmatched()
      return begun
    },

    /** A trial, which changes nothing: shows an operator which rule would match. */
    async try(answer: URLSearchParams, pending: PendingSignIn, visitor: Pick<Visitor, 'client'>) {
      const { identity, rule, rights } = await identify(answer, pending, visitor)
      return {
        name: identity.names.map(shownName).find(name => name !== null) ?? identity.subject,
        claims: shownClaims(identity),
        rule: rule < 0 ? null : rule + 1,
        rights,
      }
    },
  }
}

const shownClaims = ({ claims }: Identity) =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => !TECHNICAL_CLAIMS.has(name)))
