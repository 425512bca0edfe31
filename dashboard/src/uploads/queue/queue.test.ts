import { describe, expect, test } from 'bun:test'
import type { FileAnswer } from '../../../../src/contract/files/library.ts'
import type { DashUploadAnswer } from '../../../../src/contract/upload/ingest.ts'
import { ApiError, ConnectionError } from '../../api/error.ts'
import type { UploadJob } from '../plan/plan.ts'
import { createUploadQueue, type QueueParts } from './queue.ts'
import { canOverwrite, NO_UPLOADS, type UploadsState } from './queue-state.ts'
import type { SendOptions } from './transfer.ts'

const job = (name: string, size = 100, archive = false): UploadJob => ({
  file: { name, size } as File,
  name,
  target: `items/${name}`,
  overwrite: false,
  isZipArchive: archive,
  action: 'action',
})
const stored = (...paths: string[]): DashUploadAnswer => ({
  gespeichert: paths.map(path => ({ path, url: `http://x/f/${path}` }) as FileAnswer),
  abgelehnt: [],
})

interface Sending {
  job: UploadJob
  options: SendOptions
  answer(with_: DashUploadAnswer): Promise<void>
  fail(error: Error): Promise<void>
}

/** A queue whose requests the test answers, and whose time the test advances. */
function byHand(parts: Partial<QueueParts> = {}) {
  const sending: Sending[] = []
  const timers: { at: number; work: () => void }[] = []
  let clock = 0
  let state: UploadsState = NO_UPLOADS
  const queue = createUploadQueue({
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
    isSignedIn: async () => true,
    now: () => clock,
    schedule: (work, delay) => void timers.push({ at: clock + delay, work }),
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
    expect([state.activeCount, state.storedCount, state.problemCount]).toEqual([0, 2, 2])
  })

  test('progress, speed and time left', async () => {
    const on = byHand()
    on.queue.add([job('a', 1000), job('b', 3000)])
    on.sending[0]!.options.onProgress(0)
    await on.pass(1000)
    on.sending[0]!.options.onProgress(1200)
    const state = await on.state()
    expect(state.items.map(item => item.sentBytes)).toEqual([1000, 0])
    expect(state.bytes).toEqual({ sent: 1000, total: 4000 })
    expect(state.speed).toBeCloseTo(1000 / 1.1, 5)
    expect(state.remainingMs).toBeCloseTo(3300, 5)
  })

  test('each run starts at nothing: what an earlier one has sent does not count', async () => {
    const on = byHand()
    on.queue.add([job('a', 1000), job('b', 1000)])
    await on.sending[0]!.answer(stored('a'))
    await on.sending[0]!.fail(new ApiError(507, 'Voll.', null, null, 'storage-full'))
    on.queue.add([job('c', 500)])
    let state = await on.state()
    expect([state.bytes, state.currentRun]).toEqual([
      { sent: 0, total: 500 },
      { stored: 0, total: 1 },
    ])
    // Added while it runs, and tried again: the same run.
    on.queue.add([job('d', 500)])
    on.queue.retryAll()
    state = await on.state()
    expect([state.bytes, state.currentRun]).toEqual([
      { sent: 0, total: 2000 },
      { stored: 0, total: 3 },
    ])
    expect(state.items.map(({ run }) => run)).toEqual([1, 2, 2, 2])
  })

  test('what is not even sent is listed with its reason, and cannot be tried again', async () => {
    const on = byHand()
    const file = job('leer.txt').file
    on.queue.add([job('a', 1000)], [{ file, name: 'leer.txt', reason: { cause: 'empty' } }])
    expect(on.names()).toEqual(['a'])
    await on.sending[0]!.answer(stored('a'))
    const state = await on.state()
    expect(stages(state)).toEqual(['a stored', 'leer.txt omitted'])
    expect([state.problemCount, state.currentRun, state.bytes.total]).toEqual([
      1,
      { stored: 1, total: 1 },
      1000,
    ])
    on.queue.retryAll()
    expect(on.names()).toEqual([])
    on.queue.clear()
    expect((await on.state()).items).toEqual([])
  })

  test('overwriting is offered only where a file is in the way', async () => {
    const on = byHand()
    on.queue.add(['a', 'b', 'c'].map(name => job(name)))
    const refused = (code: string) => ({ gespeichert: [], abgelehnt: [{ name: 'x', grund: 'Nein.', code }] })
    await on.sending[0]!.answer(refused('path-taken'))
    await on.sending[0]!.answer(refused('file-empty'))
    await on.sending[0]!.answer(stored('c'))
    expect((await on.state()).items.map(canOverwrite)).toEqual([true, false, false])
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
    expect([state.activeCount, state.bytes]).toEqual([0, { sent: 0, total: 0 }])
    on.queue.retryAll()
    expect((await on.state()).activeCount).toBe(5)
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
    const { items, problemCount: problems, storedCount: count } = await on.state()
    expect([items[0]!.stage, items[0]!.refusedEntries, problems, count]).toEqual(['stored', refused, 1, 1])
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
    expect((await on.state()).hold?.reason).toBe('away')
    there = true
    await on.pass(3000)
    // One goes first, the others follow after its answer.
    expect(on.names()).toEqual(['d'])
    await on.sending[0]!.answer(stored('items/d'))
    expect(on.names()).toEqual(['a', 'b', 'c'])
  })
})

