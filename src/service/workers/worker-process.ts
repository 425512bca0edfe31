/** A worker from the supervisor's point of view: a child process with an IPC channel. */
import { attempt } from '../../base/attempt.ts'
import { withTimeout } from '../../base/time-limit.ts'
import type { Environment } from '../../config/config.ts'
import { type SupervisorMessage, WORKER_VARIABLE, type WorkerMessage } from './messages.ts'

/** Maximum milliseconds to wait for the last messages after a worker has exited. */
const LAST_MESSAGES_TIMEOUT = 1_000

export interface WorkerProcess {
  readonly number: number
  readonly pid: number
  /** The port on which the worker answers; null if the worker exited before it could answer. */
  readonly ready: Promise<number | null>
  /**
   * The exit code, or the name of the signal that killed the worker. It resolves when all reports of the
   * worker were received, at most `LAST_MESSAGES_TIMEOUT` after the exit.
   */
  readonly exited: Promise<number | string>
  send(message: SupervisorMessage): void
  kill(): void
}

export interface WorkerOptions {
  beginMessage: Extract<SupervisorMessage, { kind: 'begin' }>
  environment: Environment
  onReport(sender: WorkerProcess, report: WorkerMessage): void
}

export function startWorker({ beginMessage, environment, onReport }: WorkerOptions): WorkerProcess {
  const portDeferred = Promise.withResolvers<number | null>()
  const disconnection = Promise.withResolvers<void>()
  const child = Bun.spawn({
    cmd: [process.execPath, Bun.main, 'start', '--no-build'],
    env: { ...environment, [WORKER_VARIABLE]: String(process.pid) },
    stdio: ['ignore', 'inherit', 'inherit'],
    serialization: 'json',
    ipc(report: WorkerMessage) {
      if (report.kind === 'hello') worker.send(beginMessage)
      else if (report.kind === 'ready') portDeferred.resolve(report.port)
      else onReport(worker, report)
    },
    onDisconnect: () => disconnection.resolve(),
  })
  const worker: WorkerProcess = {
    number: beginMessage.number,
    pid: child.pid,
    ready: portDeferred.promise,
    exited: child.exited.then(async exitCode => {
      await withTimeout(LAST_MESSAGES_TIMEOUT, disconnection.promise)
      portDeferred.resolve(null)
      return child.signalCode ?? exitCode
    }),
    // Sending fails if the worker is exiting; `exited` reports the exit.
    send: message => void attempt(() => child.send(message)),
    kill: () => child.kill('SIGKILL'),
  }
  return worker
}
