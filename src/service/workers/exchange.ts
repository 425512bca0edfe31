/**
 * The part of the supervisor that passes the question of one worker on to all workers and collects their
 * answers. It also passes on events and results of `/status`, and keeps the figures of exited workers.
 */
import { withTimeout } from '../../base/time-limit.ts'
import { cumulativeFigures, type Figures, mergeFigures } from '../../features/metrics/figures.ts'
import type { Question, SupervisorMessage, WorkerMessage } from './messages.ts'

/**
 * Maximum milliseconds that the supervisor waits for replies; then it answers with the last known figures.
 */
const REPLY_TIMEOUT = 1_000

/** A worker that takes part in the exchange. */
export interface Member {
  send(message: SupervisorMessage): void
}

export type Exchange = ReturnType<typeof createExchange>

export function createExchange(members: () => Iterable<Member>, timeout = REPLY_TIMEOUT) {
  /**
   * The last figures of each running worker. If a worker does not reply, they still count, because a sum of
   * counters must never decrease.
   */
  const latestFigures = new Map<Member, Figures>()
  /** The merged counters of exited workers. */
  let pastFigures: Figures = []
  const exitedMembers = new WeakSet<Member>()
  /** Open questions, each with the workers that have not answered yet. */
  const openQuestions = new Map<number, { unanswered: Set<Member>; done: () => void }>()
  let lastId = 0

  async function askAll(question: Question): Promise<void> {
    const id = ++lastId
    const unanswered = new Set(members())
    const { promise, resolve: done } = Promise.withResolvers<void>()
    openQuestions.set(id, { unanswered, done })
    for (const member of unanswered) member.send({ kind: 'question', id, question })
    await withTimeout(timeout, promise)
    openQuestions.delete(id)
  }

  function onAnswerFrom(member: Member, id: number): void {
    const question = openQuestions.get(id)
    question?.unanswered.delete(member)
    if (question?.unanswered.size === 0) question.done()
  }

  return {
    onReport(from: Member, report: WorkerMessage) {
      if (exitedMembers.has(from)) return
      switch (report.kind) {
        case 'ask':
          void askAll(report.question).then(() =>
            from.send({
              kind: 'answers',
              id: report.id,
              figures: mergeFigures([pastFigures, ...latestFigures.values()]),
            }),
          )
          return
        case 'answer':
          latestFigures.set(from, report.figures)
          return onAnswerFrom(from, report.id)
        case 'figures':
          latestFigures.set(from, report.figures)
          return
        case 'event':
        case 'status':
          for (const member of members()) if (member !== from) member.send(report)
      }
    },
    /** Called when the worker has exited; its counts stay in the sums. */
    onExit(worker: Member) {
      exitedMembers.add(worker)
      pastFigures = mergeFigures([pastFigures, cumulativeFigures(latestFigures.get(worker) ?? [])])
      latestFigures.delete(worker)
      for (const id of [...openQuestions.keys()]) onAnswerFrom(worker, id)
    },
  }
}
