/** A worker's connection to its supervisor and, through it, to the other workers. */
import { withTimeout } from '../../base/time-limit.ts'
import type { ServiceEvent } from '../../contract/files/events.ts'
import type { Figures } from '../../features/metrics/figures.ts'
import type { SeenStatus, Workers } from '../../features/workers.ts'
import { type Question, type Report, type SupervisorMessage, WORKER_VARIABLE } from './messages.ts'

/**
 * Milliseconds to wait for an answer of the supervisor, which itself waits at most a second for the other
 * workers.
 */
const PATIENCE = 3_000

/** Milliseconds between two heartbeats; `watch.ts` counts the missing ones. */
const PULSE = 1_000

/** Milliseconds within which a worker that has lost its supervisor must shut down before it exits. */
const ORPHAN_PATIENCE = 30_000

type Begin = Extract<SupervisorMessage, { kind: 'begin' }>

/** What the supervisor and the other workers may request from this process. */
export interface Services {
  announce(): void
  figures(): Figures
  writeDown(): Promise<void>
  publishHere(event: ServiceEvent): void
  statusSeen(seen: SeenStatus): void
}

/**
 * Calls `orphaned` when the supervisor has exited. On a busy machine a worker once lost its channel without
 * being notified, and ran for ever; but the parent process id of an orphan changes in any case.
 */
function watchParent(channel: NodeJS.Process, orphaned: () => void): void {
  const supervisor = Number(channel.env[WORKER_VARIABLE])
  const timer = setInterval(() => {
    if (channel.ppid === supervisor) return
    clearInterval(timer)
    orphaned()
    setTimeout(() => channel.exit(1), ORPHAN_PATIENCE).unref()
  }, PULSE)
  timer.unref()
}

export async function joinSupervisor(channel: NodeJS.Process = process) {
  const begun = Promise.withResolvers<Begin>()
  const stop = Promise.withResolvers<{ drain: boolean; supervised: boolean }>()
  let services: Services | null = null
  const report = (what: Report) => void (channel.connected && channel.send?.(what))
  const { ask, answered } = createQuestions(report)

  async function answer(id: number, question: Question): Promise<void> {
    if (question === 'write-down') await services?.writeDown().catch(() => {})
    report({ kind: 'answer', id, figures: services?.figures() ?? [] })
  }

  function onOrphaned(): void {
    // Before the first instruction nothing is running, and the process would wait for that instruction for
    // ever.
    begun.reject(new Error('the supervisor was gone before it said what to do'))
    stop.resolve({ drain: false, supervised: false })
  }
  channel.on('disconnect', onOrphaned)
  if (!channel.connected) onOrphaned()
  watchParent(channel, onOrphaned)
  channel.on('message', (message: SupervisorMessage) => {
    if (message.kind === 'begin') begun.resolve(message)
    else if (message.kind === 'stop') stop.resolve({ drain: message.drain, supervised: true })
    else if (message.kind === 'announce') services?.announce()
    else if (message.kind === 'event') services?.publishHere(message.event)
    else if (message.kind === 'status') services?.statusSeen(message.seen)
    else if (message.kind === 'question') void answer(message.id, message.question)
    else answered(message.id, message.figures)
  })
  report({ kind: 'hello' })
  const begin = await begun.promise

  return {
    ...begin,
    /**
     * Resolves when this process has to stop. Without a supervisor it must do so itself, because nobody else
     * would end it.
     */
    stopAsked: stop.promise,
    workers: {
      count: begin.count,
      member: begin,
      async figures() {
        const figures = await ask('figures')
        // The figures of this worker alone would be lower than the sums before, so monitoring would conclude
        // that the service was restarted.
        if (!figures)
          throw new Error('the supervisor does not answer, so nobody adds up the figures of the workers')
        return figures
      },
      writeDown: async () => void (await ask('write-down')),
      tell: event => report({ kind: 'event', event }),
      tellStatus: seen => report({ kind: 'status', seen }),
    } satisfies Workers,
    /** Called once this worker answers requests. */
    ready(port: number, offered: Services) {
      services = offered
      report({ kind: 'ready', port })
      setInterval(() => report({ kind: 'alive' }), PULSE).unref()
    },
    /** Called last: reports the final counts, which stay in the sums of the supervisor. */
    leave: (figures: Figures) =>
      new Promise<void>(resolve => {
        if (!channel.connected) return resolve()
        channel.send?.({ kind: 'figures', figures } satisfies Report, undefined, undefined, () => resolve())
      }),
  }
}

function createQuestions(report: (what: Report) => void) {
  const open = new Map<number, (figures: Figures) => void>()
  let asked = 0
  return {
    /** Asks the supervisor; null if there is no answer within `PATIENCE`. */
    async ask(question: Question): Promise<Figures | null> {
      const id = ++asked
      const { promise, resolve } = Promise.withResolvers<Figures>()
      open.set(id, resolve)
      report({ kind: 'ask', id, question })
      return withTimeout(PATIENCE, promise, () => null).finally(() => open.delete(id))
    },
    answered: (id: number, figures: Figures) => open.get(id)?.(figures),
  }
}
