/**
 * The two scopes of dashboard routes, which decide who may call a route: with a session cookie, and without.
 * Neither accepts a token.
 */

import { hasRole } from '../../contract/accounts/roles.ts'
import { SESSION_COOKIE } from '../../contract/accounts/session.ts'
import { failure } from '../../errors/errors.ts'
import type { SignedInCaller, Visitor } from '../../http/access/callers.ts'
import { type FindClientAddress, networkOf, type PeerAddresses } from '../../http/access/client-address.ts'
import { refuseCrossSiteRequest } from '../../http/access/cross-site.ts'
import type { SessionRoute } from '../../http/route-rights.ts'
import type { RouteScope } from '../../http/routes.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'
import type { Settings } from '../settings/settings.ts'
import type { Factors } from './factors/factors.ts'
import type { Sessions } from './sessions.ts'

/** Maximum number of characters of a `User-Agent` that are kept; browsers send about 120. */
const MAX_USER_AGENT_LENGTH = 256

interface VisitorScopeParts {
  settings: Settings
  clientAddress: FindClientAddress
}

/**
 * The scope of routes that need a session. A request without a valid session gets 401, before any other
 * error. Requests from pages of other sites are refused, except with the methods GET, HEAD and OPTIONS.
 */
export function sessionScope(parts: VisitorScopeParts & { sessions: Sessions }): RouteScope<SignedInCaller> {
  const { sessions, settings, clientAddress } = parts
  return async (request, peers) => {
    const visitor = visitorOf(request, clientAddress, peers)
    const session = await sessions.authenticate(cookieValues(request, SESSION_COOKIE), visitor.device)
    refuseCrossSiteRequest(request, settings.current().PUBLIC_URL)
    return { ...session, ...visitor, actor: { account: session.account.name } }
  }
}

type RequiredRights = Pick<SessionRoute, 'role' | 'needsFactor'>

/**
 * Extends `scope` by a check of the role and, unless `needsFactor` is false, of the second factor that the
 * account must have. Accounts without them get 403, before the body is read.
 */
export function withRightsCheck(
  scope: RouteScope<SignedInCaller>,
  route: RequiredRights,
  factors: Factors,
): RouteScope<SignedInCaller> {
  return async (request, peers) => {
    const caller = await scope(request, peers)
    if (!hasRole(caller.account.role, route.role)) throw failure.roleForbidden()
    if ((route.needsFactor ?? true) && (await factors.areMissing(caller.account)))
      throw failure.factorRequired()
    return caller
  }
}

/**
 * The scope of routes that need no session, such as the login: open to all. Requests from pages of other
 * sites are refused, except with the methods GET, HEAD and OPTIONS.
 */
export function visitorScope({ settings, clientAddress }: VisitorScopeParts): RouteScope<Visitor> {
  return (request, peers) => {
    refuseCrossSiteRequest(request, settings.current().PUBLIC_URL)
    return visitorOf(request, clientAddress, peers)
  }
}

function visitorOf(
  request: IncomingRequest,
  clientAddress: FindClientAddress,
  peers: PeerAddresses,
): Visitor {
  const address = clientAddress(request, peers)
  const program = request.headers.get('User-Agent')?.slice(0, MAX_USER_AGENT_LENGTH) || null
  return { clientNetwork: networkOf(address), device: { address, program } }
}

/**
 * All values of the cookies with this name: a request can contain several, which were set for different hosts
 * and paths.
 */
export function cookieValues(request: IncomingRequest, name: string): string[] {
  const cookiePairs = (request.headers.get('Cookie') ?? '').split(';').map(pair => pair.trim())
  return cookiePairs.filter(pair => pair.startsWith(`${name}=`)).map(pair => pair.slice(name.length + 1))
}
