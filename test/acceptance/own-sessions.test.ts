/** One's own sessions: list them, end one, end all others. */
import { expect, test } from 'bun:test'
import { expectError } from '../support/api.ts'
import { ADMIN_ENV, dash, isSignedIn, signIn } from '../support/dashboard.ts'
import { sharedService } from '../support/shared-service.ts'

// Trusts `X-Forwarded-For` of the tests.
const on = sharedService({ env: { ...ADMIN_ENV, TRUST_PROXY: '127.0.0.1,::1' } })
let names = 0
async function newAccount() {
  const account = { benutzer: `somebody ${++names}`, passwort: 'a password of some length' }
  const made = await dash(on.service, 'benutzer', { json: account, session: await signIn(on.service) })
  expect(made.status).toBe(200)
  return account
}

interface Listed {
  id: string
  begonnen: number
  zuletzt: number
  adresse: string | null
  programm: string | null
  diese: boolean
}
async function list(session: string) {
  const response = await dash(on.service, 'sitzungen', { session })
  expect(response.status).toBe(200)
  return (await response.json()) as Listed[]
}
const end = (session: string, id = '') =>
  dash(on.service, `sitzungen${id && `/${id}`}`, { method: 'DELETE', session })

test('are listed with exactly these fields, those of the account and no others', async () => {
  const account = await newAccount()
  const before = Date.now()
  const phone = await signIn(on.service, account, {
    'User-Agent': 'a phone',
    'X-Forwarded-For': '203.0.113.7',
  })
  const desk = await signIn(on.service, account, { 'User-Agent': 'x'.repeat(5000) })
  const listed = await list(desk)
  expect(listed).toHaveLength(2)
  const own = listed.find(({ diese }) => diese)
  const other = listed.find(({ diese }) => !diese)
  const fields = { id: expect.any(String), begonnen: expect.any(Number), zuletzt: expect.any(Number) }
  expect(own).toEqual({ ...fields, adresse: expect.any(String), programm: 'x'.repeat(256), diese: true })
  expect(other).toEqual({ ...fields, adresse: '203.0.113.7', programm: 'a phone', diese: false })
  expect(other!.begonnen).toBeGreaterThan(before - 10_000)
  // No page may be able to read the cookie.
  expect(JSON.stringify(listed)).not.toContain(phone)
  expect((await list(phone)).find(({ diese }) => diese)?.id).toBe(other!.id)
})

test('one is ended, and the others stay', async () => {
  const account = await newAccount()
  const [own, second, third] = [
    await signIn(on.service, account),
    await signIn(on.service, account),
    await signIn(on.service, account),
  ]
  const [{ id }] = (await list(second)).filter(({ diese }) => diese) as [Listed]
  expect(await (await end(own, id)).json()).toEqual({ ok: true })
  expect(await Promise.all([own, second, third].map(each => isSignedIn(on.service, each)))).toEqual([
    true,
    false,
    true,
  ])
  await expectError(await end(own, id), 404)
})

test('all others are ended, not those of another account', async () => {
  const account = await newAccount()
  const [own, second] = [await signIn(on.service, account), await signIn(on.service, account)]
  const foreign = await signIn(on.service, await newAccount())
  expect(await (await end(own)).json()).toEqual({ ok: true })
  expect(await Promise.all([own, second, foreign].map(each => isSignedIn(on.service, each)))).toEqual([
    true,
    false,
    true,
  ])
  const session = await signIn(on.service)
  const { eintraege } = (await (await dash(on.service, 'verwaltung', { session })).json()) as {
    eintraege: object[]
  }
  expect(eintraege[0]).toMatchObject({
    ...{ was: 'sitzungen_beendet', wer: account.benutzer, neu: account.benutzer },
  })
})

test('of another account nobody can end one, whether it exists or not', async () => {
  const [own, foreign] = [
    await signIn(on.service, await newAccount()),
    await signIn(on.service, await newAccount()),
  ]
  const [{ id }] = (await list(foreign)) as [Listed]
  const refused = await Promise.all([end(own, id), end(own, 'nobody')])
  const texts = await Promise.all(refused.map(response => expectError(response, 404)))
  expect(texts[0]).toBe(texts[1]!)
  expect(await isSignedIn(on.service, foreign)).toBe(true)
})
