import { describe, expect, test } from 'bun:test'
import { SESSION_LIFETIME } from './sessions.ts'
import { openSessionInstance, operatorInput, type SessionInstance, START, valueOrStatus } from './testing.ts'

const DAY = 24 * 60 * 60 * 1000

async function signedIn(instance: SessionInstance, benutzer = 'max') {
  const passwort = 'correct horse'
  if ((await instance.accounts.list()).every(account => account.name !== benutzer))
    await instance.accounts.create(operatorInput(benutzer, passwort))
  return instance.signIn({ benutzer, passwort }, 'here')
}

test('a session lasts 30 days from signing in, however much it is used', async () => {
  await using instance = await openSessionInstance()
  const { secret, session } = await signedIn(instance)
  expect(session.expiresAt).toBe(START + 30 * DAY)
  for (let day = 1; day < 30; day++) {
    instance.clock.now = START + day * DAY
    expect((await instance.sessions.authenticate([secret])).expiresAt).toBe(START + 30 * DAY)
  }
  instance.clock.now = START + 30 * DAY - 1
  expect(await instance.sessions.authenticate([secret])).toEqual(session)
  instance.clock.now += 1
  expect(await valueOrStatus(instance.sessions.authenticate([secret]))).toBe(401)
})

test('the job removes expired ones and no others', async () => {
  await using instance = await openSessionInstance()
  await signedIn(instance)
  instance.clock.now += DAY
  const later = await signedIn(instance)
  instance.clock.now = START + SESSION_LIFETIME
  await instance.sessions.removeExpired()
  const left = await instance.database.read.selectFrom('session').select('hash').execute()
  expect(left).toEqual([{ hash: later.session.id }])
})

test('the secret is 32 random bytes and stored nowhere', async () => {
  await using instance = await openSessionInstance()
  const one = await signedIn(instance)
  const two = await signedIn(instance)
  expect(Buffer.from(one.secret, 'base64url')).toHaveLength(32)
  expect(one.secret).not.toBe(two.secret)
  const stored = JSON.stringify(await instance.database.read.selectFrom('session').selectAll().execute())
  expect(stored).not.toContain(one.secret)
  expect(stored).toContain(one.session.id)
})

test('ended on the server it is gone, and the others stay', async () => {
  await using instance = await openSessionInstance()
  const one = await signedIn(instance)
  const two = await signedIn(instance)
  await instance.sessions.end(one.session)
  expect(await valueOrStatus(instance.sessions.authenticate([one.secret]))).toBe(401)
  expect(await instance.sessions.authenticate([two.secret])).toEqual(two.session)
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
    await using instance = await openSessionInstance()
    const { secret, session } = await signedIn(instance)
    const other = await signedIn(instance, 'eve')
    const result = await valueOrStatus(
      instance.sessions.authenticate(cookie(secret, other.secret, session.id)),
    )
    expect(result).toEqual(accepted ? session : 401)
  })
})