describe('a service that takes no files just now', () => {
  const says = (status: number, retryAfter: number | null = null, code = 'database-busy') =>
    new ApiError(status, 'Bitte warten.', retryAfter, null, code)
  const thousand = () => Array.from({ length: 1000 }, (_, at) => job(`f${at}`))

  test.each([408, 425, 429, 502, 503, 504, 522])('answers %i: all wait, none is refused', async status => {
    const on = byHand()
    on.queue.add(thousand())
    for (let sent = 0; sent < 3; sent++) await on.sending[0]!.fail(says(status))
    const { hold, problemCount: problems, activeCount: active } = await on.state()
    expect([on.names(), problems, active, hold?.reason]).toEqual([[], 0, 1000, 'busy'])
    await on.pass(3000)
    expect(on.names()).toEqual(['f3'])
    await on.sending[0]!.answer(stored('items/f3'))
    expect(on.names()).toEqual(['f4', 'f5', 'f6'])
    expect((await on.state()).hold).toBeNull()
  })

  test.each([400, 403, 409, 413, 500, 507])(
    'answers %i: that file is refused, the others go on',
    async status => {
      const on = byHand()
      on.queue.add(thousand())
      await on.sending[0]!.fail(says(status))
      expect(on.names()).toEqual(['f1', 'f2', 'f3'])
      expect((await on.state()).problemCount).toBe(1)
    },
  )

  test('waits as long as it was told, and says in whose words', async () => {
    const on = byHand()
    on.queue.add([job('a'), job('b')])
    await on.sending[0]!.fail(says(503, 20_000))
    await on.sending[0]!.fail(says(429, 90_000))
    const { hold } = await on.state()
    expect(hold).toEqual({
      reason: 'busy',
      answer: { sentence: 'Bitte warten.', code: 'database-busy' },
      nextAttemptAt: 90_000,
    })
    await on.pass(89_000)
    expect(on.names()).toEqual([])
    await on.pass(1000)
    expect(on.names()).toEqual(['a'])
  })

  test('told no time, it waits longer each time, up to a minute; an answer of a proxy is told by its status', async () => {
    const on = byHand()
    on.queue.add([job('a')])
    for (const pause of [3000, 6000, 12_000, 24_000, 48_000, 60_000, 60_000]) {
      await on.sending[0]!.fail(says(502, null, 'answer-unexpected'))
      expect((await on.state()).hold?.answer).toEqual({ status: 502 })
      await on.pass(pause - 101)
      expect(on.names()).toEqual([])
      await on.pass(1)
      expect(on.names()).toEqual(['a'])
    }
  })

  test('asks for no time at all: still a second passes', async () => {
    const on = byHand()
    on.queue.add([job('a')])
    await on.sending[0]!.fail(says(503, 0))
    expect(on.names()).toEqual([])
    await on.pass(1000)
    expect(on.names()).toEqual(['a'])
  })

  test('a file that it can never take does not hold up the others', async () => {
    const on = byHand()
    on.queue.add(['large', 'b', 'c', 'd', 'e'].map(name => job(name)))
    for (let turn = 0; turn < 12; turn++) {
      await on.pass(60_000)
      for (const { job: sent, ...entry } of [...on.sending])
        await (sent.name === 'large' ? entry.fail(says(504)) : entry.answer(stored(`items/${sent.name}`)))
    }
    const { storedCount: count, activeCount: active } = await on.state()
    expect([count, active]).toEqual([4, 1])
  })

  test('is gone when the wait is over: it waits for it', async () => {
    let there = false
    const on = byHand({ isReachable: async () => there })
    on.queue.add([job('a')])
    await on.sending[0]!.fail(says(503, 5000))
    await on.pass(5000)
    expect([on.names(), (await on.state()).hold?.reason]).toEqual([[], 'away'])
    there = true
    await on.pass(3000)
    expect(on.names()).toEqual(['a'])
  })

  test('a wait can be ended early, and ends with the last file', async () => {
    const on = byHand()
    on.queue.add([job('a')])
    await on.sending[0]!.fail(says(503, 90_000))
    on.queue.tryNow()
    expect(on.names()).toEqual(['a'])
    await on.sending[0]!.fail(says(503, 90_000))
    on.queue.cancelAll()
    expect((await on.state()).hold).toBeNull()
    on.queue.add([job('b')])
    expect(on.names()).toEqual(['b'])
  })

  test('a file that is cancelled while the service is looked for stays cancelled', async () => {
    const look = Promise.withResolvers<boolean>()
    const on = byHand({ isReachable: () => look.promise })
    on.queue.add([job('a')])
    await on.sending[0]!.fail(new ConnectionError('x'))
    on.queue.cancelAll()
    look.resolve(false)
    await settled()
    const state = await on.state()
    expect([stages(state), state.hold]).toEqual([['a cancelled'], null])
  })
})

