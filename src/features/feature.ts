/**
 * What a feature is. Each folder of `features/` has one entry, `feature.ts`. Its `createX` takes what the
 * feature needs and returns its routes (grouped by who may call them), its jobs, and the functions that other
 * features may call.
 */

import type { Adapters } from '../adapters/adapters.ts'
import type { NewId } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import type { Anybody, SignedIn, Token, Visitor } from '../http/access/callers.ts'
import type { Route } from '../http/routes.ts'
import type { Job } from '../jobs/job.ts'
import type { Settings } from './settings/settings.ts'

/** What every feature is given. */
export interface FeatureParts extends Adapters {
  settings: Settings
  log: Log
  newId: NewId
  now: () => number
}

/** Routes, grouped by the scope in which they are mounted. */
export interface ScopedRoutes {
  open: readonly Route<Anybody>[]
  token: readonly Route<Token>[]
  key: readonly Route<Token>[]
  visitor: readonly Route<Visitor>[]
  session: readonly Route<SignedIn>[]
}

export interface Feature {
  routes?: Partial<ScopedRoutes>
  jobs?: readonly Job[]
}

/** The routes of all features, in the order of the features. */
export function collectRoutes(features: readonly Feature[]): ScopedRoutes {
  const all = features.map(({ routes = {} }) => routes)
  return {
    open: all.flatMap(({ open = [] }) => open),
    token: all.flatMap(({ token = [] }) => token),
    key: all.flatMap(({ key = [] }) => key),
    visitor: all.flatMap(({ visitor = [] }) => visitor),
    session: all.flatMap(({ session = [] }) => session),
  }
}
