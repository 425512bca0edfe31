/**
 * Creates all features of the service, and lists their routes and jobs. A function such as
 * `createUploadFeature` gets its dependencies as arguments and returns the routes and jobs of the feature,
 * and functions for other features. `/api/docs` and `test/acceptance/access.test.ts` list all routes.
 */

import type { Delays } from '../config/delays.ts'
import { MINUTE } from '../contract/values/units.ts'
import { createApiDocumentFeature } from '../features/api-document/feature.ts'
import { createBackupFeature } from '../features/backup/feature.ts'
import { createBookmarksFeature } from '../features/bookmarks/feature.ts'
import { createCompatFeature } from '../features/compat/feature.ts'
import { createDashUploadFeature } from '../features/dash-upload/feature.ts'
import { createDownloadFeature } from '../features/download/feature.ts'
import { createDropsFeature } from '../features/drops/feature.ts'
import { createDuplicatesFeature } from '../features/duplicates/feature.ts'
import { createEventsFeature } from '../features/events/feature.ts'
import { createExportFeature } from '../features/export/feature.ts'
import { createExternalSignInFeature } from '../features/external-sign-in/feature.ts'
import type { Feature, FeatureParts, RoutesByAccess } from '../features/feature.ts'
import { createFetchUrlFeature } from '../features/fetch-url/feature.ts'
import { createHistoryFeature } from '../features/history/feature.ts'
import { createIntegrityFeature } from '../features/integrity/feature.ts'
import { createLibraryFeature } from '../features/library/feature.ts'
import { createMaintenanceFeature } from '../features/maintenance/feature.ts'
import { createMediaFeature } from '../features/media/feature.ts'
import { createMetricsFeature, createTally } from '../features/metrics/feature.ts'
import type { Figures } from '../features/metrics/figures.ts'
import { createNotifyFeature } from '../features/notify/feature.ts'
import { createPictureSizesFeature } from '../features/picture-sizes/feature.ts'
import { createPreviewsFeature, isDerivable } from '../features/previews/feature.ts'
import { createRehearsalFeature } from '../features/rehearsal/feature.ts'
import { createRetentionFeature } from '../features/retention/feature.ts'
import { createRetrievalsFeature } from '../features/retrievals/feature.ts'
import { CONTENT_ROUTES, createServeFeature } from '../features/serve/feature.ts'
import { createSessionFeature } from '../features/session/feature.ts'
import type { Passwords } from '../features/session/sign-in/passwords.ts'
import { createSettingsFeature } from '../features/settings/feature.ts'
import type { ResolvedSettings } from '../features/settings/settings.ts'
import { createSharesFeature, PUBLIC_SHARE_ROUTES } from '../features/shares/feature.ts'
import { createStatisticsFeature } from '../features/statistics/feature.ts'
import { createStatusFeature } from '../features/status/feature.ts'
import { createTicketsFeature } from '../features/tickets/feature.ts'
import { createTokensFeature } from '../features/tokens/feature.ts'
import { createTrashFeature } from '../features/trash/feature.ts'
import { createTusFeature } from '../features/tus/feature.ts'
import { createUploadFeature } from '../features/upload/feature.ts'
import { createRemoveMetadata } from '../features/upload/remove-metadata.ts'
import type { BuiltFiles } from '../features/web/built-files.ts'
import type { Workers } from '../features/workers.ts'
import { createRenderError } from '../http/answers/render-error.ts'
import type { RequestIds } from '../http/request-id.ts'
import type { ConnectionCounts } from '../http/server/connections.ts'
import type { StartDecoder } from '../images/child.ts'
import { createImages } from '../images/images.ts'
import { decodersPerWorker } from '../images/options.ts'
import { createClockWatch } from '../jobs/clock-watch.ts'
import type { Job } from '../jobs/job.ts'
import { diskSpace } from '../storage/local/space.ts'
import { healthRoute } from './health.route.ts'