describe('without a session', () => {
  const refused = new ApiError(401, 'Bitte anmelden.', null, null, 'session-missing')

  test('everything waits until the same person has signed in again', async () => {
    let signedIn = false
    const on = byHand({ isSignedIn: async () => signedIn })
    on.queue.add(['a', 'b', 'c', 'd'].map(name => job(name)))
    for (let sent = 0; sent < 3; sent++) await on.sending[0]!.fail(refused)
    await on.pass(3_600_000)
    on.queue.tryNow()
    const { hold, problemCount: problems } = await on.state()
    expect([on.names(), hold?.reason, problems]).toEqual([[], 'signedOut', 0])
    signedIn = true
    on.queue.resumeAfterSignIn()
    await on.sending[0]!.answer(stored('items/d'))
    expect(on.names()).toEqual(['a', 'b', 'c'])
  })

  test('a refusal that comes after signing in again is only a reason to try once more', async () => {
    const on = byHand({ isSignedIn: async () => true })
    on.queue.add([job('a')])
    await on.sending[0]!.fail(refused)
    expect((await on.state()).hold?.reason).toBe('busy')
    await on.pass(3000)
    expect(on.names()).toEqual(['a'])
  })
})

test('paused: what was begun is finished, nothing else is sent; resumed, it goes on', async () => {
  const on = byHand()
  on.queue.add(['a', 'b', 'c', 'd'].map(name => job(name)))
  on.queue.pause()
  for (let sent = 0; sent < 3; sent++) await on.sending[0]!.answer(stored('items/x'))
  const { isPaused, activeCount: active } = await on.state()
  expect([on.names(), isPaused, active]).toEqual([[], true, 1])
  on.queue.resume()
  expect(on.names()).toEqual(['d'])
  on.queue.pause()
  await on.sending[0]!.answer(stored('items/d'))
  on.queue.add([job('e')])
  expect([on.names(), (await on.state()).isPaused]).toEqual([['e'], false])
})
