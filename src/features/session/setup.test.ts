import { describe, expect, test } from 'bun:test'
import { newId } from '../../ids.ts'
import { createLog } from '../../log.ts'
import { prepareSetup } from './setup.ts'
import { openSessionInstance, outcome, type SessionInstance } from './testing.ts'

const max = { benutzer: 'Max', passwort: 'correct horse' }

/** Starts as the service does; answers the code it logged. */
async function start(house: SessionInstance, admin: typeof max | null = null): Promise<string | undefined> {
  let text = ''
  const write = (line: string) => {
    text += line
  }
  const log = createLog({ level: 'warn', readable: false, write })
  const { database, passwords, now } = house
  await prepareSetup({ database, passwords, admin, log, newId, now })
  return /"message":"Einrichtungscode: ([0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){2})"/.exec(text)?.[1]
}

async function opened() {
  const house = await openSessionInstance()
  const code = await start(house)
  if (!code) throw new Error('no code was logged')
  return { house, code }
}

test('the code opens the set-up once: account, session, and no code any more', async () => {
  const { house, code } = await opened()
  await using _ = house
  expect(await house.setup.isOpen()).toBe(true)
  const { secret } = await house.setup.complete({ ...max, code }, 'here')
  expect((await house.sessions.authenticate([secret])).account.name).toBe('Max')
  expect(await house.setup.isOpen()).toBe(false)
  expect(await outcome(house.setup.complete({ ...max, benutzer: 'eve', code }, 'here'))).toBe(409)
  expect(await start(house)).toBeUndefined()
  expect(await house.database.read.selectFrom('setup').selectAll().execute()).toEqual([])
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
    const { house, code } = await opened()
    await using __ = house
    const result = await outcome(house.setup.complete({ ...max, code: typed(code) }, 'here'))
    expect(result === 403).toBe(!accepted)
    expect(await house.accounts.list()).toHaveLength(accepted ? 1 : 0)
  })
})

test('each start shows the same code until it is used, also several at once, and it holds on every instance', async () => {
  const { house, code } = await opened()
  await using _ = house
  expect(await Promise.all([start(house), start(house), start(house)])).toEqual([code, code, code])
  expect(await house.instance().setup.complete({ ...max, code }, 'here')).toHaveProperty('secret')
})

test('guessing is locked after five, also with the right code, and for that client only', async () => {
  const { house, code } = await opened()
  await using _ = house
  for (let n = 0; n < 5; n++)
    expect(await outcome(house.setup.complete({ ...max, code: 'wrong' }, 'here'))).toBe(403)
  expect(await outcome(house.setup.complete({ ...max, code }, 'here'))).toBe(429)
  expect(await house.setup.complete({ ...max, code }, 'there')).toHaveProperty('secret')
})

describe('ten at once with the right code: exactly one wins, the others get 409', () => {
  test.each(['on one instance', 'on ten'])('%s', async where => {
    const { house, code } = await opened()
    await using _ = house
    const setups = Array.from({ length: 10 }, () => (where === 'on ten' ? house.instance() : house).setup)
    const racing = setups.map((setup, n) =>
      outcome(setup.complete({ ...max, benutzer: `max ${n}`, code }, `client ${n}`)),
    )
    const outcomes = await Promise.all(racing)
    expect(outcomes.filter(each => each === 409)).toHaveLength(9)
    expect(await house.accounts.list()).toHaveLength(1)
  })
})

describe('with an account in the environment', () => {
  test('it is made, and there is no code', async () => {
    await using house = await openSessionInstance()
    expect(await start(house, max)).toBeUndefined()
    expect(await house.signIn(max, 'here')).toHaveProperty('secret')
    expect(await outcome(house.setup.complete({ ...max, code: '' }, 'here'))).toBe(409)
  })

  test('only the first time: a password that was changed stays changed', async () => {
    await using house = await openSessionInstance()
    await start(house, max)
    await house.accounts.resetPassword('max', 'another horse')
    await start(house, max)
    expect(await outcome(house.signIn(max, 'here'))).toBe(401)
    await start(house, { ...max, benutzer: 'second' })
    expect(await house.accounts.list()).toHaveLength(1)
  })

  test('a code of an earlier start is void', async () => {
    const { house, code } = await opened()
    await using _ = house
    await start(house, max)
    expect(await outcome(house.setup.complete({ ...max, benutzer: 'eve', code }, 'here'))).toBe(409)
  })
})
