/** The two scopes of the dashboard. Both look at the cookie or at nobody; no token counts in either. */

import type { Session } from '../../access/callers.ts'
import { SESSION_COOKIE } from '../../contract/session.ts'
import { cookieValues } from '../../http/cookies.ts'
import type { Scope } from '../../http/routes.ts'
import { refuseOtherSites } from '../../http/site.ts'
import type { Settings } from '../settings/settings.ts'
import type { Sessions } from './sessions.ts'

/** Signed in: 401 for everybody else, before anything is said about the request itself. */
export function sessionScope({
  sessions,
  settings,
}: {
  sessions: Sessions
  settings: Settings
}): Scope<Session> {
  return async request => {
    const session = await sessions.authenticate(cookieValues(request, SESSION_COOKIE))
    refuseOtherSites(request, settings.current().PUBLIC_URL)
    return session
  }
}

/** Signing in and setting up: for everybody, but not on behalf of another site. */
export function visitorScope(settings: Settings): Scope<null> {
  return request => {
    refuseOtherSites(request, settings.current().PUBLIC_URL)
    return null
  }
}
