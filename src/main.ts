/** The service as a process: configuration → adapters → app → listen → graceful stop. */

import { type Adapters, openAdapters, placeOf } from './adapters.ts'
import { type Config, ConfigError } from './config.ts'
import type { SettingValues } from './contract/settings.ts'
import { DELAYS, type Delays } from './delays.ts'
import { failure } from './errors.ts'
import { type Argon, createPasswords } from './features/session/passwords.ts'
import { prepareSetup } from './features/session/setup.ts'
import { warningsOf } from './features/settings/setting-warnings.ts'
import { createSettings } from './features/settings/settings.ts'
import type { BuiltFiles } from './features/web/built.ts'
import { listen } from './http/listen.ts'
import { createRequestIds } from './http/request-id.ts'
import { newId } from './ids.ts'
import { type StartDecoder, startChild } from './images/child.ts'
import { createLog, gatherLines, type Log } from './log.ts'
import { type App, createApp } from './running-app.ts'
import { createTerminal, speaksEnglish, type Terminal } from './terminal.ts'

const STOP_POLL = 20

/** Milliseconds for writing the counters at the stop signal, and for closing everything after the last request. */
const WRITE_PATIENCE = 8_000
const END_PATIENCE = 20_000

/** The default names the port of one instance, which nobody reaches from outside when several stand behind one address. */
const PUBLIC_URL_MISSING =
  'Die Umgebungsvariable PUBLIC_URL fehlt: Mehrere Instanzen hinter einer Adresse brauchen diese Adresse, um die der Dateien zu nennen.'

/** Numbers for the exit code after a second signal: 128 + number, as for a process that a signal killed. */
const SIGNAL_NUMBERS = { SIGTERM: 15, SIGINT: 2, SIGBREAK: 21, SIGHUP: 1 } as const
type StopSignal = keyof typeof SIGNAL_NUMBERS
/**
 * Windows has no SIGTERM. A terminal there gives Ctrl+C (SIGINT), Ctrl+Break (SIGBREAK) or notice that its window closes (SIGHUP);
 * service managers such as WinSW and NSSM give Ctrl+C.
 */
const STOP_SIGNALS: readonly StopSignal[] =
  process.platform === 'win32' ? ['SIGINT', 'SIGBREAK', 'SIGHUP'] : ['SIGTERM', 'SIGINT']

interface Surroundings {
  /** Receives each log line, including its line end. */
  write: (line: string) => void
  /** A person who watches, and reads this instead of JSON lines; null: a program reads. */
  terminal: Terminal | null
  now: () => number
  delays: Delays
  /** How passwords are hashed; tests with another subject use a cheaper setting. */
  argon: Argon
  /** How the decoders of pictures start; tests with another subject take over those of services that have stopped. */
  startDecoder: StartDecoder
}

export interface RunningService {
  readonly port: number
  readonly log: Log
  /** Lets running requests finish, then closes everything. */
  stop(): Promise<void>
}

/** Runs one service in a process of its own, from the start to the stop signal. */
export async function runService(config: Config, webFiles: BuiltFiles): Promise<void> {
  const { write, flush } = gatherLines(text => process.stdout.write(text))
  process.on('exit', flush)
  const english = speaksEnglish(config.environment)
  const terminal = process.stdout.isTTY ? createTerminal({ english, write }) : null
  const service = await startService(config, webFiles, {
    write,
    terminal,
    now: Date.now,
    delays: DELAYS,
    argon: Bun.password,
    startDecoder: startChild,
  })
  await stopSignal(service.log)
  terminal?.stopping()
  await service.stop()
  terminal?.stopped()
}

