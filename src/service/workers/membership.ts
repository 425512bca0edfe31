/** A worker's connection to its supervisor and, through it, to the other workers. */
import { within } from '../../base/time-limit.ts'
import type { ServiceEvent } from '../../contract/files/events.ts'
import type { Figures } from '../../features/metrics/figures.ts'
import type { SeenStatus, Workers } from '../../features/workers.ts'
import { type Order, type Question, type Report, WORKER_VARIABLE } from './messages.ts'

/** Milliseconds to wait for the supervisor, which itself waits at most a second for the others. */
const PATIENCE = 3_000

/** Milliseconds between two heartbeats; `watch.ts` counts the missing ones. */
const PULSE = 1_000

/** Milliseconds that a worker without a supervisor has to shut down before it exits. */
const ORPHAN_PATIENCE = 30_000

type Begin = Extract<Order, { kind: 'begin' }>

/** What the supervisor and the other workers may ask of this process. */
export interface Services {
  announce(): void
  figures(): Figures
  writeDown(): Promise<void>
  publishHere(event: ServiceEvent): void
  statusSeen(seen: SeenStatus): void
}

/**
 * On a busy machine a worker once lost its channel without being notified, and ran for ever. The parent
 * process id of an orphan changes, whatever happens to the channel.
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
    // Before the first order nothing is running, and the process would wait for that order for ever.
    begun.reject(new Error('the supervisor was gone before it said what to do'))
    stop.resolve({ drain: false, supervised: false })
  }
  channel.on('disconnect', onOrphaned)
  if (!channel.connected) onOrphaned()
  watchParent(channel, onOrphaned)
  channel.on('message', (order: Order) => {
    if (order.kind === 'begin') begun.resolve(order)
    else if (order.kind === 'stop') stop.resolve({ drain: order.drain, supervised: true })
    else if (order.kind === 'announce') services?.announce()
    else if (order.kind === 'event') services?.publishHere(order.event)
    else if (order.kind === 'status') services?.statusSeen(order.seen)
    else if (order.kind === 'question') void answer(order.id, order.question)
    else answered(order.id, order.figures)
  })
  report({ kind: 'hello' })
  const begin = await begun.promise

  return {
    ...begin,
    /** Resolves when this process has to stop, also without a supervisor: nobody else would end it. */
    stopAsked: stop.promise,
    workers: {
      count: begin.count,
      member: begin,
      async figures() {
        const figures = await ask('figures')
        // The figures of this worker alone would be lower than before, and monitoring would conclude that the
        // service was restarted.
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
    /** Called last: reports the final counts, which stay in the sums. */
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
    /** Null if there is no answer in time. */
    async ask(question: Question): Promise<Figures | null> {
      const id = ++asked
      const { promise, resolve } = Promise.withResolvers<Figures>()
      open.set(id, resolve)
      report({ kind: 'ask', id, question })
      return within(PATIENCE, promise, () => null).finally(() => open.delete(id))
    },
    answered: (id: number, figures: Figures) => open.get(id)?.(figures),
  }
}
