/**
 * Routes for signed-in accounts. A route declares the lowest role that may call it, and how to find the files
 * and folders that a request names. The scope checks the role before the body is read. Access to the files
 * and folders that were found is checked before the handler runs.
 */
import type { z } from 'zod'
import type { Role } from '../contract/accounts/roles.ts'
import type { SignedInCaller } from './access/callers.ts'
import { type Area, admit, allowedAreaOf, type RequestTargets } from './access/library-area.ts'
import { type Route, type RouteInput, type RouteSpec, route } from './routes.ts'

export interface SessionRoute extends Route<SignedInCaller> {
  /** The lowest role that may call the route. */
  role: Role
  /** If false, an account that must have a second factor but has not set it up yet may call the route. */
  needsFactor?: boolean
}

interface AdmittedCaller extends SignedInCaller {
  /** The part of the library that the request names: a folder, or `allowedArea` if it names none. */
  area: Area
  /** Everything that the account may see. */
  allowedArea: Area
}

type FindTargets<Query, Body> = (input: RouteInput<Query, Body>) => RequestTargets

/**
 * `targets` finds the files and folders that a request names; `nothing`: requests of this route name none. A
 * route for operators (`betreiber`) needs no `targets`, because they may access everything.
 */
type RoleAndTargets<Query, Body> =
  | { role: 'betreiber'; targets?: undefined }
  | { role: Exclude<Role, 'betreiber'>; targets: 'nothing' | FindTargets<Query, Body> }

/** Value of `targets` for routes whose address ends in the path of a file (`:pfad`). */
export const fileTarget = ({ param }: Pick<RouteInput<undefined, undefined>, 'param'>): RequestTargets => ({
  paths: [param('pfad')],
})

export function sessionRoute<
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Answer extends z.ZodType | undefined = undefined,
>(
  method: SessionRoute['method'],
  path: string,
  declaration: RoleAndTargets<Query, Body> &
    RouteSpec<AdmittedCaller, Query, Body, Answer> & { needsFactor?: false },
): SessionRoute {
  const { role, targets, needsFactor = true, handle, ...spec } = declaration
  const findTargets: FindTargets<Query, Body> = typeof targets === 'function' ? targets : () => ({})
  const plainRoute = route<SignedInCaller, Query, Body, Answer>(method, path, {
    ...(spec as Omit<RouteSpec<SignedInCaller, Query, Body, Answer>, 'handle'>),
    handle: (input, caller) => {
      const area = admit(caller.account, findTargets(input))
      return handle(input, { ...caller, area, allowedArea: allowedAreaOf(caller.account) })
    },
  })
  return { ...plainRoute, role, needsFactor }
}
