/** The service as a process: configuration → adapters → port → app → graceful stop. */

import { type Adapters, instanceLocation, openAdapters } from '../adapters/adapters.ts'
import { newId } from '../base/ids.ts'
import { type TextPair, terminalLanguageOf } from '../base/language.ts'
import { createLineBuffer, createLog, type Log } from '../base/log.ts'
import { sealPrototypes } from '../base/sealed-prototypes.ts'
import { descriptorLimit, divideDescriptors } from '../base/system/descriptors.ts'
import { withTimeout } from '../base/time-limit.ts'
import { type Config, ConfigError } from '../config/config.ts'
import { DELAYS, type Delays } from '../config/delays.ts'
import { setupLink } from '../contract/accounts/setup-link.ts'
import type { SettingValues } from '../contract/service/settings.ts'
import { prepareSetup } from '../features/session/setup.ts'
import { type Argon, createPasswords } from '../features/session/sign-in/passwords.ts'
import { settingWarningsOf } from '../features/settings/setting-warnings.ts'
import { createSettings } from '../features/settings/settings.ts'
import type { BuiltFiles } from '../features/web/built-files.ts'
import { SINGLE_PROCESS, type Workers } from '../features/workers.ts'
import { createRequestIds, type RequestIds } from '../http/request-id.ts'
import type { HttpServer } from '../http/server/http-server.ts'
import { type StartDecoder, startDecoderProcess } from '../images/child.ts'
import { answerWhenReady } from './health.route.ts'
import { listen, type ServerHandlers } from './listen.ts'
import { type App, createApp } from './running-app.ts'
import { onStopSignal } from './stop-signal.ts'
import { createTerminal, type Terminal } from './terminal.ts'
import { CAN_SHARE_PORT } from './workers/worker-count.ts'

const STOP_POLL_INTERVAL = 20
/** Milliseconds after startup until we free the memory that loading the program has left behind. */
const FREE_MEMORY_DELAY = 3_000

/**
 * Maximum milliseconds at shutdown: for writing what is only in memory (`writeDown`) to the database, and for
 * closing the app and the adapters at the end.
 */
const WRITE_TIMEOUT = 8_000
const CLOSE_TIMEOUT = 20_000
/**
 * Milliseconds for which a process whose successor already listens tells clients to close their connections,
 * before it stops listening itself.
 */
const DRAIN_TIME = 1_000

/**
 * Without PUBLIC_URL, the addresses of files would contain the port of one instance, which is useless if
 * several instances share an address.
 */
const PUBLIC_URL_MISSING_TEXT: TextPair = [
  'Die Umgebungsvariable PUBLIC_URL fehlt: Mehrere Instanzen hinter einer Adresse brauchen diese Adresse, um die der Dateien zu nennen.',
  'The environment variable PUBLIC_URL is missing: several instances behind one address need that address to name those of the files.',
]

interface ProcessContext {
  /** Receives each log line, including the line end. */
  write: (line: string) => void
  /** Prints sentences for a person, in addition to the log; null if standard output is not a terminal. */
  terminal: Terminal | null
  now: () => number
  delays: Delays
  /** Password hashing; tests use a cheaper setting. */
  argon: Argon
  /**
   * Starts a decoder, a process that decodes pictures and videos. Tests reuse the decoders of services that
   * have stopped.
   */
  startDecoder: StartDecoder
  workers: Workers
  /** Opens the database and the storage. Some tests open ones that fail. */
  openAdapters: typeof openAdapters
}

interface StopOptions {
  /** Whether another process continues to serve this port, so that clients should reconnect to it. */
  drain?: boolean
  /** Maximum milliseconds for running requests to finish; the configured time if absent. */
  gracePeriod?: number
}

export type RunningService = Awaited<ReturnType<typeof startService>>

/** The context of a real process, unlike that of a test: standard output, system clock, terminal. */
export function processContextOf(config: Config): ProcessContext {
  const { write, flush } = createLineBuffer(text => process.stdout.write(text))
  process.on('exit', flush)
  const language = terminalLanguageOf(config.environment)
  const terminal = process.stdout.isTTY ? createTerminal({ language, write }) : null
  return {
    write,
    terminal,
    now: Date.now,
    delays: { ...DELAYS, recordTimeLimit: config.recordTimeLimit },
    argon: Bun.password,
    startDecoder: startDecoderProcess,
    workers: SINGLE_PROCESS,
    openAdapters,
  }
}

