/** What a provider is, and how its answers become rights. */
import { ownValue } from '../../contract/values/own-value.ts'
import type { Rights } from '../../http/access/area.ts'
import type { PendingSignIn } from './pending.ts'

export interface Identity {
  /** The provider's own id of the person, which never changes. */
  subject: string
  /** What the person is called there, the best name first. */
  names: readonly unknown[]
  claims: Readonly<Record<string, unknown>>
}

export interface ClaimRule {
  claim: string
  value: string
  rights: Rights
}

export interface Provider {
  /** Together with the subject it identifies a person: two providers may use the same ids. */
  origin: string
  rules: readonly ClaimRule[]
  /** The page of the provider to which the browser is sent. */
  authorization(pending: PendingSignIn, time: AbortSignal): Promise<URL>
  /** `answer`: the query with which the browser came back. Rejects unless everything about it is right. */
  identify(answer: URLSearchParams, pending: PendingSignIn, time: AbortSignal): Promise<Identity>
}

/** The number of the first rule that matches; -1: none. A claim is one value, or a list of values. */
export const matchingRule = ({ rules }: Provider, { claims }: Identity) =>
  rules.findIndex(({ claim, value }) => {
    const given = ownValue(claims, claim)
    return Array.isArray(given) ? given.includes(value) : given === value
  })
