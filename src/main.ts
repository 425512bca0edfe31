/** The service as a process: configuration → adapters → app → listen → graceful stop. */
import { type App, createApp } from './app.ts'
import { type Config, ConfigError } from './config.ts'
import { createPasswords } from './features/session/passwords.ts'
import { prepareSetup } from './features/session/setup.ts'
import { createSettings } from './features/settings/settings.ts'
import type { BuiltFiles } from './features/web/built.ts'
import { openHouse } from './house.ts'
import { newId } from './ids.ts'
import { createLog } from './log.ts'
import { errorCode } from './storage/platform.ts'

/** A connection on which nothing moves for this long is given up, in seconds. */
const IDLE_SECONDS = 60

/** What running requests get to come to an end after SIGTERM. */
const STOP_PATIENCE = 30_000
const STOP_POLL = 20

export async function runService(config: Config, webFiles: BuiltFiles): Promise<void> {
  const log = createLog({
    level: config.logLevel,
    write: line => process.stdout.write(line),
    readable: process.stdout.isTTY === true,
  })
  const house = await openHouse(config)
  const server = listen(config, {
    fetch: (request, peers) => app.fetch(request, peers),
    renderError: error => app.renderError(error),
  })
  const port = server.port ?? config.port
  const settings = createSettings({
    environment: config.environment,
    port,
    saved: house.database,
  })
  const { admin, trustedProxies, quietPeriod } = config
  const app = createApp({
    ...house,
    settings,
    dataDir: config.dataDir,
    trustedProxies,
    webFiles,
    ...(quietPeriod !== undefined && { quietPeriod }),
    log,
    newId,
    now: Date.now,
  })
  // Only now that the port is ours: a second start by mistake must not make the code of the first one void.
  await prepareSetup({
    database: house.database,
    passwords: createPasswords(),
    admin,
    log,
    newId,
    now: Date.now,
  })
  log.info('listening', {
    port,
    host: config.host,
    address: settings.current().PUBLIC_URL,
    data: config.dataDir,
  })

  const signal = await new Promise<string>(resolve => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve(name))
  })
  log.info('stopping', { signal })
  // First of all what only memory holds: not every supervisor waits as long as a slow upload may take.
  await app.writeDown().catch(error => log.error('counters could not be written', { cause: error }))
  app.endStreams()
  await finishRequests(server)
  await app.stop()
  await house.database.close()
  log.info('stopped')
}

function listen({ port, host }: Config, app: Pick<App, 'fetch' | 'renderError'>) {
  try {
    return Bun.serve({
      port,
      hostname: host,
      idleTimeout: IDLE_SECONDS,
      // Each route sets its own limit, and counts what really arrives.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      fetch: app.fetch,
      error: app.renderError,
    })
  } catch (error) {
    if (!['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND'].includes(errorCode(error))) throw error
    throw new ConfigError(
      `Auf ${host}:${port} kann der Dienst nicht lauschen: die Adresse gibt es hier nicht, oder der Port ist belegt oder nicht erlaubt.`,
    )
  }
}

/**
 * Takes no more connections and lets running requests come to their end. `stop()` alone would also wait for clients that
 * keep a connection open on which a refused body was never read to its end.
 */
async function finishRequests(server: Bun.Server<unknown>): Promise<void> {
  void server.stop()
  const end = Date.now() + STOP_PATIENCE
  while (server.pendingRequests > 0 && Date.now() < end) await Bun.sleep(STOP_POLL)
  await server.stop(true)
}
