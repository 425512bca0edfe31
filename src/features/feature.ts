/**
 * The interface of all features. Most folders of `features/` have one entry point, `feature.ts`. Its function
 * `create…Feature` returns the routes of the feature (grouped by who may call them), its jobs, and the
 * functions that other features may call.
 */

import type { Adapters } from '../adapters/adapters.ts'
import type { NewId } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import type { Token } from '../http/access/actor.ts'
import type { AnyCaller, Visitor } from '../http/access/callers.ts'
import type { TicketUse } from '../http/access/ticket.ts'
import type { SessionRoute } from '../http/route-rights.ts'
import type { Route } from '../http/routes.ts'
import type { Job } from '../jobs/job.ts'
import type { Settings } from './settings/settings.ts'

/** The dependencies that every feature receives. */
export interface FeatureParts extends Adapters {
  settings: Settings
  log: Log
  newId: NewId
  now: () => number
}

export interface RoutesByAccess {
  open: readonly Route<AnyCaller>[]
  token: readonly Route<Token>[]
  key: readonly Route<Token>[]
  ticket: readonly Route<TicketUse>[]
  visitor: readonly Route<Visitor>[]
  session: readonly SessionRoute[]
}

export interface Feature {
  routes?: Partial<RoutesByAccess>
  jobs?: readonly Job[]
}

export function collectRoutes(features: readonly Feature[]): RoutesByAccess {
  const featureRoutes = features.map(({ routes = {} }) => routes)
  return {
    open: featureRoutes.flatMap(({ open = [] }) => open),
    token: featureRoutes.flatMap(({ token = [] }) => token),
    key: featureRoutes.flatMap(({ key = [] }) => key),
    ticket: featureRoutes.flatMap(({ ticket = [] }) => ticket),
    visitor: featureRoutes.flatMap(({ visitor = [] }) => visitor),
    session: featureRoutes.flatMap(({ session = [] }) => session),
  }
}
