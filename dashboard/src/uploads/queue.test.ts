import { describe, expect, test } from 'bun:test'
import type { DashUploadAnswer } from '../../../src/contract/ingest.ts'
import type { FileAnswer } from '../../../src/contract/library.ts'
import { ApiError, ConnectionError } from '../api/error.ts'
import type { Job } from './plan.ts'
import { createQueue, type QueueParts } from './queue.ts'
import { NO_UPLOADS, type UploadsState } from './queue-state.ts'
import type { SendOptions } from './send.ts'

const job = (name: string, size = 100, archive = false): Job => ({
  file: { name, size } as File,
  name,
  target: `items/${name}`,
  overwrite: false,
  archive,
  action: 'action',
})
const stored = (...paths: string[]): DashUploadAnswer => ({
  gespeichert: paths.map(path => ({ path, url: `http://x/f/${path}` }) as FileAnswer),
  abgelehnt: [],
})

interface Sending {
  job: Job
  options: SendOptions
  answer(with_: DashUploadAnswer): Promise<void>
  fail(error: Error): Promise<void>
}

/** A queue whose requests are answered by hand, and whose time stands still until told. */
function byHand(parts: Partial<QueueParts> = {}) {
  const sending: Sending[] = []
  const timers: { at: number; work: () => void }[] = []
  let clock = 0
  let state: UploadsState = NO_UPLOADS
  const queue = createQueue({
    send: (given, options) =>
      new Promise((resolve, reject) => {
        options.signal.addEventListener('abort', () => reject(new DOMException('x', 'AbortError')))
        const entry: Sending = {
          job: given,
          options,
          answer: with_ => over(entry, () => resolve(with_)),
          fail: error => over(entry, () => reject(error)),
        }
        sending.push(entry)
      }),
    isReadable: async () => true,
    isReachable: async () => true,
    now: () => clock,
    later: (work, delay) => void timers.push({ at: clock + delay, work }),
    onChange: next => {
      state = next
    },
    ...parts,
  })
  async function over(entry: Sending, end: () => void): Promise<void> {
    sending.splice(sending.indexOf(entry), 1)
    end()
    await settled()
  }
  return {
    queue,
    sending,
    names: () => sending.map(each => each.job.name),
    async pass(milliseconds: number): Promise<void> {
      clock += milliseconds
      for (const due of timers.filter(timer => timer.at <= clock)) {
        timers.splice(timers.indexOf(due), 1)
        due.work()
      }
      await settled()
    },
    async state(): Promise<UploadsState> {
      await this.pass(100)
      return state
    },
  }
}
const settled = async () => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}
const stages = ({ items }: UploadsState) => items.map(item => `${item.job.name} ${item.stage}`)

