/**
 * Hashes and verifies passwords with argon2id, a few at a time. The answer for an unknown name takes as long
 * as for a wrong password.
 */
import { createFairQueue } from '../../../jobs/fair-queue.ts'
import { createAttemptLimiter } from './concurrent-attempts.ts'

/** OWASP's recommendation: 19 MiB and two passes. When these options change, `DUMMY_HASH` must be remade. */
const HASH_OPTIONS = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/**
 * The hash of a discarded random password. For an unknown name, or an account without a password, the typed
 * password is checked against it, so that the answer takes as long as for any other account.
 */
export const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$GGa+a2gfSR2XNL0MStAeVX8hoEZ3CcanspydX4/1f7A$icLzPD8i7wYiTnjW2WL/wHNJCl7jCjr9rZKf/29V/nM'

/**
 * Maximum number of concurrent hash computations on a machine, but at least one per process. The computations
 * occupy threads that requests need to read files.
 */
const MAX_CONCURRENT_HASHES = 2
/**
 * Maximum number of attempts in progress in one process, including waiting ones. Further ones are refused
 * before the login lock counts them.
 */
const ATTEMPT_LIMITS = { perNetwork: 10, total: 64 }

export interface Argon {
  hash(password: string, cost: typeof HASH_OPTIONS): Promise<string>
  verify(password: string, hash: string): Promise<boolean>
}

export interface PasswordHasher {
  hash(password: string): Promise<string>
  /**
   * If `hash` is null because the name is unknown or the account has no password, resolves with false after
   * the same work as otherwise.
   */
  verify(password: string, hash: string | null): Promise<boolean>
}

export type Passwords = ReturnType<typeof createPasswords>

/**
 * The network under which computations that need no admission are queued: those of operators, of commands,
 * and of the start of the service.
 */
const OPERATOR_NETWORK = ''

/**
 * `workerCount` is the number of processes on this machine. They share `MAX_CONCURRENT_HASHES`, but each may
 * always run one computation.
 */
export function createPasswords(argon: Argon, workerCount = 1) {
  const maxRunning = Math.max(1, Math.floor(MAX_CONCURRENT_HASHES / workerCount))
  const slotQueue = createFairQueue<() => void>()
  let runningCount = 0
  const admitAttempt = createAttemptLimiter(ATTEMPT_LIMITS)

  async function runInSlot<T>(network: string, compute: () => Promise<T>): Promise<T> {
    if (runningCount >= maxRunning) await new Promise<void>(resolve => slotQueue.add(network, resolve))
    else runningCount++
    try {
      return await compute()
    } finally {
      // Starts the next waiting computation at once, so that a new one cannot overtake it.
      const nextWaiting = slotQueue.take(() => true)
      if (nextWaiting) nextWaiting.item()
      else runningCount--
    }
  }

  const hasherFor = (network: string): PasswordHasher => ({
    hash: password => runInSlot(network, () => argon.hash(normalizePassword(password), HASH_OPTIONS)),
    verify: (password, hash) =>
      runInSlot(network, async () => {
        const isCorrect = await argon.verify(normalizePassword(password), hash ?? DUMMY_HASH)
        return isCorrect && hash !== null
      }),
  })

  return {
    ...hasherFor(OPERATOR_NETWORK),
    /**
     * Runs a task that hashes or verifies passwords; networks are served round-robin. Rejects with 429 if too
     * many such tasks are in progress, from the network of the client or in total.
     */
    admit: <T>(client: string, task: (hasher: PasswordHasher) => Promise<T>): Promise<T> =>
      admitAttempt(client, network => task(hasherFor(network))),
  }
}

/** Unicode NFC, because one keyboard sends “ü” as one character and another as two. */
const normalizePassword = (password: string) => password.normalize('NFC')
