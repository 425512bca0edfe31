/**
 * The routes of second factors: two steps, passkeys, and what `ZWEITER_FAKTOR` leaves to an account without
 * one.
 */
import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { expectError } from '../support/api.ts'
import {
  ADMIN,
  ADMIN_ENV,
  commandWithInput,
  dash,
  isSignedIn,
  sessionOf,
  signIn,
} from '../support/dashboard.ts'
import {
  addPasskey,
  answerOf,
  codeOf,
  newPerson,
  setUpTotp,
  signInWithPasskey,
  stepOf,
} from '../support/factors.ts'
import { sharedService } from '../support/shared-service.ts'
import { needsTool } from '../support/tools.ts'

const on = sharedService({ env: { ...ADMIN_ENV, TRUST_PROXY: '127.0.0.0/8' } })
let session = ''
beforeAll(async () => {
  session = await signIn(on.service)
})

let clients = 0
const newClient = () => ({ 'X-Forwarded-For': `192.0.2.${++clients}` })
const ich = (own: string) =>
  answerOf<{ zweiter_faktor: string | null; passkeys: number; zweiter_faktor_fehlt: boolean }>(
    dash(on.service, 'ich', { session: own }),
  )
const enter = (schritt: string, code: string, headers = newClient()) =>
  dash(on.service, 'login/zweiter-faktor', { json: { schritt, code }, headers })

describe('an authenticator app', () => {
  test('is asked for after the password, which sets no cookie; its code signs in once', async () => {
    const person = await newPerson(on.service, session)
    const { secret, codes } = await setUpTotp(on.service, person.session)
    expect(codes).toHaveLength(10)
    expect(await ich(person.session)).toMatchObject({ zweiter_faktor: 'totp', passkeys: 0 })
    const { benutzer, passwort } = person
    const login = await dash(on.service, 'login', { json: { benutzer, passwort } })
    expect(login.headers.get('set-cookie')).toBeNull()
    const answer = await answerOf<{ zweiter_faktor: string[]; schritt: string }>(login)
    expect(answer).toEqual({ zweiter_faktor: ['totp', 'notfallcode'], schritt: expect.any(String) })
    const code = codeOf(secret, 1)
    const welcome = await enter(answer.schritt, code)
    expect(await welcome.clone().json()).toEqual({ benutzer })
    expect(await isSignedIn(on.service, sessionOf(welcome))).toBe(true)
    await expectError(await enter(answer.schritt, code), 401)
    expect((await enter(answer.schritt, codes[0]!)).status).toBe(200)
    await expectError(await enter(answer.schritt, codes[0]!), 401)
    const listed = await answerOf<{ benutzer: string; zweiter_faktor: string | null }[]>(
      dash(on.service, 'benutzer', { session }),
    )
    expect(listed.find(each => each.benutzer === benutzer)).toMatchObject({
      zweiter_faktor: 'totp',
      passkeys: 0,
    })
    expect(listed.find(each => each.benutzer === ADMIN.benutzer)?.zweiter_faktor).toBeNull()
  })

  test('wrong codes close the lock, and the right password opens it no more than they do', async () => {
    const person = await newPerson(on.service, session)
    const { secret } = await setUpTotp(on.service, person.session)
    const client = newClient()
    for (let n = 0; n < 5; n++)
      await expectError(await enter(await stepOf(on.service, person, client), '000000', client), 401)
    const { benutzer, passwort } = person
    await expectError(await dash(on.service, 'login', { json: { benutzer, passwort }, headers: client }), 429)
    // The twin: from another address the person can sign in.
    expect((await enter(await stepOf(on.service, person, newClient()), codeOf(secret, 1))).status).toBe(200)
  })

  test('the wrong code says the same as a used one, and a step that is none of ours says so', async () => {
    const person = await newPerson(on.service, session)
    const { secret, confirmingCode } = await setUpTotp(on.service, person.session)
    const step = await stepOf(on.service, person)
    const wrong = await enter(step, '000000')
    const used = await enter(step, confirmingCode)
    expect(await wrong.json()).toEqual(await used.json())
    const over = await enter('x', codeOf(secret, 1))
    expect([over.status, over.headers.get('x-fehler-code')]).toEqual([401, 'login-step-over'])
  })

  test('is taken away by its owner with the password, and by fundus user password, which says so', async () => {
    const person = await newPerson(on.service, session)
    const remove = (passwort: string) =>
      dash(on.service, 'totp', { method: 'DELETE', json: { passwort }, session: person.session })
    await expectError(await remove(person.passwort), 404)
    await setUpTotp(on.service, person.session)
    await expectError(await remove('wrong'), 403)
    expect((await remove(person.passwort)).status).toBe(200)
    const own = await signIn(on.service, person)
    await setUpTotp(on.service, own)
    await addPasskey(on.service, own)
    const args = ['user', 'password', '--name', person.benutzer, '--password-stdin']
    const { stdout } = await commandWithInput(on.service, 'another horse battery\n', ...args)
    expect(stdout).toContain('Notfallcodes und Passkeys des Kontos sind entfernt')
    const fresh = await signIn(on.service, { ...person, passwort: 'another horse battery' })
    expect(await ich(fresh)).toMatchObject({ zweiter_faktor: null, passkeys: 0 })
    const again = await commandWithInput(on.service, 'another horse battery\n', ...args)
    expect(again.stdout).not.toContain('entfernt')
  })
})

