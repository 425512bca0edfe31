/**
 * Gives a request its id, log line and metrics. Requests for stored content (`/f/`, `/t/`, `/b/`) do not pass
 * through here: they have metrics of their own and no log line.
 */

import type { Log } from '../base/log.ts'
import { withTimeout } from '../base/time-limit.ts'
import { DASHBOARD_ROUTE, DROP_ROUTE, SHARE_ROUTE } from '../contract/paths/addresses.ts'
import type { RenderError } from './answers/render-error.ts'
import { REQUEST_ID_HEADER, type RequestIds } from './request-id.ts'
import type { IncomingRequest } from './server/http-server.ts'
import { pathOf } from './url-parts.ts'

export const REQUEST_SCOPES = ['api', 'dashboard', 'share', 'other'] as const
export type RequestScope = (typeof REQUEST_SCOPES)[number]

/** Counts the requests for the metrics. */
export interface RequestMetrics {
  recordAnswer(
    scope: RequestScope,
    outcome: { status: number; durationMs: number; receivedBytes: number },
  ): void
}

interface RequestObserverParts {
  ids: RequestIds
  log: Log
  metrics: RequestMetrics
  renderError: RenderError
  /** Returns monotonic milliseconds. */
  clock: () => number
}

/** Maximum number of characters of a path in a log line. */
const MAX_LOGGED_PATH = 250

/** Matches the key of a drop link in the path with which the dashboard deletes the link. */
const DROP_LINK_IN_PATH = /(\/abgaben\/).+/
/**
 * Matches a ticket (`ticket_…`), which is part of some addresses, and a token (`media_…`), which some clients
 * put into an address by mistake instead of a path or an id.
 */
const SECRET_IN_PATH = /(media|ticket)(?:_|%5f)[\w%-]{12,}/gi

const READ_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

export function createRequestObserver(parts: RequestObserverParts) {
  const { ids, log, metrics, renderError, clock } = parts
  let openRequestCount = 0
  const idleCallbacks = new Set<() => void>()

  async function answerObserved(
    request: IncomingRequest,
    answer: () => Promise<Response>,
  ): Promise<Response> {
    const startedAt = clock()
    const response = await answer().catch(renderError)
    const durationMs = clock() - startedAt
    const { method } = request
    const { status } = response
    const path = pathOf(request.url)
    const scope = requestScopeOf(path)
    metrics.recordAnswer(scope, { status, durationMs, receivedBytes: contentLengthOf(request) })
    log[logLevelOf(method, status)]('request', {
      method,
      path: redactPath(path, scope),
      status,
      ms: Math.round(durationMs),
    })
    return response
  }

  return {
    async observe(request: IncomingRequest, answer: () => Promise<Response>) {
      const id = ids.idOf(request)
      openRequestCount++
      try {
        const response = await ids.runWithId(id, () => answerObserved(request, answer))
        response.headers.set(REQUEST_ID_HEADER, id)
        return response
      } finally {
        openRequestCount--
        if (openRequestCount === 0) for (const callback of idleCallbacks) callback()
      }
    },
    /**
     * Called at shutdown after all connections are closed. Resolves when all handlers have ended, or after
     * `maxWait` milliseconds.
     */
    async waitForHandlers(maxWait: number) {
      if (openRequestCount === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      idleCallbacks.add(resolve)
      await withTimeout(maxWait, promise)
      idleCallbacks.delete(resolve)
    },
  }
}

export function requestScopeOf(path: string): RequestScope {
  if (path === DASHBOARD_ROUTE || path.startsWith(`${DASHBOARD_ROUTE}/`)) return 'dashboard'
  if (path.startsWith('/api/')) return 'api'
  return linkRouteOf(path) === undefined ? 'other' : 'share'
}

/** The route of a share or drop link, whose whole address is a secret; undefined for other paths. */
const linkRouteOf = (path: string) => [SHARE_ROUTE, DROP_ROUTE].find(route => path.startsWith(route))

/** The path as it is logged, without the secrets of links, tickets and tokens. */
const redactPath = (path: string, scope: RequestScope) =>
  scope === 'share'
    ? `${linkRouteOf(path)}…`
    : path
        .replace(SECRET_IN_PATH, (_, kind) => `${kind.toLowerCase()}_…`)
        .replace(DROP_LINK_IN_PATH, '$1…')
        .slice(0, MAX_LOGGED_PATH)

/**
 * `warn` if the service failed (status 500 or above); otherwise `info` for requests that change something,
 * and `debug` for reads.
 */
function logLevelOf(method: string, status: number): 'debug' | 'info' | 'warn' {
  if (status >= 500) return 'warn'
  return READ_METHODS.has(method) ? 'debug' : 'info'
}

/** `Content-Length`; 0 if the header is missing, as for a chunked body, or invalid. */
function contentLengthOf({ headers }: IncomingRequest): number {
  const length = Number(headers.get('Content-Length') ?? 0)
  return Number.isSafeInteger(length) && length > 0 ? length : 0
}
