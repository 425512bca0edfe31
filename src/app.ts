/**
 * Table of contents: every feature of the service, in order. Features are plain values that get what they need as
 * arguments and answer their routes and jobs; `/api/docs` and `test/acceptance/route-list.test.ts` list the routes.
 */
import { MINUTE } from './contract/units.ts'
import type { Delays } from './delays.ts'
import { collectRoutes, type Feature, type FeatureParts } from './feature.ts'
import { createApiDocumentFeature } from './features/api-document/feature.ts'
import { createBackupFeature } from './features/backup/feature.ts'
import { createCompatFeature } from './features/compat/feature.ts'
import { createDashUploadFeature } from './features/dash-upload/feature.ts'
import { createEventsFeature } from './features/events/feature.ts'
import { createExportFeature } from './features/export/feature.ts'
import { createFetchUrlFeature } from './features/fetch-url/feature.ts'
import { createHistoryFeature } from './features/history/feature.ts'
import { createIntegrityFeature } from './features/integrity/feature.ts'
import { createLibraryFeature } from './features/library/feature.ts'
import { createMaintenanceFeature } from './features/maintenance/feature.ts'
import { createMediaFeature } from './features/media/feature.ts'
import { createMetricsFeature, createTally } from './features/metrics/feature.ts'
import { createNotifyFeature } from './features/notify/feature.ts'
import { createOverviewFeature } from './features/overview/feature.ts'
import { createPreviewsFeature, isDerivable } from './features/previews/feature.ts'
import { createRetrievalsFeature } from './features/retrievals/feature.ts'
import { CONTENT_ROUTES, createServeFeature } from './features/serve/feature.ts'
import { createSessionFeature } from './features/session/feature.ts'
import type { Passwords } from './features/session/passwords.ts'
import { createSettingsFeature } from './features/settings/feature.ts'
import { createSharesFeature, PUBLIC_SHARE_ROUTES } from './features/shares/feature.ts'
import { createStatusFeature } from './features/status/feature.ts'
import { createTokensFeature } from './features/tokens/feature.ts'
import { createTrashFeature } from './features/trash/feature.ts'
import { createUploadFeature } from './features/upload/feature.ts'
import type { BuiltFiles } from './features/web/built.ts'
import type { Peers } from './http/client-address.ts'
import { createEarlyAnswers } from './http/early-answer.ts'
import { healthRoute } from './http/health.route.ts'
import { createObserver } from './http/observed.ts'
import { createRenderError } from './http/render.ts'
import type { RequestIds } from './http/request-id.ts'
import { createImages } from './images/images.ts'
import { startJobs } from './jobs/scheduler.ts'
import { createRouting } from './routing.ts'
import { diskSpace } from './storage/space.ts'

/** Routes for the API document that no router knows, so the document cannot find them there. */
const CONTENT = [...CONTENT_ROUTES, ...PUBLIC_SHARE_ROUTES]

/** Milliseconds that requests cut off at shutdown get to remove their staged bytes. */
const CUT_OFF_PATIENCE = 3_000

export interface AppParts extends FeatureParts {
  /** The data folder; used here to measure the free space of its disk. */
  dataDir: string
  /** Addresses and ranges whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[]
  /** The dashboard's built files; empty when it is not built. */
  webFiles: BuiltFiles
  /** Milliseconds without a further upload before one message reports the uploads so far. */
  quietPeriod: number
  /** The token with which other machines may read `/metrics`; null: only programs on this machine may read it. */
  metricsToken: string | null
  ids: RequestIds
  delays: Delays
  passwords: Passwords
}

export interface App {
  fetch(request: Request, peers: Peers): Response | Promise<Response>
  /** Answers errors that occur after a handler has returned, such as a file that cannot be read. */
  renderError(error: unknown, request?: Request): Response
  /** Writes the counters that are only in memory to the database. */
  writeDown(): Promise<void>
  /** Called before waiting for the last request: ends the streams that would never end by themselves. */
  endStreams(): void
  /** Called after the last request: ends the jobs and all child processes and writes the counters to the database. */
  stop(): Promise<void>
}

