/**
 * Table of contents: every part, route and job of the service, in order. Parts are plain values that get what they
 * need as arguments; reading this file from top to bottom shows the whole house.
 */
import { Hono } from 'hono'
import { failure } from './errors.ts'
import { createDiscards } from './features/media/discards.ts'
import { mediaRoutes } from './features/media/media.route.ts'
import { createMedia } from './features/media/media.ts'
import { createRelocations } from './features/media/relocations.ts'
import { sweep } from './features/media/sweep.ts'
import { createDerive, isDerivable } from './features/previews/derive.ts'
import { createDeriveQueue } from './features/previews/queue.ts'
import { createRetrievals, FLUSH_INTERVAL } from './features/retrievals/retrievals.ts'
import { serveRoute } from './features/serve/serve.route.ts'
import { createServe } from './features/serve/serve.ts'
import type { Settings } from './features/settings/settings.ts'
import { tokenScope } from './features/tokens/token-scope.ts'
import { createTokens } from './features/tokens/tokens.ts'
import { uploadRoute } from './features/upload/upload.route.ts'
import { createUpload } from './features/upload/upload.ts'
import type { House } from './house.ts'
import { withCors } from './http/cors.ts'
import { createRenderError } from './http/render.ts'
import { mount, open } from './http/routes.ts'
import type { NewId } from './ids.ts'
import { createImages } from './images/images.ts'
import { startJobs } from './jobs/scheduler.ts'
import type { Log } from './log.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

export interface AppParts extends House {
  settings: Settings
  log: Log
  newId: NewId
  now: () => number
}

export interface App {
  fetch(request: Request): Response | Promise<Response>
  /** For errors that strike after a handler has answered, such as a file that cannot be read. */
  renderError(error: unknown): Response
  /** After the last request: ends the jobs, writes the counters down, leaves no child process. */
  stop(): Promise<void>
}

export function createApp({ database, storage, settings, log, newId, now }: AppParts): App {
  const renderError = createRenderError({ log, newId })
  const images = createImages()

  // Files and what follows from changing them
  const discards = createDiscards({ database, storage, log, now })
  const relocations = createRelocations({ database, storage, discards, newId, log })
  const derive = createDerive({ database, storage, images, discards, log })
  const queue = createDeriveQueue({ database, derive, log })
  const media = createMedia({
    database,
    storage,
    discards,
    newId,
    now,
    derivable: isDerivable,
    onStored: queue.add,
  })

  const tokens = createTokens({ database, newId, now })
  const upload = createUpload({ database, storage, media, settings })
  const retrievals = createRetrievals({ database, now })
  const serve = createServe({ database, storage, retrievals, hurry: queue.hurry })

  // Stored content, before any router
  const content = serveRoute({ serve, settings, renderError })

  // Everything else, by scope
  const router = new Hono()
  mount(router, open, [{ method: 'GET', path: '/health', handle: context => context.json({ ok: true }) }])
  mount(router, tokenScope(tokens), [
    uploadRoute({ upload, settings }), //             POST   /api/upload
    ...mediaRoutes({ database, media, settings }), // GET    /api/exists, DELETE /api/media/<pfad>
  ])
  router.notFound(() => withCors(renderError(failure.routeUnknown())))
  router.onError(error => renderError(error))

  const jobs = startJobs(
    [
      { name: 'retrieval counters', every: FLUSH_INTERVAL, run: retrievals.flush },
      { name: 'discard list', every: MINUTE, run: discards.run },
      { name: 'relocation list', every: MINUTE, run: relocations.run },
      { name: 'derived files', every: MINUTE, run: queue.refill },
      { name: 'orphan sweep', every: DAY, run: () => sweep({ database, storage, now }) },
    ],
    log,
  )
  void queue.refill()

  return {
    renderError,
    fetch: request => content(request) ?? Promise.resolve(router.fetch(request)).then(withCors),
    async stop() {
      await jobs.stop()
      await images.close()
      await queue.stop()
      await discards.stop()
      await retrievals.flush()
    },
  }
}
