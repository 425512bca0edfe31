/**
 * Hashing and verifying passwords: argon2id, only a few computations at a time, and no difference between a
 * wrong password and an unknown name.
 */
import { failure } from '../../errors/errors.ts'
import { neighbourhoodOf } from '../../http/access/client-address.ts'
import { createFairQueue } from '../../jobs/fair-queue.ts'

/**
 * OWASP's recommendation: 19 MiB and two passes. When these values change, `NOBODYS_HASH` must be made anew
 * with them.
 */
const COST = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/**
 * The hash of a random password that was thrown away, made at the same cost. The password given for an
 * unknown name is checked against this hash, so that the answer takes as long as for a known name.
 */
export const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$GGa+a2gfSR2XNL0MStAeVX8hoEZ3CcanspydX4/1f7A$icLzPD8i7wYiTnjW2WL/wHNJCl7jCjr9rZKf/29V/nM'

/**
 * Computations at once on a machine. The bound leaves the rest of the machine to requests that read files.
 */
const RUNNING_MAX = 2
/**
 * Attempts under way at the most, including those that wait for a computation. Further attempts are refused
 * before the login lock counts them. The bound for one network is a fraction of the bound for all, and is
 * reached first: a client that floods the service with names uses up the places of its own network and nobody
 * else's.
 */
const ADMITTED_PER_NETWORK = 10
const ADMITTED_MAX = 64

export interface Argon {
  hash(password: string, cost: typeof COST): Promise<string>
  verify(password: string, hash: string): Promise<boolean>
}

export interface Computations {
  hash(password: string): Promise<string>
  /** `hash` null stands for an unknown name: answers false, after the same work as for a known one. */
  verify(password: string, hash: string | null): Promise<boolean>
}

export interface Passwords extends Computations {
  /**
   * Runs work that is going to hash or verify, with the computations that it is to use: there networks take
   * turns. Rejects with 429 at once when too many such attempts are already under way, from the client's
   * network or in all.
   */
  admit<T>(client: string, work: (computations: Computations) => Promise<T>): Promise<T>
}

/** For work that nobody had to be admitted to: of people who have signed in, and of commands. */
const OURSELVES = ''

/** `workers`: how many processes of this machine share the computations out; each has at least one. */
export function createPasswords(argon: Argon, workers = 1): Passwords {
  const runningMax = Math.max(1, Math.floor(RUNNING_MAX / workers))
  const waiting = createFairQueue<() => void>()
  let running = 0
  const admitted = new Map<string, number>()
  let admittedInAll = 0

  async function inTurn<T>(network: string, compute: () => Promise<T>): Promise<T> {
    // A computation that ends hands its place to the next waiting one, so that no newcomer can slip in
    // between.
    if (running >= runningMax) await new Promise<void>(resolve => waiting.add(network, resolve))
    else running++
    try {
      return await compute()
    } finally {
      const next = waiting.take(() => true)
      if (next) next.item()
      else running--
    }
  }

  const computationsOf = (network: string): Computations => ({
    hash: password => inTurn(network, () => argon.hash(composed(password), COST)),
    verify: (password, hash) =>
      inTurn(network, async () => {
        const right = await argon.verify(composed(password), hash ?? NOBODYS_HASH)
        return right && hash !== null
      }),
  })

  return {
    ...computationsOf(OURSELVES),
    async admit(client, work) {
      const network = neighbourhoodOf(client)
      const before = admitted.get(network) ?? 0
      if (before >= ADMITTED_PER_NETWORK || admittedInAll >= ADMITTED_MAX) throw failure.loginsCrowded()
      admitted.set(network, before + 1)
      admittedInAll++
      try {
        return await work(computationsOf(network))
      } finally {
        const left = admitted.get(network)! - 1
        if (left > 0) admitted.set(network, left)
        else admitted.delete(network)
        admittedInAll--
      }
    },
  }
}

/** One keyboard sends „ü“ as one character, another sends two; both must count as the same password. */
const composed = (password: string) => password.normalize('NFC')