export function createApp(appParts: AppParts): App {
  const { database, coordination, log, now, ids, dataDir, delays } = appParts
  const clock = () => performance.now()
  const renderError = createRenderError({ log, ids })
  const tally = createTally()
  const { observed, settled } = createObserver({ ids, log, figures: tally, renderError, clock })
  const early = createEarlyAnswers()
  const images = createImages()
  const space = () => diskSpace(dataDir)
  const parts = { ...appParts, clock, renderError, tally, images, space, derivable: isDerivable }

  // Files, and the features that react to changes of files
  const messages = createNotifyFeature(parts)
  const { notify } = messages
  const files = createMediaFeature({
    ...parts,
    discardDelay: delays.discard,
    onStored: (...stored) => previews.queue.add(...stored),
    onTokenUpload: messages.onTokenUpload,
  })
  const { media, discards, relocations } = files
  const previews = createPreviewsFeature({ ...parts, discards })
  const { queue } = previews
  const trash = createTrashFeature({ ...parts, discards, relocations, onRestored: queue.enlist })
  const counters = createRetrievalsFeature(parts)
  const { retrievals } = counters

  // For programs that identify themselves with a token or a key
  const tokens = createTokensFeature(parts)
  const upload = createUploadFeature({ ...parts, media })
  const compat = createCompatFeature({ ...parts, media, deposit: upload.deposit })

  // Public content
  const content = createServeFeature({ ...parts, retrievals, hurry: queue.hurry })
  const shares = createSharesFeature(parts)

  // The dashboard, and maintenance, started by hand or by schedule
  const session = createSessionFeature(parts)
  const events = createEventsFeature({ ...parts, sessions: session.sessions })
  const { publish } = events
  const upkeep = { ...parts, notify, publish }
  const maintenance = createMaintenanceFeature({ ...upkeep, remake: previews.remake, enlist: queue.enlist })
  const integrity = createIntegrityFeature(upkeep)
  const backup = createBackupFeature(upkeep)
  const { lastReport } = backup

  /** The features in the order in which the API document lists them. */
  const features: Feature[] = [
    { routes: { open: [healthRoute] } },
    createMetricsFeature({ ...parts, jobs: () => jobs.outcomes() }),
    createStatusFeature({ ...parts, lastReport }),
    createApiDocumentFeature({ ...parts, routes: () => routes, content: CONTENT }),
    upload,
    files,
    compat,
    session,
    createLibraryFeature({ ...parts, retrievals, onChanged: relocations.kick }),
    createDashUploadFeature({ ...parts, media }),
    createFetchUrlFeature({ ...parts, media }),
    createOverviewFeature({ ...parts, lastBackup: lastReport, integrity: integrity.summary }),
    events,
    trash,
    shares,
    createExportFeature(parts),
    createHistoryFeature(parts),
    createSettingsFeature(parts),
    messages,
    tokens,
    maintenance,
    backup,
    integrity,
  ]
  const routes = collectRoutes(features)
  const route = createRouting({ ...parts, routes, tokens: tokens.tokens, sessions: session.sessions })

  /** Jobs: first those that every process does for itself, then those that one process does for all. */
  const tidying: Feature = {
    jobs: [
      { name: 'database', every: MINUTE, atStart: true, run: signal => database.tidy(() => !signal.aborted) },
    ],
  }
  const shared: Feature[] = [files, previews, trash, session, backup, maintenance, integrity, messages]
  const all = [counters, tokens, tidying, ...shared].flatMap(feature => feature.jobs ?? [])
  const jobs = startJobs({ coordination, log, now, jobs: all })

  async function writeDown(): Promise<void> {
    await retrievals.flush()
    await tokens.flush()
  }

  return {
    renderError,
    writeDown,
    endStreams() {
      events.close()
      early.stop()
      // A request may be waiting for the backup's report.
      void backup.stop()
    },
    fetch: (request, peers) =>
      early.finish(
        request,
        content.answer(request) ??
          observed(request, async () => shares.answer(request) ?? route(request, peers)),
      ),
    async stop() {
      await settled(CUT_OFF_PATIENCE)
      // Before the jobs: one of the jobs may be working through ten thousand relocations.
      await relocations.stop()
      await integrity.stop()
      await backup.stop()
      await jobs.stop()
      await images.close()
      await queue.stop()
      await discards.stop()
      await writeDown()
    },
  }
}
