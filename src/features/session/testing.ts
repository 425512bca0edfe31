/**
 * For tests: the session feature on a real database, with a clock that the test sets and a cheap password
 * hash.
 */

import { newId } from '../../base/ids.ts'
import type { LoginInput, SetupInput } from '../../contract/accounts/session.ts'
import { Failure } from '../../errors/errors.ts'
import type { Visitor } from '../../http/access/callers.ts'
import { openInstance } from '../../testing/instance.ts'
import { createSettings } from '../settings/settings.ts'
import { createAccounts } from './accounts.ts'
import { createFactors } from './factors/factors.ts'
import { createInvitations } from './invitations/invitations.ts'
import { createSessions } from './sessions.ts'
import { createSetup } from './setup.ts'
import { createLoginLock } from './sign-in/login-lock.ts'
import { type Argon, createPasswords } from './sign-in/passwords.ts'
import { createSignIn } from './sign-in/sign-in.ts'

export const START = Date.UTC(2026, 0, 1)

/** Replaces argon2id. `verifiedHashes` lists every hash that a password was checked against. */
export function fakeArgon() {
  const verifiedHashes: string[] = []
  const argon: Argon = {
    hash: async password => `hash of ${password}`,
    async verify(password, hash) {
      verifiedHashes.push(hash)
      return hash === `hash of ${password}`
    },
  }
  return { argon, verifiedHashes }
}

/** The input that creates an operator. */
export const operatorInput = (benutzer: string, passwort = 'correct horse') =>
  ({ benutzer, passwort, rolle: 'betreiber', ordner: null }) as const

/** A visitor from this address. */
export const visitorAt = (address: string): Visitor => ({
  clientNetwork: address,
  device: { address, program: null },
})

export type SessionInstance = Awaited<ReturnType<typeof openSessionInstance>>

export async function openSessionInstance() {
  const instance = await openInstance()
  const { database } = instance
  const clock = { now: START }
  const now = () => clock.now
  const { argon, verifiedHashes } = fakeArgon()
  const passwords = createPasswords(argon)
  const environment = { PUBLIC_URL: 'https://fundus.example' }
  const settings = createSettings({ environment, port: 0, database })
  /** Creates the parts of one process. Each call simulates another process on the same database. */
  const createProcess = () => {
    const lock = createLoginLock({ database, now })
    const sessions = createSessions({ database, now })
    const { storage } = instance
    const factors = createFactors({ database, storage, settings, passwords, lock, sessions, newId, now })
    const signIn = createSignIn({ database, passwords, lock, sessions, settings, ...factors })
    const setup = createSetup({ database, passwords, lock, sessions, newId, now })
    return {
      ...factors,
      lock,
      sessions: {
        ...sessions,
        authenticate: (secrets: readonly string[], device = visitorAt('here').device) =>
          sessions.authenticate(secrets, device),
      },
      accounts: createAccounts({ database, passwords, lock, newId, now }),
      login: signIn,
      /** Signs in with the password alone; rejects if a code is needed too. */
      async signIn(input: LoginInput, address: string) {
        const signInResult = await signIn.withPassword(input, visitorAt(address))
        if (!('session' in signInResult)) throw new Error('a code is needed')
        return signInResult
      },
      invitations: createInvitations({ database, passwords, lock, sessions, newId, now }),
      setup: {
        ...setup,
        complete: (input: SetupInput, from: string) => setup.complete(input, visitorAt(from)),
      },
    }
  }
  return {
    ...instance,
    ...createProcess(),
    createProcess,
    clock,
    now,
    passwords,
    argon,
    verifiedHashes,
  }
}

/** The value that the promise resolves with, or the status of the failure with which it rejects. */
export async function valueOrStatus<T>(promise: Promise<T>): Promise<T | number> {
  try {
    return await promise
  } catch (error) {
    if (error instanceof Failure) return error.status
    throw error
  }
}
