/**
 * Table of contents: every part, route and job of the service, in order. Parts are plain values that get what they
 * need as arguments; reading this file from top to bottom shows the whole house.
 */
import type { Delays } from './delays.ts'
import { failure } from './errors.ts'
import { apiDocumentRoutes } from './features/api-document/api-document.route.ts'
import type { RouteGroup } from './features/api-document/openapi.ts'
import { backupRoutes } from './features/backup/backup.route.ts'
import { createBackup } from './features/backup/backup.ts'
import { createWarnings } from './features/backup/warnings.ts'
import { compatRoutes } from './features/compat/compat.route.ts'
import { createCompat } from './features/compat/compat.ts'
import { createDetect } from './features/compat/detect.ts'
import { keyScope } from './features/compat/key-scope.ts'
import { PRESIGNED, refusePresigned } from './features/compat/presigned.ts'
import { dashUploadRoute } from './features/dash-upload/dash-upload.route.ts'
import { createDashUpload } from './features/dash-upload/dash-upload.ts'
import { eventsRoute } from './features/events/events.route.ts'
import { createEvents } from './features/events/events.ts'
import { exportRoute } from './features/export/export.route.ts'
import { fetchUrlRoute } from './features/fetch-url/fetch-url.route.ts'
import { createFetchUrl } from './features/fetch-url/fetch-url.ts'
import { internet } from './features/fetch-url/network.ts'
import { historyRoutes } from './features/history/history.route.ts'
import { integrityRoutes } from './features/integrity/integrity.route.ts'
import { createIntegrity } from './features/integrity/integrity.ts'
import { createRest } from './features/integrity/rest.ts'
import { createScrub, SCRUB_INTERVAL } from './features/integrity/scrub.ts'
import { changeRoutes } from './features/library/changes.route.ts'
import { libraryRoutes } from './features/library/library.route.ts'
import { createLook } from './features/maintenance/lacking.ts'
import { maintenanceRoutes } from './features/maintenance/maintenance.route.ts'
import { nightlySweep } from './features/maintenance/nightly.ts'
import { createOrphans } from './features/maintenance/orphans.ts'
import { createRounds } from './features/maintenance/rounds.ts'
import { createDiscards } from './features/media/discards.ts'
import { mediaRoutes } from './features/media/media.route.ts'
import { createMedia } from './features/media/media.ts'
import { createRelocations } from './features/media/relocations.ts'
import { createMayRead } from './features/metrics/access.ts'
import { metricsRoute } from './features/metrics/metrics.route.ts'
import { createMetrics } from './features/metrics/metrics.ts'
import { createTally } from './features/metrics/tally.ts'
import { createDelivery } from './features/notify/delivery.ts'
import { createDiskWatch } from './features/notify/disk-watch.ts'
import { createNotify } from './features/notify/notify.ts'
import { createUploadNotices } from './features/notify/upload-notice.ts'
import { webhookTestRoute } from './features/notify/webhook.route.ts'
import { createWebhook } from './features/notify/webhook.ts'
import { overviewRoute } from './features/overview/overview.route.ts'
import { createDerive, isDerivable } from './features/previews/derive.ts'
import { createDeriveQueue } from './features/previews/queue.ts'
import { createRemake } from './features/previews/remake.ts'
import { createRetrievals, FLUSH_INTERVAL } from './features/retrievals/retrievals.ts'
import { CONTENT_ROUTES, serveRoute } from './features/serve/serve.route.ts'
import { createServe } from './features/serve/serve.ts'
import { createDashboard } from './features/session/dashboard.ts'
import { createSessionFeature } from './features/session/session.ts'
import { createSettingsEditor } from './features/settings/edit-settings.ts'
import { settingsRoutes } from './features/settings/settings.route.ts'
import type { ResolvedSettings } from './features/settings/settings.ts'
import { PUBLIC_SHARE_ROUTES, shareRoute } from './features/shares/share.route.ts'
import { shareRoutes } from './features/shares/shares.route.ts'
import { createShares } from './features/shares/shares.ts'
import { createChecks } from './features/status/checks.ts'
import { statusRoute } from './features/status/status.route.ts'
import { instanceSince } from './features/status/status.store.ts'
import { createStatus } from './features/status/status.ts'
import { createLastUsed } from './features/tokens/last-used.ts'
import { tokenScope } from './features/tokens/token-scope.ts'
import { tokenRoutes } from './features/tokens/tokens.route.ts'
import { createTokens } from './features/tokens/tokens.ts'
import { trashRoutes } from './features/trash/trash.route.ts'
import { createTrash } from './features/trash/trash.ts'
import { createTrashPreview } from './features/trash/trash-preview.ts'
import { createDeposit } from './features/upload/deposit.ts'
import { createDownscale } from './features/upload/downscale.ts'
import { uploadRoute } from './features/upload/upload.route.ts'
import { createUpload } from './features/upload/upload.ts'
import type { BuiltFiles } from './features/web/built.ts'
import { webRoute } from './features/web/web.route.ts'
import type { House } from './house.ts'
import { createClientAddress, type Peers } from './http/client-address.ts'
import { withCors } from './http/cors.ts'
import { createEarlyAnswers } from './http/early-answer.ts'
import { healthRoute } from './http/health.route.ts'
import { createObserver } from './http/observed.ts'
import { createRenderError } from './http/render.ts'
import type { RequestIds } from './http/request-id.ts'
import { createRouter, mountForAllSites, open } from './http/routes.ts'
import type { NewId } from './ids.ts'
import { createImages } from './images/images.ts'
import { noted } from './jobs/noted.ts'
import { startJobs } from './jobs/scheduler.ts'
import type { Log } from './log.ts'
import { diskSpace } from './storage/space.ts'
import { VERSION } from './version.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** For requests that were cut off: to put away what was staged for them. */
const CUT_OFF_PATIENCE = 3_000

