/**
 * Routes for signed-in accounts. A route declares the least role, and which files and folders a request
 * names. The scope checks the role before the body is read; the names are checked before the handler runs, so
 * that no handler has to check them.
 */
import type { z } from 'zod'
import type { Role } from '../contract/accounts/roles.ts'
import { type Area, admit, type Named, reachOf } from './access/area.ts'
import type { SignedIn } from './access/callers.ts'
import { type Route, type RouteInput, type RouteSpec, route } from './routes.ts'

export interface SessionRoute extends Route<SignedIn> {
  /** The least role that may call the route. */
  role: Role
  /** If false, an account that must have a second factor and has none yet may call the route. */
  needsFactor?: boolean
}

interface Admitted extends SignedIn {
  /** The part of the library that the request concerns: below the folder that it names, otherwise `reach`. */
  area: Area
  /** Everything that the account may see. */
  reach: Area
}

type Names<Query, Body> = (input: RouteInput<Query, Body>) => Named

/** An operator has no limits, so a route for operators need not declare names. */
type Declared<Query, Body> =
  | { role: 'betreiber'; names?: undefined }
  | { role: Exclude<Role, 'betreiber'>; names: 'nothing' | Names<Query, Body> }

/** The names of a request whose path ends in the path of a file. */
export const namesFile = ({ param }: Pick<RouteInput<undefined, undefined>, 'param'>): Named => ({
  paths: [param('pfad')],
})

export function sessionRoute<
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Answer extends z.ZodType | undefined = undefined,
>(
  method: SessionRoute['method'],
  path: string,
  declared: Declared<Query, Body> & RouteSpec<Admitted, Query, Body, Answer> & { needsFactor?: false },
): SessionRoute {
  const { role, names, needsFactor = true, handle, ...spec } = declared
  const named: Names<Query, Body> = typeof names === 'function' ? names : () => ({})
  const inner = route<SignedIn, Query, Body, Answer>(method, path, {
    ...(spec as Omit<RouteSpec<SignedIn, Query, Body, Answer>, 'handle'>),
    handle: (input, caller) => {
      const area = admit(caller.account, named(input))
      return handle(input, { ...caller, area, reach: reachOf(caller.account) })
    },
  })
  return { ...inner, role, needsFactor }
}