describe('the queue', () => {
  test('three at a time, in order, each with its own outcome', async () => {
    const on = byHand()
    on.queue.add(['a', 'b', 'c', 'd'].map(name => job(name)))
    expect(on.names()).toEqual(['a', 'b', 'c'])
    await on.sending[1]!.answer(stored('items/b'))
    expect(on.names()).toEqual(['a', 'c', 'd'])
    await on.sending[0]!.answer({
      gespeichert: [],
      abgelehnt: [{ name: 'a', grund: 'Nein.', code: 'file-empty' }],
    })
    await on.sending[0]!.fail(new ApiError(507, 'Voll.', null, null, 'storage-full'))
    await on.sending[0]!.answer(stored('items/d'))
    const state = await on.state()
    expect(stages(state)).toEqual(['a refused', 'b stored', 'c refused', 'd stored'])
    expect(state.items.map(item => item.problem)).toEqual([
      { sentence: 'Nein.', code: 'file-empty' },
      null,
      { sentence: 'Voll.', code: 'storage-full' },
      null,
    ])
    expect([state.active, state.stored, state.problems]).toEqual([0, 2, 2])
  })

  test('progress, speed and time left', async () => {
    const on = byHand()
    on.queue.add([job('a', 1000), job('b', 3000)])
    on.sending[0]!.options.onProgress(0)
    await on.pass(1000)
    on.sending[0]!.options.onProgress(1200)
    const state = await on.state()
    expect(state.items.map(item => item.sent)).toEqual([1000, 0])
    expect(state.bytes).toEqual({ sent: 1000, total: 4000 })
    expect(state.speed).toBeCloseTo(1000 / 1.1, 5)
    expect(state.remaining).toBeCloseTo(3300, 5)
  })

  test('cancelling ends what runs and what waits; again begins anew', async () => {
    const on = byHand()
    on.queue.add(['a', 'b', 'c', 'd', 'e'].map(name => job(name)))
    const [first] = (await on.state()).items
    on.queue.cancel([first!.id, first!.id + 4])
    await settled()
    expect(first!.stage).toBe('running')
    expect(stages(await on.state())).toEqual([
      'a cancelled',
      'b running',
      'c running',
      'd running',
      'e cancelled',
    ])
    on.queue.retry([first!.id])
    expect((await on.state()).items[0]!.stage).toBe('waiting')
    on.queue.cancelAll()
    await settled()
    const state = await on.state()
    expect([state.active, state.bytes]).toEqual([0, { sent: 0, total: 0 }])
    on.queue.retryAll()
    expect((await on.state()).active).toBe(5)
  })

  test('a file that is over is not sent again, whoever asks', async () => {
    const on = byHand()
    on.queue.add([job('a')])
    await on.sending[0]!.answer(stored('items/a'))
    on.queue.retryAll()
    expect(on.names()).toEqual([])
    on.queue.clear()
    expect((await on.state()).items).toEqual([])
  })

  test('over what is there, only when that was said', async () => {
    const on = byHand()
    on.queue.add([job('a')])
    await on.sending[0]!.answer({
      gespeichert: [],
      abgelehnt: [{ name: 'a', grund: 'Liegt schon da.', code: 'path-taken' }],
    })
    const id = (await on.state()).items[0]!.id
    on.queue.retry([id])
    expect(on.sending[0]!.job.overwrite).toBe(false)
    await on.sending[0]!.fail(new ApiError(409, 'Liegt schon da.', null, null))
    on.queue.retry([id], true)
    expect(on.sending[0]!.job.overwrite).toBe(true)
  })

  test('an archive: what was stored, and what of it was not', async () => {
    const on = byHand()
    on.queue.add([job('p.zip', 10, true)])
    const refused = [{ name: 'b.png', grund: 'Liegt schon da.', code: 'path-taken' }]
    await on.sending[0]!.answer({ ...stored('items/a.png'), abgelehnt: refused })
    const { items, problems, stored: count } = await on.state()
    expect([items[0]!.stage, items[0]!.refused, problems, count]).toEqual(['stored', refused, 1, 1])
  })
})

describe('a transfer that breaks off', () => {
  const cut = new ConnectionError('x')

  test('is tried again some times, then said', async () => {
    const on = byHand()
    on.queue.add([job('a')])
    for (let times = 0; times < 3; times++) await on.sending[0]!.fail(cut)
    const [item] = (await on.state()).items
    expect([on.names(), item!.stage, item!.problem]).toEqual([[], 'refused', { cause: 'broken' }])
  })

  test('because the file is gone: said at once', async () => {
    const on = byHand({ isReadable: async () => false })
    on.queue.add([job('a')])
    await on.sending[0]!.fail(cut)
    expect((await on.state()).items[0]!.problem).toEqual({ cause: 'unreadable' })
  })

  test('because the service is away: everything waits until it is back, however long', async () => {
    let there = false
    const on = byHand({ isReachable: async () => there })
    on.queue.add(['a', 'b', 'c', 'd'].map(name => job(name)))
    for (let times = 0; times < 3; times++) await on.sending[0]!.fail(cut)
    for (let times = 0; times < 10; times++) await on.pass(3000)
    expect([on.names(), stages(await on.state()).every(each => each.endsWith('waiting'))]).toEqual([[], true])
    there = true
    await on.pass(3000)
    expect(on.names().toSorted()).toEqual(['a', 'b', 'c'])
  })
})
