/** The whole service without its port: how a request is answered, and the order of shutdown. */

import type { Log } from '../base/log.ts'
import { withTimeout } from '../base/time-limit.ts'
import { failure } from '../errors/errors.ts'
import { collectRoutes, type RoutesByAccess } from '../features/feature.ts'
import { collectOwnFigures } from '../features/metrics/feature.ts'
import type { PeerAddresses } from '../http/access/client-address.ts'
import { createRequestObserver } from '../http/observe-requests.ts'
import { KNOWN_METHODS } from '../http/routes.ts'
import type { IncomingRequest, PeerRequest } from '../http/server/http-server.ts'
import { startJobs } from '../jobs/scheduler.ts'
import { type AppParts, createFeatures, listFeatures, listJobs, withSharedParts } from './app.ts'
import { createRouting } from './routing.ts'

/**
 * Maximum milliseconds that shutdown waits for the handlers of requests that were cut off. These handlers
 * remove the bytes of incomplete uploads.
 */
const HANDLER_TIMEOUT = 3_000

/**
 * Maximum milliseconds that a page of the dashboard waits for the newest settings. A saved setting should
 * apply on every machine at once, but a database that hangs must not block the page.
 */
const SETTINGS_TIMEOUT = 100

export type App = ReturnType<typeof createApp>

export function createApp(appParts: AppParts) {
  const parts = withSharedParts(appParts)
  const { renderError } = parts
  const { observe, waitForHandlers } = createRequestObserver({ ...parts, metrics: parts.tally })
  /** The metrics of this process, for `/metrics`. */
  const figures = () => collectOwnFigures(parts, jobs.outcomes())
  const features = createFeatures(parts)
  const { content, shares, counters, tokens, tickets, session, events, files, integrity } = features
  const { backup, previews, pictureSizes, tus } = features
  const routes: RoutesByAccess = collectRoutes(
    listFeatures(parts, features, { routes: () => routes, figures }),
  )
  const routing = createRouting({
    ...parts,
    routes,
    tokens: tokens.tokens,
    sessions: session.sessions,
    factors: session.factors,
    tickets: tickets.tickets,
  })
  const jobs = startJobs({ ...parts, jobs: listJobs(parts, features) })

  async function answer(request: IncomingRequest, peers: PeerAddresses): Promise<Response> {
    // Before a request is answered, the current state of the database is read, which includes the settings.
    // `/health` does not wait for it, and a page of the dashboard waits at most `SETTINGS_TIMEOUT`. While the
    // database cannot be reached, the last known settings are used: `/status` must answer, and any other
    // route that needs the database fails by itself.
    const stateUpdate = parts.database.currentState()
    if (stateUpdate instanceof Promise)
      await waitForState(
        request,
        stateUpdate.catch(() => {}),
      )
    return shares.answer(request, peers) ?? routing.answer(request, peers)
  }

  async function waitForState(request: IncomingRequest, stateUpdate: Promise<unknown>): Promise<void> {
    const neededState = routing.neededState(request)
    if (neededState === 'database') await stateUpdate
    if (neededState === 'settings') await withTimeout(SETTINGS_TIMEOUT, stateUpdate)
  }

  function answerObserved(request: PeerRequest): Promise<Response> {
    return observe(request, () => answer(request, { requestIP: () => ({ address: request.peer }) }))
  }

  /**
   * Writes to the database what is only in memory: retrieval counts, and when tokens, sessions and pictures
   * in the configured sizes were last used.
   */
  async function flushCounters(): Promise<void> {
    await counters.retrievals.flush()
    await tokens.flush()
    await session.sessions.flush()
    await pictureSizes.writeDown()
  }

  return {
    /**
     * Renders the answer to an error outside of the handlers: to a malformed request, for example, or to a
     * file that cannot be read after the handler of its request has returned.
     */
    renderError,
    writeDown: flushCounters,
    figures,
    /** Sends the event to those dashboard pages connected to this process whose account may receive it. */
    publishHere: events.publishHere,
    /** Called with the `/status` result of another worker. */
    adoptStatus: features.status.adoptStatus,
    /**
     * Called before waiting for the last request: ends the event streams, which would never end by
     * themselves.
     */
    endStreams() {
      events.close()
      // The backup is stopped too, because a request may be waiting for its report.
      void backup.stop()
    },
    fetch: (peerRequest: PeerRequest) =>
      KNOWN_METHODS.has(peerRequest.method)
        ? (content.answer(peerRequest) ?? answerObserved(peerRequest))
        : renderError(failure.methodNotImplemented([...KNOWN_METHODS]), peerRequest),
    /**
     * Called when the last request has ended or was cut off: ends jobs, other background work and child
     * processes, and writes to the database what is only in memory.
     */
    stop: () =>
      runInOrder(parts.log, [
        () => waitForHandlers(HANDLER_TIMEOUT),
        async () => content.close(),
        // Relocations (moves of objects to the names that follow their file paths) are stopped before the
        // jobs, because a job may be processing ten thousand of them.
        files.relocations.stop,
        tus.stop,
        integrity.stop,
        backup.stop,
        jobs.stop,
        parts.images.close,
        pictureSizes.stop,
        previews.queue.stop,
        files.leftovers.stop,
        files.discards.stop,
        events.finishProgress,
        flushCounters,
        parts.lostChanges.record,
      ]),
  }
}

/** Runs every step, even if one fails: the database may be unavailable, but not every step needs it. */
async function runInOrder(log: Log, steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const step of steps)
    await step().catch(cause => log.error('something could not be brought to its end', { cause }))
}