/** Runs one service in this process until the stop signal. */
export async function runService(config: Config, webFiles: BuiltFiles): Promise<void> {
  sealPrototypes()
  const processContext = processContextOf(config)
  const { terminal } = processContext
  const service = await startService(config, webFiles, processContext)
  if (config.workers !== 1 && !CAN_SHARE_PORT)
    service.log.warn('only Linux spreads one port over several workers: one runs', {
      WORKERS: config.workers,
    })
  // With several workers, SIGHUP replaces them. A single process only logs it. At a terminal and on Windows,
  // SIGHUP means that the window was closed, so it ends the process.
  if (!terminal && process.platform !== 'win32')
    process.on('SIGHUP', signal =>
      service.log.warn('one process runs, which goes on: only several workers are replaced', { signal }),
    )
  service.announce()
  freeMemoryAfterStart()
  await onStopSignal(service.log)
  terminal?.stopping()
  await service.stop()
  terminal?.stopped()
}

/**
 * `FREE_MEMORY_DELAY` milliseconds after the call, frees about 4 MB of memory that loading the program has
 * left behind, compiled code included. This pauses the process once for about 50 ms, and functions that are
 * called afterwards must be compiled again. Without `Bun.gc`, the allocator often keeps the memory that
 * `Bun.shrink` frees.
 */
export function freeMemoryAfterStart(): void {
  const timer = setTimeout(() => {
    Bun.shrink()
    Bun.gc(true)
  }, FREE_MEMORY_DELAY)
  timer.unref()
}

/**
 * Starts a service in this process. It changes no process-wide state except the umask, so one process can run
 * several services.
 */
export async function startService(config: Config, webFiles: BuiltFiles, processContext: ProcessContext) {
  const { terminal, now, delays, argon, startDecoder, workers } = processContext
  const sharesPort = workers.count > 1
  const requestIds = createRequestIds({ newId })
  const log = createServiceLog(config, processContext, requestIds)
  const adapters = await processContext.openAdapters(config, {
    log,
    now,
    mayCreate: true,
    isFolderOpen: workers.ownWorker !== null,
  })
  // This must come before this function adds rows to the database: `record` finds a loss of changes by the
  // last row numbers, and new rows raise these.
  await adapters.lostChanges
    .record()
    .catch(cause => log.warn('the age of the database is unknown', { cause }))
  const {
    admin,
    dataDir,
    trustedProxies,
    quietPeriod,
    metricsToken,
    isInternalWebhookAllowed,
    discordAddress,
  } = config
  const passwords = createPasswords(argon, workers.count)
  const prepareFirstAccount = () => prepareSetup({ ...adapters, passwords, admin, log, newId })
  // A worker opens the port only when it can answer, because other workers may be answering there already.
  let setupCode = sharesPort ? await prepareFirstAccount() : null
  let isPrepared = sharesPort
  const serverHandlers: ServerHandlers = {
    fetch: answerWhenReady(
      () => isPrepared,
      () => app,
    ),
    error: error => app.renderError(error),
    onOverload: overload =>
      log.warn('too many connections: idle ones are closed, and where there are none, new ones are refused', {
        ...overload,
      }),
    onUnavailable(reason) {
      // The reason is the same in all workers.
      if ((workers.ownWorker?.number ?? 1) > 1) return
      log.warn('files are read and written in pieces, because the kernel is not to send them', { reason })
    },
  }
  const server = await listenOrClose(adapters, () =>
    listen(config, serverHandlers, { reusePort: sharesPort }),
  )
  const { port } = server
  const settings = createSettings({
    environment: config.environment,
    port,
    database: adapters.database,
    onUnusable: (setting, sentence) => log.warn('a saved setting cannot be used', { setting, sentence }),
  })
  if (config.sharedServices && settings.resolution().sources.PUBLIC_URL === 'vorgabe') {
    server.stop(true)
    await adapters.close()
    throw new ConfigError(...PUBLIC_URL_MISSING_TEXT)
  }
  const app = createApp({
    ...adapters,
    settings,
    passwords,
    webFiles,
    log,
    ids: requestIds,
    newId,
    delays,
    startDecoder,
    workers,
    dataDir,
    trustedProxies,
    quietPeriod,
    metricsToken,
    isInternalWebhookAllowed,
    discordAddress,
    connections: server.connections,
    maxOpenFiles: server.sendsFiles ? divideDescriptors(descriptorLimit()).maxOpenFiles : 0,
    // The machine's memory is shared between the workers.
    preparedBytes: config.preparedAnswersBytes / workers.count,
  })
  // This comes only after binding the port: a second service that was started by mistake, with another
  // environment, fails to bind and must not create an account. (For a worker, the supervisor has already
  // checked the port.)
  if (!sharesPort) setupCode = await prepareFirstAccount()
  isPrepared = true
  return {
    port,
    log,
    app,
    /** Logs warnings about settings, and reports the address of the service in the log or at the terminal. */
    announce() {
      const settingValues = settings.current()
      for (const { name, code, sentence } of settingWarningsOf(settingValues, adapters.storage))
        log.warn('a setting cannot do what it is for', { setting: name, code, sentence })
      announceAddress({ ...settingValues, setupCode, port }, { config, log, terminal })
    },
    /** Lets running requests finish for at most `gracePeriod` milliseconds, then closes everything. */
    stop: ({ drain = false, gracePeriod = config.stopTimeout }: StopOptions = {}) =>
      shutDown({ server, app, adapters, log, drain, gracePeriod }),
  }
}