/** Routes that are described in the API document but answered without a router. */
const DESCRIBED_CONTENT_ROUTES = [...CONTENT_ROUTES, ...PUBLIC_SHARE_ROUTES]

export interface AppParts extends FeatureParts {
  settings: ResolvedSettings
  /** The data folder; the free space of its disk is measured. */
  dataDir: string
  /** Addresses and CIDR ranges of proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: readonly string[]
  /** The built dashboard; empty if it is not built. */
  webFiles: BuiltFiles
  /** Milliseconds without a further upload with a token before a message reports the collected uploads. */
  quietPeriod: number
  /** The token with which other machines may read `/metrics`; null: only this machine may read it. */
  metricsToken: string | null
  /** Whether the chat webhook may be in a private network. */
  isInternalWebhookAllowed: boolean
  /** Base address of Discord; tests replace it. */
  discordAddress: string
  /** Bytes of memory that this process may use for prepared answers to requests for files. */
  preparedBytes: number
  /** Maximum number of files that this process keeps open between requests. */
  maxOpenFiles: number
  connections: ConnectionCounts
  ids: RequestIds
  delays: Delays
  passwords: Passwords
  startDecoder: StartDecoder
  workers: Workers
}

type SharedParts = ReturnType<typeof withSharedParts>

export const withSharedParts = (parts: AppParts) => ({
  ...parts,
  clock: () => performance.now(),
  clockWatch: createClockWatch(parts),
  renderError: createRenderError(parts),
  tally: createTally(),
  images: createImages({ maxDecoders: decodersPerWorker(parts.workers.count) }, parts.startDecoder),
  startedAt: parts.workers.ownWorker?.startedAt ?? parts.now(),
  space: () => diskSpace(parts.dataDir),
  isDerivable,
  removeMetadata: createRemoveMetadata(parts),
})

/**
 * Creates the features that other features, the jobs or the shutdown need, in the order of their
 * dependencies. `listFeatures` creates the remaining features.
 */
export function createFeatures(parts: SharedParts) {
  // Files, and the features that react to changes of files.
  const notifications = createNotifyFeature(parts)
  const files = createMediaFeature({
    ...parts,
    discardDelay: parts.delays.objectDeletion,
    recordTimeLimit: parts.delays.recordTimeLimit,
    onStored: (...args) => previews.queue.add(...args),
    onUpload: notifications.onUpload,
  })
  const { media, discards } = files
  function onPreview(pfad: string): void {
    const event = { name: 'vorschau', data: { pfad } } as const
    events.publishHere(event)
    parts.workers.passEvent(event)
  }
  const previews = createPreviewsFeature({ ...parts, discards, onPreview })
  const { queue } = previews
  const trash = createTrashFeature({ ...parts, ...files, onRestored: queue.enlist })
  const counters = createRetrievalsFeature(parts)
  const retention = createRetentionFeature({
    ...parts,
    ...files,
    retrievals: counters.retrievalsOfAllWorkers,
    trashMaxBytes: trash.maxBytes,
  })

  // The API for programs with a token or a key.
  const tokens = createTokensFeature(parts)
  const upload = createUploadFeature({ ...parts, media })
  const compat = createCompatFeature({ ...parts, ...upload, media })
  const tus = createTusFeature({ ...parts, ...upload, media })
  const tickets = createTicketsFeature({ ...parts, ...tokens, ...upload })

  // Public content.
  const pictureSizes = createPictureSizesFeature({ ...parts, discards })
  const content = createServeFeature({
    ...parts,
    ...counters,
    prioritize: queue.prioritize,
    findSize: pictureSizes.find,
  })
  const shares = createSharesFeature(parts)

  // The dashboard, and maintenance that is started by hand or by schedule.
  const session = createSessionFeature(parts)
  const events = createEventsFeature({ ...parts, sessions: session.sessions, factors: session.factors })
  const maintenanceParts = { ...parts, notify: notifications.notify, publish: events.publish }
  const maintenance = createMaintenanceFeature({
    ...maintenanceParts,
    remake: previews.remake,
    enlist: queue.enlist,
  })
  const integrity = createIntegrityFeature(maintenanceParts)
  const backup = createBackupFeature(maintenanceParts)
  const { lastReport, lastRehearsal } = backup
  const rehearsal = createRehearsalFeature({ ...maintenanceParts, backup })
  const statistics = createStatisticsFeature({
    ...parts,
    lastBackup: lastReport,
    integrity: integrity.summary,
  })
  const status = createStatusFeature({ ...parts, lastReport, lastRehearsal })
  return {
    notifications,
    files,
    previews,
    trash,
    counters,
    retention,
    tokens,
    upload,
    tus,
    compat,
    tickets,
    pictureSizes,
    content,
    shares,
    session,
    events,
    maintenance,
    integrity,
    backup,
    rehearsal,
    statistics,
    status,
  }
}