describe('oathtool', () => {
  needsTool('oathtool')

  test('shows the codes that the service accepts', async () => {
    const person = await newPerson(on.service, session)
    const { geheimnis, adresse } = await answerOf<{ geheimnis: string; adresse: string }>(
      dash(on.service, 'totp', { method: 'POST', session: person.session }),
    )
    expect(adresse).toMatch(/^otpauth:\/\/totp\/Fundus:person%20\d+\?/)
    expect(new URL(adresse).searchParams.get('secret')).toBe(geheimnis)
    const oathtool = (seconds: number) => {
      const now = new Date(Date.now() + seconds * 1000)
        .toISOString()
        .replace('T', ' ')
        .replace(/\..*/, ' UTC')
      const { stdout } = Bun.spawnSync(['oathtool', '--totp', '--base32', `--now=${now}`, geheimnis])
      return stdout.toString().trim()
    }
    const json = { code: oathtool(0) }
    await answerOf(dash(on.service, 'totp/bestaetigen', { json, session: person.session }))
    expect((await enter(await stepOf(on.service, person), oathtool(30))).status).toBe(200)
  })
})

describe('passkeys', () => {
  test('sign in by themselves; named, renamed, removed', async () => {
    const person = await newPerson(on.service, session)
    const { id, authenticator } = await addPasskey(on.service, person.session)
    expect(await ich(person.session)).toMatchObject({ passkeys: 1 })
    const welcome = await signInWithPasskey(on.service, authenticator)
    expect(await welcome.clone().json()).toEqual({ benutzer: person.benutzer })
    const own = sessionOf(welcome)
    const rename = { method: 'PATCH', json: { name: 'Büro' }, session: own }
    expect((await dash(on.service, `passkeys/${id}`, rename)).status).toBe(200)
    const listed = await answerOf<object[]>(dash(on.service, 'passkeys', { session: own }))
    expect(listed).toMatchObject([{ id, name: 'Büro', zuletzt_benutzt: expect.any(Number) }])
    expect((await dash(on.service, `passkeys/${id}`, { method: 'DELETE', session: own })).status).toBe(200)
    await expectError(await signInWithPasskey(on.service, authenticator), 401)
  })

  test('sign in without a code, also where the account has an app', async () => {
    const person = await newPerson(on.service, session)
    await setUpTotp(on.service, person.session)
    const { authenticator } = await addPasskey(on.service, person.session)
    expect((await signInWithPasskey(on.service, authenticator)).status).toBe(200)
  })

  test('are offered where the address allows them, and refused with a sentence where it does not', async () => {
    const offered = async () =>
      (await answerOf<{ anmeldung: object }>(dash(on.service, 'einrichtung'))).anmeldung
    expect(await offered()).toMatchObject({ passkey: true })
    const person = await newPerson(on.service, session)
    const set = (PUBLIC_URL: string | null) =>
      answerOf(dash(on.service, 'einstellungen', { method: 'PUT', json: { PUBLIC_URL }, session }))
    for (const address of ['http://media.example.org', 'https://192.0.2.1']) {
      await set(address)
      try {
        expect(await offered()).toMatchObject({ passkey: false })
        const options = dash(on.service, 'passkeys/optionen', { method: 'POST', session: person.session })
        expect(await expectError(await options, 409)).toContain('PUBLIC_URL')
        await expectError(await dash(on.service, 'login/passkey/optionen', { method: 'POST' }), 409)
      } finally {
        await set(null)
      }
    }
  })
})

describe('ZWEITER_FAKTOR', () => {
  const set = (ZWEITER_FAKTOR: string | null) =>
    answerOf(dash(on.service, 'einstellungen', { method: 'PUT', json: { ZWEITER_FAKTOR }, session }))
  const media = async (own: string) => (await dash(on.service, 'media', { session: own })).status
  // The operator of these tests has a second factor, so that the setting never locks it out.
  beforeAll(async () => {
    await addPasskey(on.service, session)
  })
  afterEach(() => set(null))

  test.each([
    ['frei', 200, 200],
    ['betreiber', 403, 200],
    ['alle', 403, 403],
  ])('%s: an operator without one gets %p, an editor %p', async (policy, operator, editor) => {
    const [one, other] = [
      await newPerson(on.service, session, { rolle: 'betreiber' }),
      await newPerson(on.service, session, { rolle: 'redaktion' }),
    ]
    await set(policy)
    expect([await media(one.session), await media(other.session), await media(session)]).toEqual([
      ...[operator, editor],
      200,
    ])
    expect((await ich(one.session)).zweiter_faktor_fehlt).toBe(operator === 403)
  })

  test('until then an account may only set one up, with an app or a passkey', async () => {
    const [one, other] = [await newPerson(on.service, session), await newPerson(on.service, session)]
    await set('alle')
    for (const route of ['uebersicht', 'folders', 'ereignisse', 'papierkorb'])
      expect([
        route,
        await expectError(await dash(on.service, route, { session: one.session }), 403),
      ]).toEqual([route, expect.stringContaining('zweiter Faktor')])
    await setUpTotp(on.service, one.session)
    expect(await media(one.session)).toBe(200)
    await addPasskey(on.service, other.session)
    expect(await media(other.session)).toBe(200)
    expect((await ich(other.session)).zweiter_faktor_fehlt).toBe(false)
    const leave = await newPerson(on.service, session)
    expect((await dash(on.service, 'logout', { method: 'POST', session: leave.session })).status).toBe(200)
  })

  test('a password alone does not replace the passkey of an account that must have a second factor', async () => {
    const person = await newPerson(on.service, session)
    const { authenticator } = await addPasskey(on.service, person.session)
    await set('alle')
    const { benutzer, passwort } = person
    const login = await dash(on.service, 'login', { json: { benutzer, passwort } })
    expect([login.status, login.headers.get('x-fehler-code')]).toEqual([403, 'passkey-required'])
    const own = sessionOf(await signInWithPasskey(on.service, authenticator))
    expect(await media(own)).toBe(200)
    await set('frei')
    await signIn(on.service, person)
  })
})
