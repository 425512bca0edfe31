/** A single address that tries endless names is slowed down, and nobody else is kept from signing in. */
import { expect, test } from 'bun:test'
import { expectError, type HeaderMap } from '../support/api.ts'
import { ADMIN, ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { sharedService } from '../support/shared-service.ts'

const on = sharedService({ env: { ...ADMIN_ENV, TRUST_PROXY: '127.0.0.1' } })
const from = (address: string) => ({ 'X-Forwarded-For': address })
const tryRandomName = (headers: HeaderMap = {}) =>
  dash(on.service, 'login', { json: { benutzer: crypto.randomUUID(), passwort: 'wrong' }, headers })

const CONNECTIONS = 80
/**
 * Milliseconds. On a busy machine the limit is larger, by as much as an ordinary sign-in takes longer there.
 */
const PROMPT = 5000
const SHARE = 20

test('login denial: 80 connections with random names from one address, right logins elsewhere get in', async () => {
  const calm = Date.now()
  await signIn(on.service, ADMIN, from('198.51.100.100'))
  const prompt = PROMPT + SHARE * (Date.now() - calm)
  let flooding = true
  const statuses = new Set<number>()
  const flood = Array.from({ length: CONNECTIONS }, async () => {
    while (flooding) statuses.add((await tryRandomName()).status)
  })
  try {
    for (let n = 1; n <= 10; n++) {
      const began = Date.now()
      await signIn(on.service, ADMIN, from(`198.51.100.${n}`))
      expect(Date.now() - began).toBeLessThan(prompt)
    }
  } finally {
    flooding = false
    await Promise.all(flood)
  }
  expect(statuses).toContain(429)
})

test('the flood comes from a whole network: its attempts at once are bounded together', async () => {
  const flood = Array.from({ length: CONNECTIONS }, (_, n) => tryRandomName(from(`203.0.113.${n + 1}`)))
  await signIn(on.service, ADMIN, from('198.51.100.20'))
  const crowded = (await Promise.all(flood)).filter(response => response.status === 429)
  expect(crowded.length).toBeGreaterThan(0)
  for (const response of crowded) expect(await expectError(response, 429)).toContain('zu viele Anmeldungen')
})

test('thirty failures from one address with ever new names, then it waits; other addresses do not', async () => {
  const guesser = from('192.0.2.1')
  for (let n = 0; n < 30; n++) await expectError(await tryRandomName(guesser), 401)
  const refused = await tryRandomName(guesser)
  expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61)
  await expectError(refused, 429, /gesperrt/)
  await expectError(await dash(on.service, 'login', { json: ADMIN, headers: guesser }), 429)
  await signIn(on.service, ADMIN, from('192.0.2.2'))
})

test('the twin: one person who mistypes locks only the own name, the rest of the house gets in', async () => {
  const house = from('192.0.2.3')
  const mistyped = { benutzer: 'somebody', passwort: 'wrong' }
  for (let n = 0; n < 40; n++)
    expect((await dash(on.service, 'login', { json: mistyped, headers: house })).status).toBe(
      n < 5 ? 401 : 429,
    )
  await signIn(on.service, ADMIN, house)
})
