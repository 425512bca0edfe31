/** Signing in and out, the cookie, accounts and passwords. */
import { describe, expect, test } from 'bun:test'
import { expectError } from '../support/api.ts'
import { ADMIN, ADMIN_ENV, dash, isSignedIn, sessionOf, signIn } from '../support/dashboard.ts'
import { startService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'

const THIRTY_DAYS = 30 * 24 * 60 * 60
const on = sharedService({ env: ADMIN_ENV })
/** Every test that fails to sign in on purpose uses a name of its own, with five free attempts. */
let names = 0
async function newAccount() {
  const account = { benutzer: `user ${++names}`, passwort: 'a password of some length' }
  const made = await dash(on.service, 'benutzer', { json: account, session: await signIn(on.service) })
  expect(made.status).toBe(200)
  return { ...account, id: ((await made.json()) as { id: string }).id }
}

describe('signing in', () => {
  test('answers the name and a cookie that no script can read, for 30 days', async () => {
    const before = Date.now()
    const response = await dash(on.service, 'login', { json: { ...ADMIN, benutzer: ' ADMIN ' } })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ benutzer: 'admin' })
    const [value = '', ...flags] = (response.headers.get('set-cookie') ?? '').split('; ')
    expect(value).toMatch(/^fundus_sitzung=[\w-]{43}$/)
    expect(flags.sort()).toEqual(['HttpOnly', `Max-Age=${THIRTY_DAYS}`, 'Path=/', 'SameSite=Lax'])
    const me = await dash(on.service, 'ich', { session: sessionOf(response) })
    const { benutzer, gueltig_bis } = (await me.json()) as Record<string, unknown>
    expect(benutzer).toBe('admin')
    expect(Number(gueltig_bis) - before).toBeGreaterThanOrEqual(THIRTY_DAYS * 1000)
    expect(Number(gueltig_bis) - Date.now()).toBeLessThanOrEqual(THIRTY_DAYS * 1000)
  })

  test.each([
    ['http://media.example.test', false],
    ['https://media.example.test', true],
  ])('under %s the cookie is Secure: %p', async (PUBLIC_URL, secure) => {
    await using service = await startService({ env: { ...ADMIN_ENV, PUBLIC_URL } })
    const response = await dash(service, 'login', { json: ADMIN })
    expect((response.headers.get('set-cookie') ?? '').split('; ').includes('Secure')).toBe(secure)
  })

  test('each time another session', async () => {
    expect(await signIn(on.service)).not.toBe(await signIn(on.service))
  })

  test('an unknown name and a wrong password are answered with the same bytes, without a cookie', async () => {
    const { benutzer } = await newAccount()
    const answers = []
    for (const json of [
      { benutzer, passwort: 'wrong password' },
      { benutzer: 'nobody', passwort: 'wrong password' },
    ]) {
      const response = await dash(on.service, 'login', { json })
      expect(response.headers.get('set-cookie')).toBeNull()
      answers.push(await expectError(response, 401))
    }
    expect(answers[0]).toBe(answers[1]!)
  })

  test('the password counts as it is: no trimming, no case', async () => {
    const { benutzer, passwort } = await newAccount()
    for (const other of [` ${passwort}`, `${passwort} `, passwort.toUpperCase()])
      await expectError(await dash(on.service, 'login', { json: { benutzer, passwort: other } }), 401)
  })
})

describe('signing out', () => {
  test('ends the session on the server, and only that one', async () => {
    const [one, other] = [await signIn(on.service), await signIn(on.service)]
    const response = await dash(on.service, 'logout', { method: 'POST', session: one })
    expect(await response.json()).toEqual({ ok: true })
    expect(response.headers.get('set-cookie')).toMatch(/^fundus_sitzung=; Path=\/; Max-Age=0;/)
    expect(await isSignedIn(on.service, one)).toBe(false)
    expect(await isSignedIn(on.service, other)).toBe(true)
  })

  test('is for those who are signed in', async () => {
    await expectError(await dash(on.service, 'logout', { method: 'POST' }), 401)
  })
})

test('a session outlives a restart of the service', async () => {
  await using service = await startService({ env: ADMIN_ENV })
  const session = await signIn(service)
  await service.restart()
  expect(await isSignedIn(service, session)).toBe(true)
})

