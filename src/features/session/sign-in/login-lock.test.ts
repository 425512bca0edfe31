import { describe, expect, test } from 'bun:test'
import { Failure } from '../../../errors/errors.ts'
import { openSessionInstance, valueOrStatus } from '../testing.ts'
import {
  CLIENT_FAILURE_LIMIT,
  CLIENT_FORGIVENESS_INTERVAL,
  createLoginLock,
  FIRST_LOCK_DURATION,
  LOCKED_NAME_RETENTION,
  type LoginLock,
  MAX_LOCK_DURATION,
  UNLOCKED_NAME_RETENTION,
} from './login-lock.ts'

const WRONG = 401
const LOCKED = 429
const who = { name: 'Max', client: '192.0.2.1' }

const fail = (lock: LoginLock, attempt = who) =>
  valueOrStatus(
    lock.attempt(attempt, async () => {
      throw new Failure('wrong', WRONG, { sentence: 'Falsch.' })
    }),
  )
const succeed = (lock: LoginLock, attempt = who) =>
  valueOrStatus(lock.attempt(attempt, async () => 'in' as const))

async function failFiveTimes(lock: LoginLock) {
  for (let n = 0; n < 5; n++) expect(await fail(lock)).toBe(WRONG)
}

test('five attempts are free, the sixth is refused, also with the right password', async () => {
  await using instance = await openSessionInstance()
  await failFiveTimes(instance.lock)
  expect(await fail(instance.lock)).toBe(LOCKED)
  expect(await succeed(instance.lock)).toBe(LOCKED)
})

test('the fifth may still be the right one', async () => {
  await using instance = await openSessionInstance()
  for (let n = 0; n < 4; n++) await fail(instance.lock)
  expect(await succeed(instance.lock)).toBe('in')
})

test('it opens after 30 seconds, not a moment earlier', async () => {
  await using instance = await openSessionInstance()
  await failFiveTimes(instance.lock)
  instance.clock.now += FIRST_LOCK_DURATION - 1
  expect(await succeed(instance.lock)).toBe(LOCKED)
  instance.clock.now += 1
  expect(await succeed(instance.lock)).toBe('in')
})

test('each failure after a lock doubles it, up to 15 minutes', async () => {
  await using instance = await openSessionInstance()
  await failFiveTimes(instance.lock)
  for (const seconds of [30, 60, 120, 240, 480, 900, 900, 900]) {
    instance.clock.now += seconds * 1000 - 1
    expect(await fail(instance.lock)).toBe(LOCKED)
    instance.clock.now += 1
    expect(await fail(instance.lock)).toBe(WRONG)
  }
})

test('attempts during a lock do not extend it', async () => {
  await using instance = await openSessionInstance()
  await failFiveTimes(instance.lock)
  for (let n = 0; n < 29; n++) {
    instance.clock.now += 1000
    expect(await fail(instance.lock)).toBe(LOCKED)
  }
  instance.clock.now += 1000
  expect(await succeed(instance.lock)).toBe('in')
})

test('success clears it: five are free again', async () => {
  await using instance = await openSessionInstance()
  await failFiveTimes(instance.lock)
  instance.clock.now += FIRST_LOCK_DURATION
  await succeed(instance.lock)
  await failFiveTimes(instance.lock)
  instance.clock.now += FIRST_LOCK_DURATION
  expect(await succeed(instance.lock)).toBe('in')
})

describe('the answer tells how long', () => {
  test.each([
    [0, 30],
    [1, 30],
    [999, 30],
    [1000, 29],
    [29_999, 1],
  ])('after %i ms: %i s', async (passed, seconds) => {
    await using instance = await openSessionInstance()
    await failFiveTimes(instance.lock)
    instance.clock.now += passed
    const refused = await instance.lock.attempt(who, async () => 'in').catch(error => error as Failure)
    expect(refused).toMatchObject({ status: LOCKED, headers: { 'Retry-After': String(seconds) } })
    expect((refused as Failure).sentence).toContain(` ${seconds} Sekunde`)
  })
})

describe('it counts by name and client', () => {
  test.each([
    ['the same name in other case', { name: 'mAX', client: who.client }, LOCKED],
    ['another name', { name: 'Maxi', client: who.client }, WRONG],
    ['another client', { name: who.name, client: '192.0.2.2' }, WRONG],
  ])('%s', async (_, other, expected) => {
    await using instance = await openSessionInstance()
    await failFiveTimes(instance.lock)
    expect(await fail(instance.lock, other)).toBe(expected)
  })
})

describe('many at once', () => {
  test('of fifty wrong ones over several instances exactly five are judged', async () => {
    await using instance = await openSessionInstance()
    const locks = Array.from({ length: 10 }, () => instance.createProcess().lock)
    const outcomes = await Promise.all(Array.from({ length: 50 }, (_, n) => fail(locks[n % 10]!)))
    expect(outcomes.filter(status => status === WRONG)).toHaveLength(5)
  })
})

test('another instance knows it, and so does the next start', async () => {
  await using instance = await openSessionInstance()
  await failFiveTimes(instance.lock)
  expect(await succeed(instance.createProcess().lock)).toBe(LOCKED)
})

test('an attempt during a lock writes nothing: a flood of them holds up no upload', async () => {
  await using instance = await openSessionInstance()
  await failFiveTimes(instance.lock)
  const transaction = () => Promise.reject(new Error('written'))
  const lock = createLoginLock({ database: { ...instance.database, transaction }, now: instance.now })
  expect(await fail(lock)).toBe(LOCKED)
  instance.clock.now += FIRST_LOCK_DURATION
  await expect(fail(lock)).rejects.toThrow('written')
})

