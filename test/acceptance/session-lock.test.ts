/** Five attempts are free, then 429 with the remaining seconds; the lock is in the database. */
import { describe, expect, test } from 'bun:test'
import { expectError, type HeaderMap } from '../support/api.ts'
import { ADMIN, ADMIN_ENV, commandWithInput, dash, isSignedIn, signIn } from '../support/dashboard.ts'
import { leftToLong } from '../support/left-out.ts'
import { startService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'

// The test acts as the proxy, so that every test comes from an address of its own.
const on = sharedService({ env: { ...ADMIN_ENV, TRUST_PROXY: '127.0.0.0/8' } })
let clients = 0
const newClient = () => ({ 'X-Forwarded-For': `192.0.2.${++clients}` })

const attempt = (headers: HeaderMap, json: object = { ...ADMIN, passwort: 'wrong' }) =>
  dash(on.service, 'login', { json, headers })

async function failFiveTimes(headers: HeaderMap, json?: object) {
  for (let n = 0; n < 5; n++) await expectError(await attempt(headers, json), 401)
}

async function expectLocked(response: Response) {
  const seconds = Number(response.headers.get('retry-after'))
  expect(response.headers.get('set-cookie')).toBeNull()
  expect(await expectError(response, 429)).toContain(` ${seconds} Sekunde`)
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(30)
}

test('after the fifth failure 429, also with the right password', async () => {
  const client = newClient()
  await failFiveTimes(client)
  await expectLocked(await attempt(client))
  await expectLocked(await attempt(client, ADMIN))
})

test('the twin: after four the right password gets in, and five are free again', async () => {
  const client = newClient()
  for (let n = 0; n < 4; n++) await expectError(await attempt(client), 401)
  await signIn(on.service, ADMIN, client)
  await failFiveTimes(client)
  await expectLocked(await attempt(client, ADMIN))
})

test('it holds for the name in any case, and not for other names and clients', async () => {
  const client = newClient()
  await failFiveTimes(client)
  await expectLocked(await attempt(client, { ...ADMIN, benutzer: 'ADMIN' }))
  await expectError(await attempt(client, { benutzer: 'other', passwort: 'wrong' }), 401)
  await signIn(on.service, ADMIN, newClient())
})

test('who is signed in stays signed in', async () => {
  const client = newClient()
  const session = await signIn(on.service, ADMIN, client)
  await failFiveTimes(client)
  expect(await isSignedIn(on.service, session)).toBe(true)
})

test('of fifty wrong ones at once exactly five are judged', async () => {
  const client = newClient()
  const responses = await Promise.all(Array.from({ length: 50 }, () => attempt(client)))
  const count = (status: number) => responses.filter(response => response.status === status).length
  expect({ wrong: count(401), locked: count(429) }).toEqual({ wrong: 5, locked: 45 })
})

test('ten right ones at once all get in', async () => {
  const client = newClient()
  const responses = await Promise.all(Array.from({ length: 10 }, () => attempt(client, ADMIN)))
  expect(responses.map(response => response.status)).toEqual(Array(10).fill(200))
})

test('a wrong old password counts too', async () => {
  const client = newClient()
  const session = await signIn(on.service, ADMIN, client)
  const change = (alt: string) =>
    dash(on.service, 'passwort', { json: { alt, neu: 'never to be set' }, session, headers: client })
  for (let n = 0; n < 5; n++) await expectError(await change('wrong'), 403)
  await expectLocked(await change(ADMIN.passwort))
})

test('what is not an attempt does not count: wrong shape, broken JSON', async () => {
  const client = newClient()
  for (let n = 0; n < 8; n++) await expectError(await attempt(client, { benutzer: 'admin' }), 400)
  await signIn(on.service, ADMIN, client)
})

describe('whose address it is', () => {
  const forwarded = (value: string) => ({ 'X-Forwarded-For': value })

  test('what the client itself puts in front changes nothing', async () => {
    const [client] = Object.values(newClient())
    for (let n = 0; n < 5; n++) await attempt(forwarded(`203.0.113.${n}, ${client}`))
    await expectLocked(await attempt(forwarded(`203.0.113.99, ${client}`)))
  })

  test('an IPv6 client is its /64', async () => {
    for (let n = 1; n <= 5; n++) await attempt(forwarded(`2001:db8:0:1::${n}`))
    await expectLocked(await attempt(forwarded('2001:db8:0:1:ffff::1')))
    await expectError(await attempt(forwarded('2001:db8:0:2::1')), 401)
  })

  test('without TRUST_PROXY nobody is believed', async () => {
    await using service = await startService({ env: ADMIN_ENV })
    const json = { ...ADMIN, passwort: 'wrong' }
    for (let n = 0; n < 5; n++)
      await expectError(await dash(service, 'login', { json, headers: newClient() }), 401)
    await expectLocked(await dash(service, 'login', { json: ADMIN, headers: newClient() }))
  })

  test.each(['10.0.0.0/33', 'localhost', '10.0.0.1;10.0.0.2'])(
    'the service does not start with TRUST_PROXY=%s',
    async TRUST_PROXY => {
      await expect(startService({ env: { TRUST_PROXY } })).rejects.toThrow(/TRUST_PROXY/)
    },
  )
})

describe('a locked service', () => {
  test('is locked after it was stopped and started again', async () => {
    await using service = await startService({ env: ADMIN_ENV })
    for (let n = 0; n < 5; n++) await dash(service, 'login', { json: { ...ADMIN, passwort: 'wrong' } })
    await service.restart()
    await expectLocked(await dash(service, 'login', { json: ADMIN }))
  })

  leftToLong('is locked after it was killed and started again', async () => {
    await using service = await startService({ ownProcess: true, env: ADMIN_ENV })
    for (let n = 0; n < 5; n++) await dash(service, 'login', { json: { ...ADMIN, passwort: 'wrong' } })
    await service.kill9()
    await service.restart()
    await expectLocked(await dash(service, 'login', { json: ADMIN }))
  })

  test('is opened by its operator, who sets the password anew; that ends the sessions', async () => {
    await using service = await startService({ env: ADMIN_ENV })
    const session = await signIn(service)
    for (let n = 0; n < 6; n++) await dash(service, 'login', { json: { ...ADMIN, passwort: 'wrong' } })
    const { code } = await commandWithInput(service, 'new words 123\n', 'user', 'password', '--name', 'Admin')
    expect(code).toBe(0)
    expect(await isSignedIn(service, session)).toBe(false)
    await signIn(service, { ...ADMIN, passwort: 'new words 123' })
    await expectError(await dash(service, 'login', { json: ADMIN }), 401)
  })
})
