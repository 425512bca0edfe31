/** Signing in, second factors, sessions, accounts, invitations and the first set-up. */

import { HOUR } from '../../contract/values/units.ts'
import type { ClockWatch } from '../../jobs/clock-watch.ts'
import { COUNTER_WRITE_INTERVAL } from '../../jobs/job.ts'
import type { FeatureParts } from '../feature.ts'
import { createAccounts } from './accounts.ts'
import { factorRoutes } from './factors/factors.route.ts'
import { createFactors } from './factors/factors.ts'
import { invitationRoutes } from './invitations/invitations.route.ts'
import { createInvitations } from './invitations/invitations.ts'
import { ownSessionRoutes } from './own-sessions.route.ts'
import { sessionRoutes, signInRoutes } from './session.route.ts'
import { createSessions } from './sessions.ts'
import { createSetup } from './setup.ts'
import { createLoginLock } from './sign-in/login-lock.ts'
import type { Passwords } from './sign-in/passwords.ts'
import { createSignIn } from './sign-in/sign-in.ts'

export function createSessionFeature(
  parts: FeatureParts & { passwords: Passwords; clockWatch: Pick<ClockWatch, 'mayRemoveByAge'> },
) {
  const lock = createLoginLock(parts)
  const sessions = createSessions(parts)
  const accounts = createAccounts({ ...parts, lock })
  const factors = createFactors({ ...parts, lock, sessions })
  const signIn = createSignIn({ ...parts, ...factors, lock, sessions })
  const setup = createSetup({ ...parts, lock, sessions })
  const invitations = createInvitations({ ...parts, lock, sessions })

  /**
   * Removes expired sessions and invitations, the hashes of expired challenges, and login locks that are no
   * longer needed. Shortens sessions and invitations that would last too long. While the clock may be wrong,
   * expired sessions and invitations are kept.
   */
  async function cleanUp(): Promise<void> {
    const mayRemove = await parts.clockWatch.mayRemoveByAge()
    for (const collection of [sessions, invitations]) {
      if (mayRemove) await collection.removeExpired()
      await collection.shorten()
    }
    await lock.removeForgotten()
    await factors.removeExpiredChallenges()
  }

  return {
    sessions,
    factors,
    routes: {
      visitor: signInRoutes({ ...parts, ...factors, setup, signIn, invitations }),
      session: [
        ...sessionRoutes({ ...parts, sessions, accounts, factors }),
        ...ownSessionRoutes(sessions),
        ...factorRoutes(factors),
        ...invitationRoutes({ ...parts, invitations }),
      ],
    },
    jobs: [
      { name: 'session use', interval: COUNTER_WRITE_INTERVAL, run: sessions.flush },
      { name: 'sessions and locks', lease: 'sessions' as const, interval: HOUR, atStart: true, run: cleanUp },
    ],
  }
}
