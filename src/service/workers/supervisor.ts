/**
 * The process that an operator starts when several workers serve one port. It answers no request; it starts
 * the workers and keeps them running. SIGTERM and SIGINT stop all workers. SIGHUP replaces them without
 * downtime, except at a terminal.
 */
import { availableParallelism } from 'node:os'
import { openDataFolder } from '../../adapters/data-folder.ts'
import { terminalLanguageOf } from '../../base/language.ts'
import { createLog, type Log } from '../../base/log.ts'
import { DISK_ERROR_EXIT_CODE } from '../../base/system/disk-faults.ts'
import { errorCode } from '../../base/system/error-code.ts'
import { type Config, ConfigError } from '../../config/config.ts'
import { listen, portTakenText } from '../listen.ts'
import { onStopSignal } from '../stop-signal.ts'
import { createTerminal } from '../terminal.ts'
import { createWorkerExchange } from './exchange.ts'
import { createHeartbeatWatch } from './watch.ts'
import { createWorkerPool } from './worker-pool.ts'
import { startWorker, type WorkerProcess } from './worker-process.ts'

/**
 * Runs until the stop signal, or until a worker fails in the initial start or gives up (disk error).
 * Returns the exit code: 0 after a signal, otherwise that of the worker (1 if the worker was killed).
 */
export async function runSupervisor(config: Config, workerCount: number): Promise<number> {
  const write = (text: string) => process.stdout.write(text)
  const isTerminal = process.stdout.isTTY
  const terminal = isTerminal
    ? createTerminal({ language: terminalLanguageOf(config.environment), write })
    : null
  const log = createLog({
    level: config.logLevel ?? (terminal ? 'warn' : 'info'),
    write,
    isHumanReadable: isTerminal,
  })
  const releasePort = await claimPort(config, log)
  const cores = availableParallelism()
  if (workerCount > cores)
    log.warn('more workers than cores bring nothing: they share the cores and take memory', {
      WORKERS: workerCount,
      cores,
    })

  const startedAt = Date.now()
  const answeringWorkers = new Set<WorkerProcess>()
  const exchange = createWorkerExchange(() => answeringWorkers)
  const heartbeatWatch = createHeartbeatWatch({ hangTimeout: config.hangTimeout, log })
  const giveUpSignal = Promise.withResolvers<void>()
  const workerPool = createWorkerPool({
    count: workerCount,
    log,
    onGivenUp() {
      giveUpSignal.resolve()
      workerPool.kill()
    },
    launch(number, port) {
      const worker = startWorker({
        beginMessage: { kind: 'begin', number, count: workerCount, startedAt, port: port ?? config.port },
        environment: config.environment,
        onReport(sender, report) {
          heartbeatWatch.onHeartbeat(sender)
          exchange.onReport(sender, report)
        },
      })
      void worker.ready.then(port => {
        if (port === null) return
        answeringWorkers.add(worker)
        heartbeatWatch.startWatching(worker)
        log.info('a worker answers', { worker: number, pid: worker.pid })
      })
      return worker
    },
    onExit(worker) {
      answeringWorkers.delete(worker)
      heartbeatWatch.stopWatching(worker)
      exchange.onExit(worker)
    },
  })

  // The handlers of the stop signals and of SIGHUP are installed before the first worker starts: otherwise a
  // signal would end this process without stopping the worker that is starting.
  const stopSignal = onStopSignal(log, workerPool.kill)
  // At a terminal, SIGHUP means that its window was closed, and ends this process as usual.
  if (!terminal)
    replaceWorkersOnHangUp({
      log,
      async replaceWorkers() {
        if ((await startOutcome) === null) await workerPool.replaceAll()
      },
    })
  const startOutcome = workerPool.start()
  const startFailure = await Promise.race([startOutcome, stopSignal])
  if (startFailure === null) {
    const endReason = await Promise.race([stopSignal, giveUpSignal.promise.then(() => DISK_ERROR_EXIT_CODE)])
    if (endReason === DISK_ERROR_EXIT_CODE) {
      await workerPool.stop()
      return DISK_ERROR_EXIT_CODE
    }
    terminal?.stopping()
  }
  await workerPool.stop()
  releasePort()
  log.info('every worker has ended')
  terminal?.stopped()
  if (startFailure === null || startFailure === undefined) return 0
  // A worker that could not start has logged the reason, unless it was killed.
  return typeof startFailure === 'number' ? startFailure : 1
}

/**
 * Replaces the workers at each SIGHUP. A signal that arrives during the initial start, or during a
 * replacement, takes effect afterwards.
 */
function replaceWorkersOnHangUp({
  replaceWorkers,
  log,
}: {
  replaceWorkers(): Promise<void>
  log: Log
}): void {
  let lastReplacement = Promise.resolve()
  process.on('SIGHUP', () => {
    log.info('every worker is being replaced', { signal: 'SIGHUP' })
    lastReplacement = lastReplacement
      .then(replaceWorkers)
      .catch(cause => log.error('the workers could not be replaced', { cause }))
  })
}

/**
 * Prepares the data folder, once for all workers, and prevents a second service on the same port. The workers
 * share the port, so the system would admit another service, which would get part of the requests. To find
 * one that is running, this function opens the port for a moment without sharing it, which fails while
 * another process listens there. Two services that start at the same moment would both pass that check, since
 * no worker listens yet; so each first claims a name that only one process can hold (`claimPortName`).
 * Returns a function that releases that name.
 */
async function claimPort(config: Config, log: Log): Promise<() => void> {
  await openDataFolder(config.dataDir, log)
  // For port 0 the system chooses a free port, so there can be no conflict.
  if (config.port === 0) return () => {}
  const releaseName = claimPortName(config)
  try {
    const refuseAll = () => new Response(null, { status: 503 })
    await listen(config, { fetch: refuseAll, error: refuseAll }).stop(true)
  } catch (error) {
    releaseName()
    throw error
  }
  return releaseName
}

/**
 * Takes the name of an abstract Unix socket (unix(7)), which only one process can hold. The name is not a
 * file. Containers with a network namespace of their own have their own names. The name is released when the
 * process ends, however it ends. Returns a function that releases it earlier.
 */
function claimPortName({ host, port }: Config): () => void {
  try {
    const socket = Bun.listen({ unix: `\0fundus ${host} ${port}`, socket: { data() {} } })
    return () => socket.stop(true)
  } catch (error) {
    throw errorCode(error) === 'EADDRINUSE' ? new ConfigError(...portTakenText(port)) : error
  }
}
