/** A worker's connection to its supervisor and, through it, to the other workers. */
import { withTimeout } from '../../base/time-limit.ts'
import type { ServiceEvent } from '../../contract/files/events.ts'
import type { Figures } from '../../features/metrics/figures.ts'
import type { TimedStatus, Workers } from '../../features/workers.ts'
import {
  type SupervisorMessage,
  WORKER_VARIABLE,
  type WorkerMessage,
  type WorkerQuestion,
} from './messages.ts'

/**
 * Milliseconds to wait for an answer of the supervisor, which itself waits at most a second for the workers.
 */
const ANSWER_TIMEOUT = 3_000

/**
 * Milliseconds between two heartbeats, and between two checks whether the supervisor still runs. The
 * supervisor kills a worker whose heartbeats stop (`watch.ts`).
 */
const HEARTBEAT_INTERVAL = 1_000

/**
 * Milliseconds that a worker gets for its shutdown after its supervisor has exited; after that it exits at
 * once.
 */
const ORPHAN_TIMEOUT = 30_000

type BeginMessage = Extract<SupervisorMessage, { kind: 'begin' }>

/** What the supervisor and the other workers may request from this process. */
export interface WorkerServices {
  announce(): void
  figures(): Figures
  writeDown(): Promise<void>
  publishHere(event: ServiceEvent): void
  adoptStatus(status: TimedStatus): void
}

/**
 * Calls `onOrphaned` when the supervisor has exited, and ends this process within `ORPHAN_TIMEOUT`. The IPC
 * channel alone is not enough: on a busy machine a worker once lost the channel without being notified, and
 * ran for ever. The parent process id of an orphan always changes.
 */
function watchParent(channel: NodeJS.Process, onOrphaned: () => void): void {
  const supervisorPid = Number(channel.env[WORKER_VARIABLE])
  const timer = setInterval(() => {
    if (channel.ppid === supervisorPid) return
    clearInterval(timer)
    onOrphaned()
    setTimeout(() => channel.exit(1), ORPHAN_TIMEOUT).unref()
  }, HEARTBEAT_INTERVAL)
  timer.unref()
}

export async function joinSupervisor(channel: NodeJS.Process = process) {
  const beginDeferred = Promise.withResolvers<BeginMessage>()
  const stopRequest = Promise.withResolvers<{ drain: boolean; isSupervised: boolean }>()
  let services: WorkerServices | null = null
  const report = (message: WorkerMessage) => void (channel.connected && channel.send?.(message))
  const { ask, onAnswers } = createQuestionChannel(report)

  async function answer(id: number, question: WorkerQuestion): Promise<void> {
    if (question === 'write-down') await services?.writeDown().catch(() => {})
    report({ kind: 'answer', id, figures: services?.figures() ?? [] })
  }

  function onOrphaned(): void {
    // If the first message of the supervisor has not arrived yet, this process would wait for it for ever.
    beginDeferred.reject(new Error('the supervisor was gone before it said what to do'))
    stopRequest.resolve({ drain: false, isSupervised: false })
  }
  channel.on('disconnect', onOrphaned)
  if (!channel.connected) onOrphaned()
  watchParent(channel, onOrphaned)
  channel.on('message', (message: SupervisorMessage) => {
    if (message.kind === 'begin') beginDeferred.resolve(message)
    else if (message.kind === 'stop') stopRequest.resolve({ drain: message.drain, isSupervised: true })
    else if (message.kind === 'announce') services?.announce()
    else if (message.kind === 'event') services?.publishHere(message.event)
    else if (message.kind === 'status') services?.adoptStatus(message.seen)
    else if (message.kind === 'question') void answer(message.id, message.question)
    else onAnswers(message.id, message.figures)
  })
  report({ kind: 'hello' })
  const beginMessage = await beginDeferred.promise

  return {
    ...beginMessage,
    /**
     * Resolves when the supervisor requests a stop. Also resolves when the supervisor has exited, because
     * nobody else would then end this process.
     */
    stopRequested: stopRequest.promise,
    workers: {
      count: beginMessage.count,
      ownWorker: beginMessage,
      async figures() {
        const figures = await ask('figures')
        // The figures of this worker alone would be lower than the sums reported before, so monitoring would
        // conclude that the service was restarted.
        if (!figures)
          throw new Error('the supervisor does not answer, so nobody adds up the figures of the workers')
        return figures
      },
      writeDown: async () => void (await ask('write-down')),
      passEvent: event => report({ kind: 'event', event }),
      shareStatus: status => report({ kind: 'status', seen: status }),
    } satisfies Workers,
    /**
     * Called as soon as this worker answers requests: tells the supervisor, and begins to send heartbeats.
     */
    reportReady(port: number, offeredServices: WorkerServices) {
      services = offeredServices
      report({ kind: 'ready', port })
      setInterval(() => report({ kind: 'alive' }), HEARTBEAT_INTERVAL).unref()
    },
    /**
     * Called last: reports the final figures of this worker. The supervisor keeps its counters, so that the
     * totals do not drop when the worker has exited.
     */
    leave: (figures: Figures) =>
      new Promise<void>(resolve => {
        if (!channel.connected) return resolve()
        channel.send?.({ kind: 'figures', figures } satisfies WorkerMessage, undefined, undefined, () =>
          resolve(),
        )
      }),
  }
}

function createQuestionChannel(report: (message: WorkerMessage) => void) {
  const answerCallbacks = new Map<number, (figures: Figures) => void>()
  let lastQuestionId = 0
  return {
    /**
     * Asks all workers through the supervisor. Resolves with their merged figures; null if there is no answer
     * within `ANSWER_TIMEOUT`.
     */
    async ask(question: WorkerQuestion): Promise<Figures | null> {
      const id = ++lastQuestionId
      const { promise, resolve } = Promise.withResolvers<Figures>()
      answerCallbacks.set(id, resolve)
      report({ kind: 'ask', id, question })
      return withTimeout(ANSWER_TIMEOUT, promise, () => null).finally(() => answerCallbacks.delete(id))
    },
    onAnswers: (id: number, figures: Figures) => answerCallbacks.get(id)?.(figures),
  }
}
