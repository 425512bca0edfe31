import { describe, expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import {
  openSessionInstance,
  operatorInput,
  type SessionInstance,
  valueOrStatus,
  visitorAt,
} from '../testing.ts'
import { createInstanceKey } from './instance-key.ts'

const PASSWORD = 'correct horse'
const STEP = 30_000
const FOR_LOGIN = { benutzer: 'Max', passwort: PASSWORD }

const codeAt = (secret: string, timestamp: number) => new TOTP({ secret }).generate({ timestamp })

async function withTotp() {
  const instance = await openSessionInstance()
  const account = await instance.accounts.create(operatorInput('Max'))
  const { geheimnis } = await instance.totp.begin(account)
  const codes = await instance.totp.confirm(account, codeAt(geheimnis, instance.clock.now))
  // The confirmation used its code up; from here on each test begins at an unused time step.
  instance.clock.now += 10 * STEP
  return { instance, account, geheimnis, codes }
}

async function stepOf(instance: SessionInstance, from = 'here'): Promise<string> {
  const verdict = await instance.login.withPassword(FOR_LOGIN, visitorAt(from))
  if (!('step' in verdict)) throw new Error('signed in with the password alone')
  return verdict.step
}

const enter = (instance: Pick<SessionInstance, 'login'>, schritt: string, code: string, from = 'here') =>
  valueOrStatus(instance.login.withCode({ schritt, code }, visitorAt(from)).then(() => 200))

test('the test vectors of RFC 6238, appendix B', async () => {
  const { instance, account } = await withTotp()
  await using _ = instance
  const secret = Secret.fromLatin1('12345678901234567890').base32
  const sealed = await createInstanceKey(instance).seal(`totp ${account.id}`, secret)
  await instance.database.transaction(tx => tx.updateTable('totp').set({ secret: sealed }).execute())
  // The last six of the eight digits in the RFC, because a code is a remainder.
  for (const [seconds, code] of [
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ] as const) {
    instance.clock.now = seconds * 1000
    await instance.database.transaction(tx => tx.updateTable('totp').set({ last_step: 0 }).execute())
    expect([seconds, await enter(instance, await stepOf(instance), code)]).toEqual([seconds, 200])
  }
})

describe('one step of drift', () => {
  test.each([
    [-2, 401],
    [-1, 200],
    [0, 200],
    [1, 200],
    [2, 401],
  ])('a clock %p steps off: %p', async (steps, status) => {
    const { instance, geheimnis } = await withTotp()
    await using _ = instance
    const code = codeAt(geheimnis, instance.clock.now + steps * STEP)
    expect(await enter(instance, await stepOf(instance), code)).toBe(status)
  })
})

test('the confirming code does not sign in', async () => {
  await using instance = await openSessionInstance()
  const account = await instance.accounts.create(operatorInput('Max'))
  const { geheimnis } = await instance.totp.begin(account)
  const code = codeAt(geheimnis, instance.clock.now)
  await instance.totp.confirm(account, code)
  expect(await enter(instance, await stepOf(instance), code)).toBe(401)
  expect(await enter(instance, await stepOf(instance), codeAt(geheimnis, instance.clock.now + STEP))).toBe(
    200,
  )
})

test.each([
  ['a code of the app', 50],
  ['an emergency code', 10],
])('%s at %p places at once, in two processes, signs in once', async (kind, places) => {
  const { instance, geheimnis, codes } = await withTotp()
  await using _ = instance
  const code = kind === 'an emergency code' ? codes[0]! : codeAt(geheimnis, instance.clock.now)
  const step = await stepOf(instance)
  const processes = [instance, instance.createProcess()]
  const uses = Array.from({ length: places }, (_, at) =>
    enter(processes[at % 2]!, step, code, `client ${at}`),
  )
  expect((await Promise.all(uses)).sort()).toEqual([200, ...Array(places - 1).fill(401)])
  expect(await instance.database.read.selectFrom('session').selectAll().execute()).toHaveLength(1)
})

test('each emergency code once, as people type it', async () => {
  const { instance, codes } = await withTotp()
  await using _ = instance
  expect(new Set(codes).size).toBe(10)
  const [first = '', second = ''] = codes
  expect(await enter(instance, await stepOf(instance), ` ${first.toLowerCase().replaceAll('-', ' ')} `)).toBe(
    200,
  )
  expect(await enter(instance, await stepOf(instance), first)).toBe(401)
  expect(await enter(instance, await stepOf(instance), second)).toBe(200)
  const hashes = await instance.database.read.selectFrom('emergency_code').select('hash').execute()
  expect(hashes).toHaveLength(8)
  expect(JSON.stringify(hashes).toUpperCase()).not.toContain(codes[2]!.replaceAll('-', ''))
})

describe('the lock', () => {
  test('wrong codes close it, and a right password alone neither counts nor clears', async () => {
    const { instance, geheimnis } = await withTotp()
    await using _ = instance
    for (let n = 0; n < 5; n++) {
      // Enters the password again each time, like a page that starts over.
      expect(await enter(instance, await stepOf(instance), '000000')).toBe(401)
    }
    expect(await valueOrStatus(instance.login.withPassword(FOR_LOGIN, visitorAt('here')))).toBe(429)
    instance.clock.now += 31_000
    const step = await stepOf(instance)
    await stepOf(instance)
    // The sixth failure locks for twice as long: the correct passwords in between cleared no lock.
    expect(await enter(instance, step, '000000')).toBe(401)
    expect(await enter(instance, step, codeAt(geheimnis, instance.clock.now))).toBe(429)
    instance.clock.now += 31_000
    expect(await enter(instance, step, codeAt(geheimnis, instance.clock.now))).toBe(429)
    instance.clock.now += 31_000
    expect(await enter(instance, step, codeAt(geheimnis, instance.clock.now))).toBe(200)
    // The twin: the right code clears the failures.
    for (let n = 0; n < 5; n++) expect(await enter(instance, await stepOf(instance), '000000')).toBe(401)
  })

  test('twenty right passwords without a code lock nobody out', async () => {
    const { instance, geheimnis } = await withTotp()
    await using _ = instance
    for (let n = 0; n < 20; n++) await stepOf(instance)
    expect(await enter(instance, await stepOf(instance), codeAt(geheimnis, instance.clock.now))).toBe(200)
  })

  test('removing the second factor asks for the password, whose failures count', async () => {
    const { instance, account } = await withTotp()
    await using _ = instance
    const session = { id: '', account, expiresAt: 0 }
    const remove = (password: string) => valueOrStatus(instance.totp.remove(session, 'here', password))
    for (let n = 0; n < 4; n++) expect(await remove('wrong horse')).toBe(403)
    // The password is right, but the four failures before still count: one more closes the lock.
    expect(await remove(PASSWORD)).toBeUndefined()
    expect(await valueOrStatus(instance.signIn({ ...FOR_LOGIN, passwort: 'wrong' }, 'here'))).toBe(401)
    expect(await valueOrStatus(instance.signIn(FOR_LOGIN, 'here'))).toBe(429)
    expect(await remove(PASSWORD)).toBe(404)
  })
})

describe('the step between password and code', () => {
  test('lasts five minutes, and works in another process', async () => {
    const { instance, geheimnis } = await withTotp()
    await using _ = instance
    const step = await stepOf(instance)
    instance.clock.now += 5 * 60_000 - 1
    const other = instance.createProcess()
    const code = codeAt(geheimnis, instance.clock.now)
    expect(await enter(other, step, code)).toBe(200)
    instance.clock.now += 1
    expect(await enter(other, step, codeAt(geheimnis, instance.clock.now + STEP))).toBe(401)
  })

  test.each<[string, (instance: SessionInstance, id: string) => Promise<unknown>]>([
    ['a new password', instance => instance.accounts.resetPassword('Max', 'another horse')],
    ['a reset second factor', (instance, id) => instance.accounts.resetFactors(id)],
    ['a deleted account', (instance, id) => instance.accounts.remove(id)],
  ])('ends with %s', async (_, change) => {
    const { instance, account, geheimnis } = await withTotp()
    await using __ = instance
    await instance.accounts.create(operatorInput('Other'))
    const step = await stepOf(instance)
    await change(instance, account.id)
    expect(await enter(instance, step, codeAt(geheimnis, instance.clock.now))).toBe(401)
  })

  test('cannot be forged, nor made from what was sealed for something else', async () => {
    const { instance, geheimnis } = await withTotp()
    await using _ = instance
    const { secret } = (await instance.database.read.selectFrom('totp').select('secret').executeTakeFirst())!
    for (const step of ['', 'x', secret, `${await stepOf(instance)}x`.replace(/^./, 'A')])
      expect(await enter(instance, step, codeAt(geheimnis, instance.clock.now))).toBe(401)
  })
})

test('what an archive holds opens no factor: the secret is encrypted with the key of the data folder', async () => {
  const { instance, geheimnis } = await withTotp()
  await using _ = instance
  const rows = await instance.database.read.selectFrom('totp').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(geheimnis)
  // As if restored elsewhere: the rows are there, the key is not. Codes of the app cannot be checked,
  // emergency codes can.
  await Bun.file(instance.at('fundus.key')).delete()
  const elsewhere = instance.createProcess()
  const verdict = await elsewhere.login.withPassword(FOR_LOGIN, visitorAt('here'))
  const step = 'step' in verdict ? verdict.step : ''
  expect(await enter(elsewhere, step, codeAt(geheimnis, instance.clock.now))).toBe(409)
})

test('setting up again needs the old one removed, and an unconfirmed one is replaced', async () => {
  const { instance, account } = await withTotp()
  await using _ = instance
  expect(await valueOrStatus(instance.totp.begin(account))).toBe(409)
  const other = await instance.accounts.create(operatorInput('Other'))
  const first = await instance.totp.begin(other)
  const second = await instance.totp.begin(other)
  expect(second.geheimnis).not.toBe(first.geheimnis)
  expect(await valueOrStatus(instance.totp.confirm(other, codeAt(first.geheimnis, instance.clock.now)))).toBe(
    403,
  )
  // Until the app is confirmed, the password alone signs in.
  await instance.signIn({ benutzer: 'Other', passwort: PASSWORD }, 'here')
  await instance.totp.confirm(other, codeAt(second.geheimnis, instance.clock.now))
  expect(
    await valueOrStatus(instance.totp.confirm(other, codeAt(second.geheimnis, instance.clock.now))),
  ).toBe(409)
})

test('a clock that was ahead for a day locks nobody out afterwards', async () => {
  const { instance, geheimnis } = await withTotp()
  await using _ = instance
  const right = instance.clock.now
  instance.clock.now += 2880 * STEP
  expect(await enter(instance, await stepOf(instance), codeAt(geheimnis, instance.clock.now))).toBe(200)
  instance.clock.now = right
  const code = codeAt(geheimnis, right)
  expect(await enter(instance, await stepOf(instance), code)).toBe(200)
  expect(await enter(instance, await stepOf(instance), code)).toBe(401)
})
