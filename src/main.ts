/** The service as a process: configuration → adapters → app → listen → graceful stop. */
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { createPasswords } from './features/session/passwords.ts'
import { prepareSetup } from './features/session/setup.ts'
import { createSettings } from './features/settings/settings.ts'
import { openHouse } from './house.ts'
import { newId } from './ids.ts'
import { createLog } from './log.ts'

/** A connection on which nothing moves for this long is given up, in seconds. */
const IDLE_SECONDS = 60

/** What running requests get to come to an end after SIGTERM. */
const STOP_PATIENCE = 30_000

export async function runService(config: Config): Promise<void> {
  const log = createLog({
    level: config.logLevel,
    write: line => process.stdout.write(line),
    readable: process.stdout.isTTY === true,
  })
  const house = await openHouse(config)
  const server = Bun.serve({
    port: config.port,
    hostname: config.host,
    idleTimeout: IDLE_SECONDS,
    // Each route sets its own limit, and counts what really arrives.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    fetch: (request, server) => app.fetch(request, server),
    error: error => app.renderError(error),
  })
  const port = server.port ?? config.port
  const settings = createSettings({ environment: config.environment, port })
  const { admin, trustedProxies } = config
  const app = createApp({ ...house, settings, trustedProxies, log, newId, now: Date.now })
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
  const patience = Bun.sleep(STOP_PATIENCE)
  await Promise.race([server.stop(), patience])
  await server.stop(true)
  await app.stop()
  await house.database.close()
  log.info('stopped')
}