/** After the backup has begun, before anybody is up. */
const SWEEP_TIME = '04:30'

export interface AppParts extends House {
  settings: ResolvedSettings
  /** Where everything lies, for how much room there is. */
  dataDir: string
  /** Addresses and ranges whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[]
  /** The dashboard's built files; empty when it is not built. */
  webFiles: BuiltFiles
  /** Milliseconds without an upload before a message tells of them. */
  quietPeriod: number
  /** What a reader of the figures must know; null: only programs on this machine may read them. */
  metricsToken: string | null
  ids: RequestIds
  log: Log
  newId: NewId
  now: () => number
  delays: Delays
}

export interface App {
  fetch(request: Request, peers: Peers): Response | Promise<Response>
  /** For errors that strike after a handler has answered, such as a file that cannot be read. */
  renderError(error: unknown, request?: Request): Response
  /** What only memory holds. */
  writeDown(): Promise<void>
  /** Before waiting for the last request: what would otherwise never come to an end by itself. */
  endStreams(): void
  /** After the last request: ends the jobs, writes the counters down, leaves no child process. */
  stop(): Promise<void>
}

export function createApp(parts: AppParts): App {
  const { database, storage, coordination, settings, dataDir, trustedProxies, webFiles, quietPeriod } = parts
  const { ids, log, newId, now, delays } = parts
  const clock = () => performance.now()
  const renderError = createRenderError({ log, ids })
  const tally = createTally()
  const { observed, settled } = createObserver({ ids, log, figures: tally, renderError, clock })
  const early = createEarlyAnswers()
  const images = createImages()
  const space = () => diskSpace(dataDir)

  // Messages to the chat webhook
  const notices = createUploadNotices({ database, settings, now, quietPeriod })
  const notify = createNotify({ database, settings, now, log })
  const webhook = createWebhook({ fetch, now })
  const deliver = createDelivery({ database, settings, coordination, notices, webhook, log, now })
  const watchDisk = createDiskWatch({ database, settings, coordination, space, now })

  // Files and what follows from changing them
  const discards = createDiscards({ database, storage, coordination, log, now, delay: delays.discard })
  const relocations = createRelocations({ database, storage, discards, newId, log })
  const derive = createDerive({ database, storage, images, discards, log })
  const queue = createDeriveQueue({ database, derive, hurry: images.hurry, log })
  const media = createMedia({
    database,
    storage,
    discards,
    newId,
    now,
    derivable: isDerivable,
    onStored: queue.add,
    onTokenUpload: notices.add,
  })
  const trash = createTrash({
    database,
    discards,
    relocations,
    settings,
    now,
    derivable: isDerivable,
    onRestored: queue.enlist,
  })

  const lastUsed = createLastUsed({ database, now })
  const tokens = createTokens({ database, lastUsed, newId, now })
  const downscale = createDownscale({ images, storage, log })
  const deposit = createDeposit({ storage, media, settings, downscale })
  const upload = createUpload({ database, deposit })
  const compat = createCompat({ database, deposit, detect: createDetect({ images, storage }) })
  const retrievals = createRetrievals({ database, now })
  const serve = createServe({ database, storage, retrievals, hurry: queue.hurry, tally, clock })

  // Stored content, before any router
  const content = serveRoute({ serve, settings, tally, renderError })
  const shares = createShares({ database, newId, now })
  const shared = shareRoute({ database, shares, settings, renderError })

  // The dashboard, on a router of its own: no token and no CORS header there
  const session = createSessionFeature({ database, settings, newId, now })
  const editor = createSettingsEditor({ database, settings, now })
  const dashUpload = createDashUpload({ storage, media, settings })
  const fetchUrl = createFetchUrl({ database, storage, media, settings, network: internet })
  const events = createEvents({ database, sessions: session.sessions, log, delays })

  // Upkeep, by hand and by itself
  const remake = createRemake({ database, storage, images, discards, log })
  const look = createLook({ database, storage, encoder: images.encoder })
  const { publish } = events
  const rounds = createRounds({ database, look, remake, enlist: queue.enlist, publish, now })
  const orphans = createOrphans({ database, storage, coordination, publish, now })
  const scrub = createScrub({ database, storage, notify, now, rest: createRest() })
  const integrity = createIntegrity({ database, scrub, coordination, publish, log })
  const backup = createBackup({
    ...{ database, storage, coordination, settings, notify, dataDir, log, newId, now },
    version: VERSION,
    warningsFor: createWarnings({ dataDir }),
  })

  const signedInRoutes = [
    ...session.signedInRoutes, //         POST logout, GET ich, POST passwort, benutzer
    ...libraryRoutes({ database, settings }), // GET /api/dash/media, media/<pfad>, folders, POST media/vorhanden, fehlende
    // POST /api/dash/media/umbenennen, verschieben, loeschen, ersetzen, folders/umbenennen, verschieben, loeschen
    ...changeRoutes({ database, settings, now, retrievals, onChanged: relocations.kick }),
    dashUploadRoute({ upload: dashUpload, database, settings }), // POST /api/dash/upload
    fetchUrlRoute({ fetchUrl, database, settings }), //             POST /api/dash/upload-url
    overviewRoute({
      database,
      settings,
      now,
      space,
      lastBackup: backup.lastReport,
      integrity: integrity.summary,
    }),
    eventsRoute(events), //                GET /api/dash/ereignisse
    // GET /api/dash/papierkorb, POST wiederherstellen, leeren, GET vorschau/:nr
    ...trashRoutes({ database, trash, preview: createTrashPreview({ database, storage }), settings }),
    ...shareRoutes({ shares, settings }), // GET, POST, DELETE /api/dash/freigaben
    exportRoute({ database, settings, now }), // GET /api/dash/export
    ...historyRoutes({ database, now }), //  GET /api/dash/verlauf, verwaltung, verlauf/export
    ...settingsRoutes({ settings, editor }), // GET, PUT /api/dash/einstellungen, GET export, POST import
    webhookTestRoute({ database, webhook, settings, now }), // POST /api/dash/webhook/test
    ...tokenRoutes({ tokens, settings }), // GET, POST /api/dash/tokens, PATCH, DELETE /:id, GET /:id/sharex
    ...maintenanceRoutes({ rounds, orphans }), // POST /api/dash/maintenance/thumbs, webp, verwaiste
    ...backupRoutes({ backup }), //                GET, POST /api/dash/sicherung
    ...integrityRoutes(integrity), //           GET, POST /api/dash/maintenance/integritaet
  ]
  const dashboard = createDashboard({
    sessions: session.sessions,
    settings,
    clientAddress: createClientAddress(trustedProxies),
    renderError,
    visitors: session.visitorRoutes, //     GET, POST /api/dash/einrichtung, POST login
    signedIn: signedInRoutes,
  })

  // Everything else, by scope
  const router = createRouter()
  const backups = { lastReport: backup.lastReport, instanceSince: () => instanceSince(database.read) }
  const checks = createChecks({ database, storage, space, backups, now, random: Math.random })
  const metrics = createMetrics({
    database,
    tally,
    jobs: () => jobs.outcomes(),
    version: VERSION,
    startedAt: now(),
    now,
  })
  const openRoutes = [
    healthRoute, //                                            GET /health
    metricsRoute({ metrics, mayRead: createMayRead(parts.metricsToken) }), // GET /metrics
    statusRoute(createStatus({ checks, settings, log, now })), // GET /status
    ...apiDocumentRoutes({ settings, version: VERSION, groups }), // GET /api/openapi.json, /api/docs
  ]
  const withToken = [
    uploadRoute({ upload, deposit, settings }), //     POST /api/upload
    ...mediaRoutes({ database, media, settings }), //  GET /api/exists, DELETE /api/media/<pfad>
  ]
  // POST /api/image, video, audio, /api/v2/…, /api/v3/file, /api/v3/file/base64; DELETE by id
  const withKey = compatRoutes({ media, compat, deposit, settings })
  mountForAllSites(router, open, openRoutes)
  mountForAllSites(router, tokenScope(tokens), withToken)
  router.all(PRESIGNED, refusePresigned)
  mountForAllSites(router, keyScope(tokens), withKey)
  router.notFound(() => withCors(renderError(failure.routeUnknown())))
  router.onError(error => renderError(error))

  // The dashboard's pages: every address that no route above answers
  const isTaken = (path: string) => router.router.match('GET', path)[0].length > 0
  const web = webRoute({ files: webFiles, settings, renderError, newId, isTaken })

  /** The very lists that are mounted, for the API document. */
  function groups(): RouteGroup[] {
    return [
      { access: 'open', tag: 'content', routes: [...CONTENT_ROUTES, ...PUBLIC_SHARE_ROUTES] },
      { access: 'open', tag: 'open', routes: openRoutes },
      { access: 'token', tag: 'token', routes: withToken },
      { access: 'key', tag: 'key', routes: withKey },
      { access: 'visitor', routes: session.visitorRoutes },
      { access: 'session', routes: signedInRoutes },
    ]
  }

  const jobs = startJobs({
    coordination,
    log,
    now,
    jobs: [
      // What only this process knows or has
      { name: 'retrieval counters', every: FLUSH_INTERVAL, run: retrievals.flush },
      { name: 'token use', every: FLUSH_INTERVAL, run: lastUsed.flush },
      { name: 'database', every: MINUTE, atStart: true, run: signal => database.tidy(() => !signal.aborted) },
      // What all processes share, and one of them does
      { name: 'discard list', task: 'discards', every: MINUTE, atStart: true, run: discards.run },
      { name: 'relocation list', task: 'relocations', every: MINUTE, atStart: true, run: relocations.run },
      { name: 'derived files', task: 'derived', every: MINUTE, atStart: true, run: queue.workOff },
      { name: 'trash', task: 'trash', every: HOUR, atStart: true, run: trash.cleanUp },
      { name: 'sessions and locks', task: 'sessions', every: HOUR, run: session.cleanUp },
      { name: 'archives', every: DAY, atStart: true, run: backup.closeArchives },
      // Takes its task itself, since it may be started by hand as well
      {
        name: 'backup',
        dailyAt: () => settings.current().SICHERUNG_UHRZEIT,
        lastRun: backup.lastRun,
        run: backup.run,
      },
      noted(
        { database, now },
        {
          name: 'orphan sweep',
          task: 'sweep',
          dailyAt: () => SWEEP_TIME,
          run: signal => nightlySweep({ database, storage, coordination, notify, log, now }, signal),
        },
      ),
      { name: 'integrity', task: 'scrub', every: SCRUB_INTERVAL, run: scrub.slice },
      {
        name: 'messages',
        every: delays.delivery,
        atStart: true,
        run: signal => deliver(() => !signal.aborted),
      },
      { name: 'disk watch', every: MINUTE, atStart: true, run: watchDisk },
    ],
  })

  async function writeDown(): Promise<void> {
    await retrievals.flush()
    await lastUsed.flush()
  }

  return {
    renderError,
    writeDown,
    endStreams() {
      events.close()
      early.stop()
      // Somebody may be waiting for its report.
      void backup.stop()
    },
    fetch: (request, peers) =>
      early.finish(
        request,
        content(request) ??
          observed(
            request,
            async () =>
              shared(request) ??
              dashboard(request, peers) ??
              web(request) ??
              withCors(await router.fetch(request, { peers })),
          ),
      ),
    async stop() {
      await settled(CUT_OFF_PATIENCE)
      // Before the jobs, one of which may be working off ten thousand of them.
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
