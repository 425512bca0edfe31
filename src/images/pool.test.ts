import { afterEach, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { leftToLong } from '../../test/support/left-out.ts'
import { nicenessOf } from '../../test/support/processes.ts'
import { MEGABYTE } from '../contract/values/units.ts'
import { type StartDecoder, startDecoderProcess } from './child.ts'
import type { ImagesError, ImagesOptions } from './images.ts'
import { type Bench, createBench, ROGUE_DECODER_FILE } from './testing/bench.ts'
import { png } from './testing/pictures.ts'
import { isAlive, waitUntil, waitUntilGone } from './testing/processes.ts'

/** Long enough for a healthy job on a busy machine. */
const SHORT_MS = 1500
const MEMORY = 200 * MEGABYTE

let bench: Bench
afterEach(() => bench.close())

async function rogue(options: ImagesOptions = {}, startDecoder?: StartDecoder): Promise<Bench> {
  bench = await createBench({ entryFile: ROGUE_DECODER_FILE, ...options }, startDecoder)
  return bench
}

/** The rogue decoder chooses its behaviour by the source's name. */
const trick = (name: string, client = 'somebody', awaited = true) =>
  bench.derive(name, {
    mime: 'image/png',
    parts: ['preview'],
    requester: { client, isAwaited: awaited },
  })
const failure = (name: string): Promise<ImagesError> =>
  trick(name).then(
    () => expect.unreachable(),
    e => e,
  )

describe('a decoder stands back behind the service', () => {
  const WEIGHS_SESSIONS = existsSync('/proc/self/autogroup')
  const sessionNiceness = (pid: number) =>
    WEIGHS_SESSIONS ? Number(readFileSync(`/proc/${pid}/autogroup`, 'utf8').split('nice ')[1]) : null

  leftToLong('with all its threads', async () => {
    bench = await createBench({}, startDecoderProcess)
    await bench.derive(await bench.writeSource('a.png', png({ width: 2000, height: 1500 })))
    const niceness = nicenessOf(bench.startedPids[0]!)
    expect(niceness.length).toBeGreaterThan(3)
    expect(new Set(niceness)).toEqual(new Set([15]))
  })

  leftToLong('also in the eyes of a kernel that weighs sessions: less so while somebody waits', async () => {
    await rogue({ maxDecoders: 1 }, startDecoderProcess)
    const seen: (number | null)[] = []
    for (const awaited of [false, true, false]) {
      await trick('slow', 'a', awaited)
      seen.push(sessionNiceness(bench.startedPids[0]!))
    }
    expect(bench.startedPids).toHaveLength(1)
    expect(seen).toEqual(WEIGHS_SESSIONS ? [15, 5, 15] : [null, null, null])
  })

  test('until somebody begins to wait for what it is doing', async () => {
    await rogue({}, startDecoderProcess)
    const requester = { client: 'a', isAwaited: false }
    const job = bench.derive('slow', { mime: 'image/png', parts: ['preview'], requester })
    await waitUntil(() => bench.startedPids.length === 1)
    const before = sessionNiceness(bench.startedPids[0]!)
    bench.images.prioritize(requester)
    const after = sessionNiceness(bench.startedPids[0]!)
    await job
    expect([before, after]).toEqual(WEIGHS_SESSIONS ? [15, 5] : [null, null])
  })
})

describe('a decoder that is lost costs its own job', () => {
  const losses: [string, ImagesError['reason'], ImagesOptions][] = [
    ['hang', 'timeout', { deadlineMs: SHORT_MS }],
    ['crash', 'crashed', {}],
    ['exit', 'crashed', {}],
    ['nonsense', 'crashed', {}],
    ['lie', 'crashed', {}],
    ['hoard', 'memory', { memoryBytes: MEMORY }],
    ['hoard-and-spin', 'memory', { memoryBytes: MEMORY }],
  ]
  const costsItsOwnJob = async (name: string, reason: ImagesError['reason'], options: ImagesOptions) => {
    await rogue({ maxDecoders: 1, ...options })
    const good = await bench.writeSource('good.png', png({ width: 30, height: 20 }))
    const [lost, after] = await Promise.all([failure(name), bench.derive(good, { parts: ['preview'] })])
    expect(lost).toMatchObject({ name: 'ImagesError', reason })
    expect(after).toMatchObject({ width: 30, height: 20 })
    expect(bench.maxAlive()).toBe(1)
    expect(await bench.leftovers()).toHaveLength(1)
  }
  test.each(losses)('%s: %s', costsItsOwnJob)
  leftToLong('spin: timeout', () => costsItsOwnJob('spin', 'timeout', { deadlineMs: SHORT_MS }))

  test('its last words are in the message', async () => {
    await rogue()
    expect((await failure('exit')).message).toContain('code 3): last words')
  })

  test('what it had begun to write is removed', async () => {
    await rogue({ deadlineMs: SHORT_MS })
    const lost = failure('scribble')
    expect(await waitUntil(() => [...new Bun.Glob('*.webp').scanSync(bench.scratch)].length === 1)).toBe(true)
    expect((await lost).reason).toBe('timeout')
    expect(await bench.leftovers()).toEqual([])
  })

  test('a source that goes away meanwhile is no broken picture', async () => {
    await rogue()
    expect(await failure(await bench.writeSource('vanish', 'x'))).toMatchObject({ code: 'ENOENT' })
  })

  test('lost making the variant, the rest is kept', async () => {
    await rogue()
    const derived = await bench.derive('crash-in-variant', { mime: 'image/png' })
    expect(derived).toMatchObject({ width: 1, height: 1, variantError: { reason: 'crashed' } })
  })
})

describe('decoders', () => {
  test('are never more than allowed, and used again', async () => {
    await rogue({ maxDecoders: 2 })
    const jobs = await Promise.all(Array.from({ length: 9 }, (_, i) => trick('slow', `client ${i}`)))
    expect(new Set(jobs.map(({ width }) => width))).toEqual(new Set(bench.startedPids))
    expect(bench.maxAlive()).toBe(2)
  })

  test('take jobs of one client in the order they came', async () => {
    await rogue({ maxDecoders: 1 })
    const done: number[] = []
    await Promise.all([0, 1, 2, 3, 4].map(i => trick('slow').then(() => done.push(i))))
    expect(done).toEqual([0, 1, 2, 3, 4])
  })

  test('are not more while lost ones are replaced', async () => {
    await rogue({ maxDecoders: 2 })
    await Promise.all(
      Array.from({ length: 8 }, (_, i) => (i % 2 ? failure('crash') : trick('slow', 'another'))),
    )
    expect(bench.maxAlive()).toBe(2)
  })

  leftToLong('retire after their share of jobs', async () => {
    await rogue({ maxDecoders: 1, jobsPerDecoder: 2 })
    for (let i = 0; i < 5; i++) await trick('slow')
    expect(bench.startedPids).toHaveLength(3)
    expect(bench.maxAlive()).toBe(1)
  })

  test('end when idle', async () => {
    await rogue({ idleMs: 100 })
    await trick('slow')
    expect(isAlive(bench.startedPids[0]!)).toBe(true)
    expect(await waitUntilGone(bench.startedPids[0]!)).toBe(true)
    expect((await trick('slow')).width).toBe(bench.startedPids[1]!)
  })

  leftToLong('are replaced when something else kills them', async () => {
    await rogue()
    await trick('slow')
    process.kill(bench.startedPids[0]!, 'SIGKILL')
    await waitUntilGone(bench.startedPids[0]!)
    // On a busy machine one more job may be given to the dead decoder before its end is noticed; that job is
    // lost.
    const next = await trick('slow').catch(() => trick('slow'))
    expect(next.width).toBe(bench.startedPids[1]!)
  })

  test('know no secret, and step back for the service', async () => {
    process.env.FUNDUS_TEST_SECRET = 'secret'
    await rogue()
    // A refusal counts only for a source that exists.
    const told = JSON.parse((await failure(await bench.writeSource('tell', 'x'))).message)
    delete process.env.FUNDUS_TEST_SECRET
    const allowed = [
      'PATH',
      'MALLOC_ARENA_MAX',
      'VIPS_DISC_THRESHOLD',
      'DO_NOT_TRACK',
      'TMPDIR',
      'TEMP',
      'TMP',
      'TZ',
    ]
    expect(told.env.filter((name: string) => !allowed.includes(name))).toEqual([])
    expect(told.oom).toBe('1000')
    expect(told.priority).toBe(15)
  })
})

describe('whose turn it is', () => {
  /** Never ends by itself; closing the bench ends it. */
  const endless = (client: string, awaited: boolean, count: number) => {
    for (let i = 0; i < count; i++) trick('hang', client, awaited).catch(() => {})
  }

  test('what somebody waits for finds a decoder beside any number of slow jobs in the background', async () => {
    await rogue({ maxDecoders: 3 })
    for (const client of ['a', 'b', 'c']) endless(client, false, 4)
    expect((await trick('slow', 'a')).height).toBe(1)
    expect((await trick('slow', 'd')).height).toBe(1)
    expect(bench.maxAlive()).toBe(3)
  })

  test('one client, waited for and in the background, leaves a decoder to the others', async () => {
    await rogue({ maxDecoders: 3 })
    endless('a', false, 4)
    endless('a', true, 4)
    expect((await trick('slow', 'b')).height).toBe(1)
    expect((await trick('slow', 'c', false)).height).toBe(1)
  })

  test('in the background too one client leaves a decoder to the others', async () => {
    await rogue({ maxDecoders: 3 })
    endless('a', false, 4)
    expect((await trick('slow', 'b', false)).height).toBe(1)
  })

  test('of two decoders, a long job in the background leaves one to other clients after a while', async () => {
    await rogue({ maxDecoders: 2, longJobMs: 200 })
    endless('a', false, 4)
    expect((await trick('slow', 'b', false)).height).toBe(1)
    expect((await trick('slow', 'c')).height).toBe(1)
  })

  test('the twin: until then the second is for what somebody waits for', async () => {
    await rogue({ maxDecoders: 2 })
    endless('a', false, 4)
    const background = trick('slow', 'b', false)
    const awaited = trick('slow', 'c')
    expect(await Promise.race([awaited.then(() => 'awaited'), background.then(() => 'background')])).toBe(
      'awaited',
    )
    // So is the next one.
    expect(
      await Promise.race([trick('slow', 'd').then(() => 'awaited'), background.then(() => 'background')]),
    ).toBe('awaited')
  })

  test('clients take turns, and what somebody waits for goes first', async () => {
    await rogue({ maxDecoders: 1 })
    const done: string[] = []
    // The first job lasts until all others are waiting.
    const gate = join(bench.folder, 'gated')
    const job = (name: string, awaited: boolean) =>
      trick(name === 'a1' ? gate : 'slow', name[0], awaited).then(() => done.push(name))
    const jobs = [['a1'], ['a2'], ['a3'], ['b1'], ['c1', true], ['a4', true]] as [string, true?][]
    const all = jobs.map(([name, awaited = false]) => job(name, awaited))
    await Bun.sleep(1000)
    await bench.writeSource('gated', '')
    await Promise.all(all)
    expect(done[0]).toBe('a1')
    // Of two awaited jobs, the one whose files are ready first runs first.
    expect(done.slice(1, 3).toSorted()).toEqual(['a4', 'c1'])
    expect(done.slice(3)).toEqual(['b1', 'a2', 'a3'])
  })

  test('a job that somebody begins to wait for moves to the front', async () => {
    await rogue({ maxDecoders: 3 })
    for (const client of ['a', 'b']) endless(client, false, 1)
    const requester = { client: 'c', isAwaited: false }
    const late = bench.derive('slow', { mime: 'image/png', parts: ['preview'], requester })
    bench.images.prioritize(requester)
    expect((await late).height).toBe(1)
  })
})

describe('close', () => {
  test('rejects what runs and what waits, and leaves no process', async () => {
    await rogue({ maxDecoders: 1 })
    await trick('slow')
    const jobs = [failure('hang'), failure('slow'), failure('scribble')]
    await bench.images.close()
    expect((await Promise.all(jobs)).map(({ reason }) => reason)).toEqual(['closed', 'closed', 'closed'])
    expect(bench.startedPids.map(isAlive)).toEqual([false])
    expect(await bench.leftovers()).toEqual([])
    expect((await failure('slow')).reason).toBe('closed')
    expect(bench.startedPids).toHaveLength(1)
  })
})

describe('a service killed with SIGKILL leaves no decoder', () => {
  test.each([
    ['hang', 400],
    ['spin', 400],
    // Before the decoder has begun to watch.
    ['spin', 100],
  ])('%s, %d ms after its start', async (name, wait) => {
    await rogue()
    const parent = Bun.spawn({
      cmd: [process.execPath, `${import.meta.dir}/testing/parent.ts`, name, 'image/png'],
      cwd: bench.scratch,
      stdout: 'pipe',
    })
    const { value } = await parent.stdout.getReader().read()
    const decoder = Number(new TextDecoder().decode(value).split(' ')[1])
    // The time of the kill is what this test is about.
    await Bun.sleep(wait)
    expect(isAlive(decoder)).toBe(true)
    parent.kill('SIGKILL')
    expect(await waitUntilGone(decoder)).toBe(true)
  })
})