type Features = ReturnType<typeof createFeatures>

/**
 * All features that have routes, in the order in which the API document lists them. `lateParts`: functions
 * that may be called only when all features exist.
 */
export function listFeatures(
  parts: SharedParts,
  features: Features,
  lateParts: { routes(): RoutesByAccess; figures(): Figures },
): Feature[] {
  const { media, relocations } = features.files
  return [
    { routes: { open: [healthRoute] } },
    createMetricsFeature({ ...parts, figures: lateParts.figures }),
    features.status,
    createApiDocumentFeature({ ...parts, routes: lateParts.routes, contentRoutes: DESCRIBED_CONTENT_ROUTES }),
    features.upload,
    features.tus,
    features.tickets,
    features.files,
    features.compat,
    features.session,
    createExternalSignInFeature({ ...parts, sessions: features.session.sessions }),
    features.content,
    createLibraryFeature({
      ...parts,
      retrievals: features.counters.retrievalsOfAllWorkers,
      onChanged: relocations.kick,
      restore: features.trash.restore,
    }),
    createBookmarksFeature(parts),
    createDashUploadFeature({ ...parts, media }),
    createFetchUrlFeature({ ...parts, media }),
    features.statistics,
    features.events,
    features.trash,
    features.retention,
    features.shares,
    createDropsFeature({ ...parts, ...features.upload }),
    createExportFeature(parts),
    createDownloadFeature(parts),
    createHistoryFeature(parts),
    createSettingsFeature(parts),
    features.notifications,
    features.tokens,
    features.maintenance,
    createDuplicatesFeature({
      ...parts,
      retrievals: features.counters.retrievalsOfAllWorkers,
      onChanged: relocations.kick,
    }),
    features.integrity,
    features.backup,
  ]
}

/**
 * Milliseconds between two comparisons of the database with its mark, a record of its newest state that is
 * stored beside the objects (`adapters/lost-changes.ts`). A mark that is newer than the database means that
 * the database has lost changes.
 */
const MARK_INTERVAL = 10 * MINUTE

/** All jobs. Those with a lease run in one process at a time, the others in every process. */
export function listJobs({ database, lostChanges }: SharedParts, features: Features): Job[] {
  const {
    counters,
    tokens,
    tickets,
    files,
    previews,
    pictureSizes,
    trash,
    retention,
    session,
    backup,
    integrity,
  } = features
  const { rehearsal, notifications, statistics, tus } = features
  const tidyDatabase = (signal: AbortSignal) => database.tidy(() => !signal.aborted)
  const databaseJobs: Job[] = [
    { name: 'database', interval: MINUTE, atStart: true, run: tidyDatabase },
    { name: 'mark', interval: MARK_INTERVAL, run: lostChanges.record },
  ]
  const maintenanceFeatures: Feature[] = [backup, rehearsal, integrity, notifications, statistics]
  const otherFeatures: Feature[] = [
    files,
    tus,
    previews,
    pictureSizes,
    trash,
    retention,
    tickets,
    session,
    ...maintenanceFeatures,
  ]
  return [counters, tokens, { jobs: databaseJobs }, ...otherFeatures].flatMap(({ jobs = [] }) => jobs)
}
