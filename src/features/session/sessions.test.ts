import { describe, expect, test } from 'bun:test'
import { SESSION_LIFETIME } from '../../contract/session.ts'
import { openSessionInstance, outcome, type SessionInstance, START } from './testing.ts'

const DAY = 24 * 60 * 60 * 1000

async function signedIn(house: SessionInstance, benutzer = 'max') {
  const passwort = 'correct horse'
  if ((await house.accounts.list()).every(account => account.name !== benutzer))
    await house.accounts.create({ benutzer, passwort })
  return house.signIn({ benutzer, passwort }, 'here')
}

test('a session lasts 30 days from signing in, however much it is used', async () => {
  await using house = await openSessionInstance()
  const { secret, session } = await signedIn(house)
  expect(session.expiresAt).toBe(START + 30 * DAY)
  for (let day = 1; day < 30; day++) {
    house.clock.now = START + day * DAY
    expect((await house.sessions.authenticate([secret])).expiresAt).toBe(START + 30 * DAY)
  }
  house.clock.now = START + 30 * DAY - 1
  expect(await house.sessions.authenticate([secret])).toEqual(session)
  house.clock.now += 1
  expect(await outcome(house.sessions.authenticate([secret]))).toBe(401)
})

test('the job removes expired ones and no others', async () => {
  await using house = await openSessionInstance()
  await signedIn(house)
  house.clock.now += DAY
  const later = await signedIn(house)
  house.clock.now = START + SESSION_LIFETIME
  await house.sessions.removeExpired()
  const left = await house.database.read.selectFrom('session').select('hash').execute()
  expect(left).toEqual([{ hash: later.session.id }])
})

test('the secret is 32 random bytes and stored nowhere', async () => {
  await using house = await openSessionInstance()
  const one = await signedIn(house)
  const two = await signedIn(house)
  expect(Buffer.from(one.secret, 'base64url')).toHaveLength(32)
  expect(one.secret).not.toBe(two.secret)
  const stored = JSON.stringify(await house.database.read.selectFrom('session').selectAll().execute())
  expect(stored).not.toContain(one.secret)
  expect(stored).toContain(one.session.id)
})

test('ended on the server it is gone, and the others stay', async () => {
  await using house = await openSessionInstance()
  const one = await signedIn(house)
  const two = await signedIn(house)
  await house.sessions.end(one.session)
  expect(await outcome(house.sessions.authenticate([one.secret]))).toBe(401)
  expect(await house.sessions.authenticate([two.secret])).toEqual(two.session)
})

describe('what a cookie may carry', () => {
  test.each<[string, (secret: string, other: string, id: string) => string[], boolean]>([
    ['the secret', secret => [secret], true],
    ['the secret twice', secret => [secret, secret], true],
    ['the secret beside rubbish', secret => ['rubbish', secret], true],
    ['two valid sessions, one of them planted', (secret, other) => [other, secret], false],
    ['nothing', () => [], false],
    ['an empty value', () => [''], false],
    ['what the server stores', (_, __, id) => [id], false],
    ['a shortened secret', secret => [secret.slice(0, -1)], false],
    ['a lengthened one', secret => [`${secret}a`], false],
    ['one with a blank', secret => [` ${secret}`], false],
    ['an unknown one', () => ['a'.repeat(43)], false],
  ])('%s', async (_, cookie, accepted) => {
    await using house = await openSessionInstance()
    const { secret, session } = await signedIn(house)
    const other = await signedIn(house, 'eve')
    const result = await outcome(house.sessions.authenticate(cookie(secret, other.secret, session.id)))
    expect(result).toEqual(accepted ? session : 401)
  })
})
