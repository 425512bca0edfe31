/** The parts behind signing in, put together. */
import type { SignedIn, Visitor } from '../../access/callers.ts'
import type { Database } from '../../database/database.ts'
import type { Route } from '../../http/routes.ts'
import type { NewId } from '../../ids.ts'
import type { Settings } from '../settings/settings.ts'
import { createAccounts } from './accounts.ts'
import { createLock } from './lock.ts'
import { createPasswords } from './passwords.ts'
import { sessionRoutes, signInRoutes } from './session.route.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createSetup } from './setup.ts'
import { createSignIn } from './sign-in.ts'

export interface SessionFeature {
  sessions: Sessions
  visitorRoutes: Route<Visitor>[]
  signedInRoutes: Route<SignedIn>[]
  /** Removes expired sessions and forgotten locks. */
  cleanUp(): Promise<void>
}

export function createSessionFeature(parts: {
  database: Database
  settings: Settings
  newId: NewId
  now: () => number
}): SessionFeature {
  const { database, settings, newId, now } = parts
  const passwords = createPasswords()
  const lock = createLock({ database, now })
  const sessions = createSessions({ database, now })
  const accounts = createAccounts({ database, passwords, lock, newId, now })
  const signIn = createSignIn({ database, passwords, lock, sessions })
  const setup = createSetup({ database, passwords, lock, sessions, newId, now })
  return {
    sessions,
    visitorRoutes: signInRoutes({ setup, signIn, settings }),
    signedInRoutes: sessionRoutes({ sessions, accounts, settings }),
    async cleanUp() {
      await sessions.removeExpired()
      await lock.forget()
    },
  }
}