function createServiceLog(
  config: Config,
  { write, terminal, workers }: ProcessContext,
  requestIds: RequestIds,
): Log {
  return createLog({
    level: config.logLevel ?? (terminal ? 'warn' : 'info'),
    write,
    isHumanReadable: terminal !== null,
    ...(workers.ownWorker && { commonFields: { worker: workers.ownWorker.number } }),
    currentRequestId: requestIds.currentId,
  })
}

interface Announcement extends Pick<SettingValues, 'PUBLIC_URL' | 'DIENST' | 'FILES_HOST'> {
  port: number
  setupCode: string | null
}

function announceAddress(
  { PUBLIC_URL: address, DIENST: name, FILES_HOST, port, setupCode }: Announcement,
  { config, log, terminal }: { config: Config; log: Log; terminal: Terminal | null },
): void {
  // The set-up code is logged as a warning, because nobody can sign in without it. If `FILES_HOST` is set,
  // the address of the dashboard uses localhost, because `PUBLIC_URL` then names the host of the files, where
  // the dashboard does not answer.
  const dashboardAddress = FILES_HOST === '' ? address : `http://localhost:${port}`
  if (setupCode !== null && !terminal) {
    log.warn(`Einrichtungscode: ${setupCode}`)
    log.warn(
      `Set-up link, opened in a browser it creates the first account: ${setupLink(dashboardAddress, setupCode)}`,
    )
  }
  log.info('listening', { port, host: config.host, address, data: config.dataDir })
  terminal?.greet({ name, setupCode, dataLocation: instanceLocation(config), address: dashboardAddress })
}

/** Opens the port. If that fails, closes the adapters. */
async function listenOrClose(adapters: Adapters, openPort: () => HttpServer): Promise<HttpServer> {
  try {
    return openPort()
  } catch (error) {
    await adapters.close()
    throw error
  }
}

interface ShutdownParts {
  server: HttpServer
  app: App
  adapters: Adapters
  log: Log
  drain: boolean
  gracePeriod: number
}

async function shutDown({ server, app, adapters, log, drain, gracePeriod }: ShutdownParts): Promise<void> {
  if (drain) {
    server.drain()
    await Bun.sleep(DRAIN_TIME)
  }
  // Before running requests are waited for, new connections are refused and the data that is only in memory
  // is written: a process manager may kill this process before a slow upload ends.
  server.stop()
  await withTimeout(WRITE_TIMEOUT, app.writeDown(), throwTimeoutError).catch(cause =>
    log.error('counters could not be written', { cause }),
  )
  app.endStreams()
  const cutOffCount = await finishRequests(server, gracePeriod)
  if (cutOffCount > 0) log.warn('requests were cut off', { requests: cutOffCount })
  // A database that hangs must not delay the exit for longer; everything important is stored already.
  await withTimeout(CLOSE_TIMEOUT, closeAppAndAdapters(app, adapters), throwTimeoutError).catch(cause =>
    log.error('the end was not clean', { cause }),
  )
  log.info('stopped')
}

async function closeAppAndAdapters(app: App, adapters: Adapters): Promise<void> {
  await app.stop()
  await adapters.close()
}

function throwTimeoutError(): never {
  throw new Error('not done in time')
}

/**
 * Waits for running requests, then closes all connections. Returns the number of requests that did not finish
 * in time.
 */
async function finishRequests(server: HttpServer, gracePeriod: number): Promise<number> {
  const deadline = Date.now() + gracePeriod
  while (server.pendingRequests > 0 && Date.now() < deadline) await Bun.sleep(STOP_POLL_INTERVAL)
  const cutOffCount = server.pendingRequests
  server.stop(true)
  return cutOffCount
}