/** Starts a service. Changes no state of the whole process, so that one process can run several services. */
export async function startService(
  config: Config,
  webFiles: BuiltFiles,
  { write, terminal, now, delays, argon, startDecoder }: Surroundings,
): Promise<RunningService> {
  const ids = createRequestIds({ newId })
  const log = createLog({
    level: config.logLevel ?? (terminal ? 'warn' : 'info'),
    write,
    readable: terminal !== null,
    request: ids.current,
  })
  const adapters = await openAdapters(config, { log, now })
  let prepared = false
  const server = await listenOrClose(adapters, () =>
    listen(config, {
      fetch: (request, peers) =>
        prepared ? app.fetch(request, peers) : app.renderError(failure.starting(), request),
      error: error => app.renderError(error),
    }),
  )
  const port = server.port ?? config.port
  const settings = createSettings({
    environment: config.environment,
    port,
    saved: adapters.database,
    onUnusable: (setting, sentence) => log.warn('a saved setting cannot be used', { setting, sentence }),
  })
  if (config.shared && settings.resolution().sources.PUBLIC_URL === 'vorgabe') {
    await server.stop(true)
    await adapters.close()
    throw new ConfigError(PUBLIC_URL_MISSING)
  }
  const { admin, dataDir, trustedProxies, quietPeriod, metricsToken, preparedBytes } = config
  const passwords = createPasswords(argon)
  const app = createApp({
    ...adapters,
    ...{ settings, passwords, webFiles, log, ids, newId, delays, startDecoder },
    ...{ dataDir, trustedProxies, quietPeriod, metricsToken, preparedBytes },
  })
  // Only after the port was bound: a second service started by mistake, with another environment, cannot bind the
  // port and must not create an account.
  const setupCode = await prepareSetup({ ...adapters, passwords, admin, log, newId })
  prepared = true
  for (const { name, code, sentence } of warningsOf(settings.current(), adapters.storage))
    log.warn('a setting cannot do what it is for', { setting: name, code, sentence })
  tellWhere({ ...settings.current(), setupCode, port }, { config, log, terminal })
  return { port, log, stop: () => shutDown({ server, app, adapters, log, patience: config.stopPatience }) }
}

interface Listening extends Pick<SettingValues, 'PUBLIC_URL' | 'DIENST' | 'FILES_HOST'> {
  port: number
  setupCode: string | null
}

/** Says where the service is: to programs in the log, to a person at the terminal. */
function tellWhere(
  { PUBLIC_URL: address, DIENST: name, FILES_HOST, port, setupCode }: Listening,
  { config, log, terminal }: { config: Config; log: Log; terminal: Terminal | null },
): void {
  // The message is a warning, louder than `info`: without the code nobody can sign in.
  if (setupCode !== null && !terminal) log.warn(`Einrichtungscode: ${setupCode}`)
  log.info('listening', { port, host: config.host, address, data: config.dataDir })
  // On the host of the files the dashboard does not answer.
  const dashboard = FILES_HOST === '' ? address : `http://localhost:${port}`
  terminal?.greet({ name, setupCode, data: placeOf(config), address: dashboard })
}

/** Closes the adapters when the service cannot listen. */
async function listenOrClose(
  adapters: Adapters,
  open: () => Bun.Server<unknown>,
): Promise<Bun.Server<unknown>> {
  try {
    return open()
  } catch (error) {
    await adapters.close()
    throw error
  }
}

/** Resolves at the first signal. A second signal ends the process at once: the operator does not want to wait. */
function stopSignal(log: Log): Promise<void> {
  return new Promise(resolve => {
    let asked = false
    for (const signal of STOP_SIGNALS) {
      process.on(signal, () => {
        if (asked) {
          log.warn('stopped at once', { signal })
          process.exit(128 + SIGNAL_NUMBERS[signal])
        }
        asked = true
        log.info('stopping', { signal })
        resolve()
      })
    }
  })
}

interface Running {
  server: Bun.Server<unknown>
  app: App
  adapters: Adapters
  log: Log
  patience: number
}

async function shutDown({ server, app, adapters, log, patience }: Running): Promise<void> {
  // First refuse new connections and write the counters that are only in memory: a supervisor may kill the process
  // before a slow upload ends.
  void server.stop()
  await within(WRITE_PATIENCE, app.writeDown()).catch(cause =>
    log.error('counters could not be written', { cause }),
  )
  app.endStreams()
  const cut = await finishRequests(server, patience)
  if (cut > 0) log.warn('requests were cut off', { requests: cut })
  // A database that hangs must not hold the process up: all that counts is in the database or lost with it.
  await within(END_PATIENCE, endAll(app, adapters)).catch(cause =>
    log.error('the end was not clean', { cause }),
  )
  log.info('stopped')
}

async function endAll(app: App, adapters: Adapters): Promise<void> {
  await app.stop()
  await adapters.close()
}

async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(new Error(`not within ${milliseconds} ms`)), milliseconds)
  await Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

/**
 * Lets running requests finish; answers how many did not finish in time. `stop()` alone would also wait for clients
 * that keep a connection open on which the service refused a body and never read it to the end.
 */
async function finishRequests(server: Bun.Server<unknown>, patience: number): Promise<number> {
  const end = Date.now() + patience
  while (server.pendingRequests > 0 && Date.now() < end) await Bun.sleep(STOP_POLL)
  const cut = server.pendingRequests
  await server.stop(true)
  return cut
}
