/** The two scopes of the dashboard. They look at the session cookie or at nothing; no token counts in either. */
import type { SignedIn, Visitor } from '../../access/callers.ts'
import { SESSION_COOKIE } from '../../contract/session.ts'
import { type ClientAddress, networkOf } from '../../http/client-address.ts'
import { cookieValues } from '../../http/cookies.ts'
import type { Scope } from '../../http/routes.ts'
import { refuseOtherSites } from '../../http/site.ts'
import type { Settings } from '../settings/settings.ts'
import type { Sessions } from './sessions.ts'

interface VisitorScopeParts {
  settings: Settings
  clientAddress: ClientAddress
}

/** Signed in: 401 for everybody else, before anything is said about the request itself. */
export function sessionScope(parts: VisitorScopeParts & { sessions: Sessions }): Scope<SignedIn> {
  const { sessions } = parts
  const visitor = visitorScope(parts)
  return async (request, peers) => {
    const session = await sessions.authenticate(cookieValues(request, SESSION_COOKIE))
    const { client } = await visitor(request, peers)
    return { ...session, client, actor: { account: session.account.name } }
  }
}

/** Signing in and setting up: for everybody, but not on behalf of another site. */
export function visitorScope({ settings, clientAddress }: VisitorScopeParts): Scope<Visitor> {
  return (request, peers) => {
    refuseOtherSites(request, settings.current().PUBLIC_URL)
    return { client: networkOf(clientAddress(request, peers)) }
  }
}