describe('in the end it is forgotten', () => {
  const rows = async (instance: Awaited<ReturnType<typeof openSessionInstance>>) =>
    (await instance.database.read.selectFrom('login_lock').selectAll().execute()).length

  test('a day after its end', async () => {
    await using instance = await openSessionInstance()
    await failFiveTimes(instance.lock)
    instance.clock.now += FIRST_LOCK_DURATION + LOCKED_NAME_RETENTION - 1
    await instance.lock.removeForgotten()
    expect(await rows(instance)).toBe(1)
    instance.clock.now += 1
    await instance.lock.removeForgotten()
    expect(await rows(instance)).toBe(0)
  })

  test('an hour after the last failure, where no lock was closed', async () => {
    await using instance = await openSessionInstance()
    await fail(instance.lock)
    instance.clock.now += UNLOCKED_NAME_RETENTION - 1
    await instance.lock.removeForgotten()
    expect(await rows(instance)).toBe(1)
    instance.clock.now += 1
    await instance.lock.removeForgotten()
    expect(await rows(instance)).toBe(0)
  })

  test('whether or not the job has run by then', async () => {
    await using instance = await openSessionInstance()
    await failFiveTimes(instance.lock)
    instance.clock.now += MAX_LOCK_DURATION + LOCKED_NAME_RETENTION
    await failFiveTimes(instance.lock)
  })

  test('not before: the sixth failure, hours later, locks at once', async () => {
    await using instance = await openSessionInstance()
    await failFiveTimes(instance.lock)
    instance.clock.now += LOCKED_NAME_RETENTION / 2
    expect(await fail(instance.lock)).toBe(WRONG)
    expect(await fail(instance.lock)).toBe(LOCKED)
  })

  test('what was tried as a name is not readable in the database', async () => {
    await using instance = await openSessionInstance()
    await fail(instance.lock, { name: 'my password', client: 'x' })
    const stored = await instance.database.read.selectFrom('login_lock').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain('my password')
  })
})

describe('ever new names from one client', () => {
  const nameless = (n: number, client = who.client) => ({ name: `nobody ${n}`, client })
  async function spend(lock: LoginLock, from = 0) {
    for (let n = from; n < from + CLIENT_FAILURE_LIMIT; n++) expect(await fail(lock, nameless(n))).toBe(WRONG)
  }

  test('thirty are free, then one a minute; other clients are not held back', async () => {
    await using instance = await openSessionInstance()
    await spend(instance.lock)
    for (let n = 100; n < 103; n++) {
      instance.clock.now += n === 100 ? CLIENT_FORGIVENESS_INTERVAL - 1 : CLIENT_FORGIVENESS_INTERVAL
      expect(await fail(instance.lock, nameless(n))).toBe(n === 100 ? LOCKED : WRONG)
    }
    expect(await succeed(instance.lock)).toBe(LOCKED)
    expect(await succeed(instance.lock, { ...who, client: '192.0.2.2' })).toBe('in')
  })

  test('all is forgiven after half an hour', async () => {
    await using instance = await openSessionInstance()
    await spend(instance.lock)
    instance.clock.now += CLIENT_FAILURE_LIMIT * CLIENT_FORGIVENESS_INTERVAL
    await spend(instance.lock, 100)
  })

  test('a success with an own account gives no new attempts at the names of others, and costs none', async () => {
    await using instance = await openSessionInstance()
    await spend(instance.lock)
    for (let n = 100; n < 103; n++) {
      instance.clock.now += CLIENT_FORGIVENESS_INTERVAL
      expect(await succeed(instance.lock)).toBe('in')
      expect(await fail(instance.lock, nameless(n))).toBe(WRONG)
      expect(await fail(instance.lock, nameless(n))).toBe(LOCKED)
    }
  })

  test('any number of people behind one address sign in, one after the other', async () => {
    await using instance = await openSessionInstance()
    for (let n = 0; n < 2 * CLIENT_FAILURE_LIMIT; n++)
      expect(await succeed(instance.lock, nameless(n))).toBe('in')
  })

  test('of fifty at once over several instances exactly thirty are judged', async () => {
    await using instance = await openSessionInstance()
    const locks = Array.from({ length: 5 }, () => instance.createProcess().lock)
    const outcomes = await Promise.all(Array.from({ length: 50 }, (_, n) => fail(locks[n % 5]!, nameless(n))))
    expect(outcomes.filter(status => status === WRONG)).toHaveLength(CLIENT_FAILURE_LIMIT)
  })

  test('what is written for them stays few, and pushes out no lock of a name', async () => {
    await using instance = await openSessionInstance()
    await failFiveTimes(instance.lock)
    for (let minute = 0; minute < 6 * 60; minute++) {
      for (let n = 0; n < 3; n++) await fail(instance.lock, nameless(minute * 3 + n))
      if (minute % 60 === 0) await instance.lock.removeForgotten()
      instance.clock.now += CLIENT_FORGIVENESS_INTERVAL
    }
    const { count } = await instance.database.read
      .selectFrom('login_lock')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBeWithin(60, 160)
    // Six hours later all of its free attempts are still used up.
    instance.clock.now += CLIENT_FAILURE_LIMIT * CLIENT_FORGIVENESS_INTERVAL
    expect(await fail(instance.lock)).toBe(WRONG)
    expect(await fail(instance.lock)).toBe(LOCKED)
  })
})
