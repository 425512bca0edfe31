/**
 * The part of the supervisor that forwards a question of one worker to all workers and collects their
 * answers. It also forwards events and results of `/status`, and keeps the counters of exited workers, so
 * that the totals of the metrics (`Figures`) include them.
 */
import { withTimeout } from '../../base/time-limit.ts'
import { cumulativeFigures, type Figures, mergeFigures } from '../../features/metrics/figures.ts'
import type { SupervisorMessage, WorkerMessage, WorkerQuestion } from './messages.ts'

/**
 * Maximum milliseconds that the supervisor waits for the replies of the workers; then it uses the last
 * figures of those that did not reply.
 */
const REPLY_TIMEOUT = 1_000

/** A worker that takes part in the exchange. */
export interface ExchangeMember {
  send(message: SupervisorMessage): void
}

export type WorkerExchange = ReturnType<typeof createWorkerExchange>

export function createWorkerExchange(
  listMembers: () => Iterable<ExchangeMember>,
  replyTimeout = REPLY_TIMEOUT,
) {
  /**
   * The last figures of each running worker. If a worker does not reply, they still count, because a sum of
   * counters must never decrease.
   */
  const latestFigures = new Map<ExchangeMember, Figures>()
  /** The merged counters of exited workers. */
  let exitedFigures: Figures = []
  const exitedMembers = new WeakSet<ExchangeMember>()
  /** Open questions, each with the workers that have not answered yet. */
  const openQuestions = new Map<number, { pendingMembers: Set<ExchangeMember>; finish: () => void }>()
  let lastQuestionId = 0

  async function askAll(question: WorkerQuestion): Promise<void> {
    const id = ++lastQuestionId
    const pendingMembers = new Set(listMembers())
    const { promise, resolve: finish } = Promise.withResolvers<void>()
    openQuestions.set(id, { pendingMembers, finish })
    for (const member of pendingMembers) member.send({ kind: 'question', id, question })
    await withTimeout(replyTimeout, promise)
    openQuestions.delete(id)
  }

  function onAnswerFrom(member: ExchangeMember, id: number): void {
    const openQuestion = openQuestions.get(id)
    openQuestion?.pendingMembers.delete(member)
    if (openQuestion?.pendingMembers.size === 0) openQuestion.finish()
  }

  return {
    onReport(sender: ExchangeMember, report: WorkerMessage) {
      if (exitedMembers.has(sender)) return
      switch (report.kind) {
        case 'ask':
          void askAll(report.question).then(() =>
            sender.send({
              kind: 'answers',
              id: report.id,
              figures: mergeFigures([exitedFigures, ...latestFigures.values()]),
            }),
          )
          return
        case 'answer':
          latestFigures.set(sender, report.figures)
          return onAnswerFrom(sender, report.id)
        case 'figures':
          latestFigures.set(sender, report.figures)
          return
        case 'event':
        case 'status':
          for (const member of listMembers()) if (member !== sender) member.send(report)
      }
    },
    /** Called when the worker has exited; its counters stay in the totals. */
    onExit(worker: ExchangeMember) {
      exitedMembers.add(worker)
      exitedFigures = mergeFigures([exitedFigures, cumulativeFigures(latestFigures.get(worker) ?? [])])
      latestFigures.delete(worker)
      for (const id of [...openQuestions.keys()]) onAnswerFrom(worker, id)
    },
  }
}
