/** Passwords: argon2id, a few computations at a time, and no difference between a wrong one and an unknown name. */
import { failure } from '../../errors.ts'
import { neighbourhoodOf } from '../../http/client-address.ts'

/** OWASP's recommendation: 19 MiB and two passes. Whoever changes it makes a new `NOBODYS_HASH` too. */
const COST = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/**
 * The hash of a random password that was thrown away, at the same cost. An unknown name is checked against it, so
 * that the answer takes as long as for a known one.
 */
export const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$GGa+a2gfSR2XNL0MStAeVX8hoEZ3CcanspydX4/1f7A$icLzPD8i7wYiTnjW2WL/wHNJCl7jCjr9rZKf/29V/nM'

/** Computations at once: the rest of the machine stays with those who read files. */
const RUNNING_MAX = 2
/**
 * Attempts under way, the waiting ones included; more are sent away before they are counted. One network's bound comes
 * first and is a fraction of all: who floods the service with names fills the own places and nobody else's.
 */
export const ADMITTED_PER_NETWORK = 10
export const ADMITTED_MAX = 64

export interface Argon {
  hash(password: string, cost: typeof COST): Promise<string>
  verify(password: string, hash: string): Promise<boolean>
}

export interface Passwords {
  hash(password: string): Promise<string>
  /** `hash` null stands for an unknown name: false, after the same work. */
  verify(password: string, hash: string | null): Promise<boolean>
  /**
   * Runs something that is going to hash or verify; rejects with 429 at once when too many are at it already, from the
   * client's network or in all.
   */
  admit<T>(client: string, work: () => Promise<T>): Promise<T>
}

export function createPasswords(argon: Argon): Passwords {
  const waiting: (() => void)[] = []
  let running = 0
  const admitted = new Map<string, number>()
  let admittedInAll = 0

  async function inTurn<T>(compute: () => Promise<T>): Promise<T> {
    // Whoever ends hands the place on, so that nobody slips in between.
    if (running >= RUNNING_MAX) await new Promise<void>(resolve => waiting.push(resolve))
    else running++
    try {
      return await compute()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }

  return {
    hash: password => inTurn(() => argon.hash(composed(password), COST)),
    verify: (password, hash) =>
      inTurn(async () => {
        const right = await argon.verify(composed(password), hash ?? NOBODYS_HASH)
        return right && hash !== null
      }),
    async admit(client, work) {
      const network = neighbourhoodOf(client)
      const before = admitted.get(network) ?? 0
      if (before >= ADMITTED_PER_NETWORK || admittedInAll >= ADMITTED_MAX) throw failure.loginsCrowded()
      admitted.set(network, before + 1)
      admittedInAll++
      try {
        return await work()
      } finally {
        const left = admitted.get(network)! - 1
        if (left > 0) admitted.set(network, left)
        else admitted.delete(network)
        admittedInAll--
      }
    },
  }
}

/** One keyboard sends „ü“ as one character, another as two; it is the same password. */
const composed = (password: string) => password.normalize('NFC')
