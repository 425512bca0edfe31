import { describe, expect, test } from 'bun:test'
import { newId } from '../../base/ids.ts'
import { createLog } from '../../base/log.ts'
import { prepareSetup } from './setup.ts'
import { openSessionInstance, type SessionInstance, valueOrStatus } from './testing.ts'

const max = { benutzer: 'Max', passwort: 'correct horse' }

/** Prepares the set-up as a start of the service does; returns the code that is shown. */
async function start(
  instance: SessionInstance,
  admin: typeof max | null = null,
): Promise<string | undefined> {
  const log = createLog({ level: 'warn', isHumanReadable: false, write: () => {} })
  const { database, passwords, now } = instance
  const code = await prepareSetup({ database, passwords, admin, log, newId, now })
  if (code !== null) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){2}$/)
  return code ?? undefined
}

async function openSetup() {
  const instance = await openSessionInstance()
  const code = await start(instance)
  if (!code) throw new Error('no code was shown')
  return { instance, code }
}

test('the code opens the set-up once: account, session, and no code any more', async () => {
  const { instance, code } = await openSetup()
  await using _ = instance
  expect(await instance.setup.isOpen()).toBe(true)
  const { secret } = await instance.setup.complete({ ...max, code }, 'here')
  expect((await instance.sessions.authenticate([secret])).account.name).toBe('Max')
  expect(await instance.setup.isOpen()).toBe(false)
  expect(await valueOrStatus(instance.setup.complete({ ...max, benutzer: 'eve', code }, 'here'))).toBe(409)
  expect(await start(instance)).toBeUndefined()
  expect(await instance.database.read.selectFrom('setup').selectAll().execute()).toEqual([])
})

describe('as people type it', () => {
  test.each<[string, (code: string) => string, boolean]>([
    ['in lower case', code => code.toLowerCase(), true],
    ['without dashes, with blanks', code => ` ${code.replaceAll('-', ' ')} `, true],
    ['O for 0, l for 1', code => code.replaceAll('0', 'o').replaceAll('1', 'l'), true],
    ['one character changed', code => (code[0] === 'A' ? 'B' : 'A') + code.slice(1), false],
    ['one missing', code => code.slice(1), false],
    ['nothing', () => '', false],
  ])('%s', async (_, typed, accepted) => {
    const { instance, code } = await openSetup()
    await using __ = instance
    const result = await valueOrStatus(instance.setup.complete({ ...max, code: typed(code) }, 'here'))
    expect(result === 403).toBe(!accepted)
    expect(await instance.accounts.list()).toHaveLength(accepted ? 1 : 0)
  })
})

test('each start shows the same code until it is used, also several at once, and it holds on every instance', async () => {
  const { instance, code } = await openSetup()
  await using _ = instance
  expect(await Promise.all([start(instance), start(instance), start(instance)])).toEqual([code, code, code])
  expect(await instance.createProcess().setup.complete({ ...max, code }, 'here')).toHaveProperty('secret')
})

test('guessing is locked after five, also with the right code, and for that client only', async () => {
  const { instance, code } = await openSetup()
  await using _ = instance
  for (let n = 0; n < 5; n++)
    expect(await valueOrStatus(instance.setup.complete({ ...max, code: 'wrong' }, 'here'))).toBe(403)
  expect(await valueOrStatus(instance.setup.complete({ ...max, code }, 'here'))).toBe(429)
  expect(await instance.setup.complete({ ...max, code }, 'there')).toHaveProperty('secret')
})

describe('ten at once with the right code: exactly one wins, the others get 409', () => {
  test.each(['on one instance', 'on ten'])('%s', async where => {
    const { instance, code } = await openSetup()
    await using _ = instance
    const setups = Array.from(
      { length: 10 },
      () => (where === 'on ten' ? instance.createProcess() : instance).setup,
    )
    const racing = setups.map((setup, n) =>
      valueOrStatus(setup.complete({ ...max, benutzer: `max ${n}`, code }, `client ${n}`)),
    )
    const outcomes = await Promise.all(racing)
    expect(outcomes.filter(each => each === 409)).toHaveLength(9)
    expect(await instance.accounts.list()).toHaveLength(1)
  })
})

describe('with an account in the environment', () => {
  test('it is made, and there is no code', async () => {
    await using instance = await openSessionInstance()
    expect(await start(instance, max)).toBeUndefined()
    expect(await instance.signIn(max, 'here')).toHaveProperty('secret')
    expect(await valueOrStatus(instance.setup.complete({ ...max, code: '' }, 'here'))).toBe(409)
  })

  test('only the first time: a password that was changed stays changed', async () => {
    await using instance = await openSessionInstance()
    await start(instance, max)
    await instance.accounts.resetPassword('max', 'another horse')
    await start(instance, max)
    expect(await valueOrStatus(instance.signIn(max, 'here'))).toBe(401)
    await start(instance, { ...max, benutzer: 'second' })
    expect(await instance.accounts.list()).toHaveLength(1)
  })

  test('a code of an earlier start is void', async () => {
    const { instance, code } = await openSetup()
    await using _ = instance
    await start(instance, max)
    expect(await valueOrStatus(instance.setup.complete({ ...max, benutzer: 'eve', code }, 'here'))).toBe(409)
  })
})
