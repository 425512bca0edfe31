import { expect, test } from 'bun:test'
import { eventually } from '../../../test/support/wait.ts'
import type { Figures } from '../../features/metrics/figures.ts'
import { createWorkerExchange, type ExchangeMember } from './exchange.ts'
import type { SupervisorMessage, WorkerMessage } from './messages.ts'

const figures = (count: number, pid: number): Figures => [
  { kind: 'counter', name: 'a_total', help: 'A.', isSummed: true, samples: [['a_total', count]] },
  { kind: 'gauge', name: 'info', help: 'I.', isSummed: false, samples: [[`info{pid="${pid}"}`, 1]] },
]

/** Workers that answer every question with their counts; a silent one does not answer. */
function exchangeOf(counts: (number | 'silent')[]) {
  const told: SupervisorMessage[][] = counts.map(() => [])
  const members: ExchangeMember[] = counts.map((count, at) => ({
    send(message) {
      told[at]!.push(message)
      if (message.kind === 'question' && count !== 'silent')
        exchange.onReport(members[at]!, { kind: 'answer', id: message.id, figures: figures(count, at) })
    },
  }))
  const exchange = createWorkerExchange(() => members, 20)
  async function ask(at: number, report: WorkerMessage = { kind: 'ask', id: 7, question: 'figures' }) {
    exchange.onReport(members[at]!, report)
    const answer = await eventually('an answer', () => told[at]!.find(message => message.kind === 'answers'))
    return answer.figures.flatMap(({ samples }) => samples)
  }
  return { exchange, members, told, ask }
}

test('counters are added, whoever asks; each process is named', async () => {
  for (const asker of [0, 1])
    expect(await exchangeOf([3, 4]).ask(asker)).toEqual([
      ['a_total', 7],
      ['info{pid="0"}', 1],
      ['info{pid="1"}', 1],
    ])
})

test('one that is silent counts with what it said last, and holds nobody up', async () => {
  const { exchange, members, ask } = exchangeOf([3, 'silent'])
  exchange.onReport(members[1]!, { kind: 'figures', figures: figures(10, 1) })
  expect((await ask(0))[0]).toEqual(['a_total', 13])
})

test('what one has counted that ended stays in the sum, itself does not; what it says late is not heard', async () => {
  const { exchange, members, ask } = exchangeOf([3, 5])
  exchange.onReport(members[1]!, { kind: 'figures', figures: figures(5, 1) })
  exchange.onExit(members.pop()!)
  expect(await ask(0)).toEqual([
    ['a_total', 8],
    ['info{pid="0"}', 1],
  ])
})

test('an event and an answer to /status go to all others, a sign of life to nobody', () => {
  const { exchange, members, told } = exchangeOf([1, 2, 3])
  const event = { kind: 'event', event: { name: 'vorschau', data: { pfad: 'a.png' } } } as const
  const answer = { dienst: 'Fundus', ok: true, stand: 'gesund' as const, seit: 1, pruefungen: [] }
  const status = { kind: 'status', seen: { checkedAt: 1, answer } } as const
  for (const report of [event, status, { kind: 'alive' } as const]) exchange.onReport(members[1]!, report)
  expect(told).toEqual([[event, status], [], [event, status]])
})
