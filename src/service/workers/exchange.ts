/**
 * Collects the answers of all workers to the question of one worker, and keeps the last figures of exited
 * workers. It is part of the supervisor.
 */
import { withTimeout } from '../../base/time-limit.ts'
import { type Figures, lastingFigures, mergeFigures } from '../../features/metrics/figures.ts'
import type { Question, Report, SupervisorMessage } from './messages.ts'

/** Milliseconds after which the supervisor answers without the workers that have not replied. */
const PATIENCE = 1_000

/** A worker that takes part in the exchange. */
export interface Member {
  tell(message: SupervisorMessage): void
}

export type Exchange = ReturnType<typeof createExchange>

export function createExchange(members: () => Iterable<Member>, patience = PATIENCE) {
  /**
   * The last figures of each worker, including workers that do not reply: a sum of counters must never fall.
   */
  const latest = new Map<Member, Figures>()
  let past: Figures = []
  const gone = new WeakSet<Member>()
  /** Open questions, each with the workers that have not answered yet. */
  const open = new Map<number, { silent: Set<Member>; done: () => void }>()
  let asked = 0

  async function askAll(question: Question): Promise<void> {
    const id = ++asked
    const silent = new Set(members())
    const { promise, resolve: done } = Promise.withResolvers<void>()
    open.set(id, { silent, done })
    for (const member of silent) member.tell({ kind: 'question', id, question })
    await withTimeout(patience, promise)
    open.delete(id)
  }

  function onAnswerFrom(member: Member, id: number): void {
    const question = open.get(id)
    question?.silent.delete(member)
    if (question?.silent.size === 0) question.done()
  }

  return {
    received(from: Member, report: Report) {
      if (gone.has(from)) return
      switch (report.kind) {
        case 'ask':
          void askAll(report.question).then(() =>
            from.tell({ kind: 'answers', id: report.id, figures: mergeFigures([past, ...latest.values()]) }),
          )
          return
        case 'answer':
          latest.set(from, report.figures)
          return onAnswerFrom(from, report.id)
        case 'figures':
          latest.set(from, report.figures)
          return
        case 'event':
        case 'status':
          for (const member of members()) if (member !== from) member.tell(report)
      }
    },
    /** Called when the worker has exited; its counts stay in the sums. */
    ended(worker: Member) {
      gone.add(worker)
      past = mergeFigures([past, lastingFigures(latest.get(worker) ?? [])])
      latest.delete(worker)
      for (const id of [...open.keys()]) onAnswerFrom(worker, id)
    },
  }
}