describe('the own password', () => {
  test('changed, it ends every other session of the account and no session of others', async () => {
    const account = await newAccount()
    const [own, second] = [await signIn(on.service, account), await signIn(on.service, account)]
    const foreign = await signIn(on.service)
    const json = { alt: account.passwort, neu: 'ein neues Passwort' }
    const response = await dash(on.service, 'passwort', { json, session: own })
    expect(await response.json()).toEqual({ ok: true })
    expect(await isSignedIn(on.service, own)).toBe(true)
    expect(await isSignedIn(on.service, second)).toBe(false)
    expect(await isSignedIn(on.service, foreign)).toBe(true)
    await expectError(await dash(on.service, 'login', { json: account }), 401)
    await signIn(on.service, { ...account, passwort: json.neu })
  })

  test.each([
    ['a wrong old one', { alt: 'wrong', neu: 'long enough now' }, 403],
    ['a new one of 9 characters', { alt: 'x', neu: '123456789' }, 400],
    ['a new one of 1001', { alt: 'x', neu: 'x'.repeat(1001) }, 400],
    ['no new one', { alt: 'x' }, 400],
    ['no old one', { neu: 'long enough now' }, 400],
  ])('%s changes nothing', async (_, json, status) => {
    const account = await newAccount()
    const [own, second] = [await signIn(on.service, account), await signIn(on.service, account)]
    await expectError(await dash(on.service, 'passwort', { json, session: own }), status)
    expect(await isSignedIn(on.service, second)).toBe(true)
    await signIn(on.service, account)
  })
})

describe('accounts', () => {
  test('are listed with exactly these fields', async () => {
    const account = await newAccount()
    const session = await signIn(on.service)
    const find = async () => {
      const list = (await (await dash(on.service, 'benutzer', { session })).json()) as Record<
        string,
        unknown
      >[]
      return list.find(({ id }) => id === account.id)
    }
    const made = { id: account.id, benutzer: account.benutzer, erstellt_am: expect.any(Number) }
    const expected = { ...made, rolle: 'redaktion', ordner: null, zweiter_faktor: null, passkeys: 0 }
    expect(await find()).toEqual({ ...expected, zuletzt_angemeldet: null })
    await signIn(on.service, account)
    expect(await find()).toEqual({ ...expected, zuletzt_angemeldet: expect.any(Number) })
  })

  test('a name that differs only in case is taken', async () => {
    const { benutzer } = await newAccount()
    const json = { benutzer: benutzer.toUpperCase(), passwort: 'a password of some length' }
    const session = await signIn(on.service)
    await expectError(await dash(on.service, 'benutzer', { json, session }), 409)
  })

  test.each([
    ['an empty name', { benutzer: '', passwort: '0123456789' }, /benutzer/],
    ['a name of blanks', { benutzer: '  ', passwort: '0123456789' }, /benutzer/],
    ['a name of 65 characters', { benutzer: 'x'.repeat(65), passwort: '0123456789' }, /benutzer/],
    ['an invisible character', { benutzer: 'a\u200bb', passwort: '0123456789' }, /benutzer/],
    ['a password of 9 characters', { benutzer: 'short', passwort: '012345678' }, /passwort.*10/],
    ['a password of 1001', { benutzer: 'long', passwort: 'x'.repeat(1001) }, /passwort/],
    ['no password', { benutzer: 'none' }, /passwort/],
    ['a number for a name', { benutzer: 5, passwort: '0123456789' }, /benutzer/],
    ['a list', [], /Objekt/],
  ])('%s is refused with a sentence about it', async (_, json, about) => {
    const session = await signIn(on.service)
    await expectError(await dash(on.service, 'benutzer', { json, session }), 400, about)
  })

  test('deleted, its sessions end and it cannot sign in; deleting it again is 404', async () => {
    const account = await newAccount()
    const own = await signIn(on.service, account)
    const session = await signIn(on.service)
    const remove = () => dash(on.service, `benutzer/${account.id}`, { method: 'DELETE', session })
    expect(await (await remove()).json()).toEqual({ ok: true })
    expect(await isSignedIn(on.service, own)).toBe(false)
    await expectError(await dash(on.service, 'login', { json: account }), 401)
    await expectError(await remove(), 404)
  })

  test('the last one cannot be deleted', async () => {
    await using service = await startService({ env: ADMIN_ENV })
    const session = await signIn(service)
    const [only] = (await (await dash(service, 'benutzer', { session })).json()) as { id: string }[]
    await expectError(await dash(service, `benutzer/${only!.id}`, { method: 'DELETE', session }), 409)
    expect(await isSignedIn(service, session)).toBe(true)
  })
})
