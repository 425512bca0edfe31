/** Sign-in with an OpenID Connect provider: rules, accounts, and everything that must be refused. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { answered, expectError } from '../support/api.ts'
import { ADMIN, commandWithInput, dash, isSignedIn, sessionOf } from '../support/dashboard.ts'
import { answeredBy, beginAt, begun, comeBack, signInAt } from '../support/external-sign-in.ts'
import { OIDC_CLIENT, type Oidc, oidcEnv, openOidc, type Twist } from '../support/oidc.ts'
import { startService } from '../support/service.ts'
import { signedInService } from '../support/shared-service.ts'

const on = signedInService()
let oidc: Oidc
beforeAll(async () => {
  oidc = await openOidc()
  await save({
    OIDC_ISSUER: oidc.origin,
    OIDC_CLIENT_ID: OIDC_CLIENT.id,
    OIDC_CLIENT_SECRET: OIDC_CLIENT.secret,
    OIDC_NAME: 'Vereinskonto',
    OIDC_REGELN: RULES,
  })
})
afterAll(() => oidc[Symbol.dispose]())

const RULES = [
  { anspruch: 'groups', wert: 'leitung', rolle: 'betreiber' },
  { anspruch: 'groups', wert: 'helfer', rolle: 'redaktion', ordner: ['helfer'] },
  { anspruch: 'email', wert: 'gast@example.org', rolle: 'ansicht' },
]

let persons = 0
beforeEach(() => {
  oidc.state.twist = {}
  oidc.state.person = { sub: `p${++persons}`, preferred_username: `mensch${persons}`, groups: ['leitung'] }
})

async function save(json: Record<string, unknown>) {
  return answered(await dash(on.service, 'einstellungen', { method: 'PUT', json, session: on.session }))
}

interface Me {
  benutzer: string
  rolle: string
  ordner: string[] | null
}
async function signedInAs(): Promise<{ session: string; me: Me }> {
  const session = sessionOf(await signInAt(on.service, 'oidc'))
  return { session, me: await answered<Me>(await dash(on.service, 'ich', { session })) }
}

const RESET = ['user', 'password', '--password-stdin']

async function accountOf(name: string) {
  const accounts = await answered<{ id: string; benutzer: string }[]>(
    await dash(on.service, 'benutzer', { session: on.session }),
  )
  return accounts.find(({ benutzer }) => benutzer === name)!
}

async function history(): Promise<{ wer: string; was: string; alt: string | null; neu: string | null }[]> {
  const { eintraege } = await answered<{ eintraege: [] }>(
    await dash(on.service, 'verwaltung', { session: on.session }),
  )
  return eintraege
}

describe('who signs in', () => {
  test('the sign-in page learns which providers there are', async () => {
    expect(await answered(await dash(on.service, 'einrichtung'))).toMatchObject({
      anmeldung: { anbieter: [{ id: 'oidc', name: 'Vereinskonto' }] },
    })
  })

  test.each([
    [
      'a list that contains the value',
      { groups: ['x', 'helfer'] },
      { rolle: 'redaktion', ordner: ['helfer'] },
    ],
    ['the first rule that matches', { groups: ['helfer', 'leitung'] }, { rolle: 'betreiber', ordner: null }],
    ['one value', { groups: [], email: 'gast@example.org' }, { rolle: 'ansicht', ordner: null }],
  ])('gets role and folders by %s', async (_, claims, rights) => {
    Object.assign(oidc.state.person, claims)
    expect((await signedInAs()).me).toMatchObject({ benutzer: `mensch${persons}`, ...rights })
  })

  test('gets them too where only userinfo tells the claims', async () => {
    oidc.state.person = { sub: `p${persons}` }
    oidc.state.twist.userinfo = { groups: ['leitung'], preferred_username: 'aus userinfo' }
    expect((await signedInAs()).me).toMatchObject({ benutzer: 'aus userinfo', rolle: 'betreiber' })
  })

  test('comes back to the page that was left, never to another host', async () => {
    for (const [wanted, location] of [
      ['/papierkorb?seite=1', '/papierkorb?seite=1'],
      ['//example.org/', '/'],
      ['/\\example.org', '/'],
      ['/.//example.org', '/'],
      ['https://example.org/', '/'],
    ] as const) {
      const { address, cookie } = await begun(
        on.service,
        'oidc',
        `?${new URLSearchParams({ zurueck: wanted })}`,
      )
      const answer = await comeBack(on.service, 'oidc', await answeredBy(address), { cookie })
      expect([wanted, answer.status, answer.headers.get('location')]).toEqual([wanted, 303, location])
    }
  })

  test('has one account, whose role follows the rules at each sign-in', async () => {
    const first = await signedInAs()
    oidc.state.person.groups = ['helfer']
    const again = await signedInAs()
    expect(again.me).toMatchObject({ benutzer: first.me.benutzer, rolle: 'redaktion', ordner: ['helfer'] })
    // The lower role applies at once to the existing session.
    expect(await answered(await dash(on.service, 'ich', { session: first.session }))).toMatchObject({
      rolle: 'redaktion',
    })
    const [changed, made] = (await history()).filter(({ neu }) => neu?.startsWith(first.me.benutzer))
    expect(made).toMatchObject({ wer: 'Fundus', was: 'konto_erstellt' })
    expect(changed).toMatchObject({ wer: 'Fundus', was: 'konto_geaendert' })
    expect(changed?.neu).toContain('redaktion')
  })

  test('never takes over a local account of the same name', async () => {
    oidc.state.person.preferred_username = ADMIN.benutzer
    expect((await signedInAs()).me.benutzer).toBe(`${ADMIN.benutzer} 2`)
    expect((await signedInAs()).me.benutzer).toBe(`${ADMIN.benutzer} 2`)
    expect(await isSignedIn(on.service, on.session)).toBe(true)
  })

  test('has no password: neither guessing nor the page of the own account finds one', async () => {
    const { session, me } = await signedInAs()
    for (const passwort of ['', ' ', 'null', 'irgendein Passwort']) {
      const { status } = await dash(on.service, 'login', { json: { benutzer: me.benutzer, passwort } })
      expect([passwort, status]).toEqual([passwort, passwort === '' ? 400 : 401])
    }
    const change = { alt: 'irgendetwas', neu: 'lang genug, ganz sicher' }
    await expectError(await dash(on.service, 'passwort', { json: change, session }), 409, /Anbieter/)
    const { id } = await accountOf(me.benutzer)
    const patch = { method: 'PATCH', json: { passwort: change.neu }, session: on.session }
    await expectError(await dash(on.service, `benutzer/${id}`, patch), 409, /Anbieter/)
    const reset = await commandWithInput(on.service, `${change.neu}\n`, ...RESET, '--name', me.benutzer)
    expect([reset.code, reset.stderr]).toEqual([2, expect.stringContaining('Anbieter')])
    expect((await dash(on.service, 'login', { json: { ...me, passwort: change.neu } })).status).not.toBe(200)
  })

  test('has the factors of the provider: none can be set up here, and none is demanded', async () => {
    const { session } = await signedInAs()
    for (const route of ['totp', 'passkeys/optionen'])
      await expectError(await dash(on.service, route, { method: 'POST', session }), 409, /Anbieter/)
    await save({ ZWEITER_FAKTOR: 'betreiber' })
    try {
      expect((await dash(on.service, 'tokens', { session })).status).toBe(200)
      expect(await answered(await dash(on.service, 'ich', { session }))).toMatchObject({
        extern: true,
        zweiter_faktor_fehlt: false,
      })
    } finally {
      // With the command line, because the operator with a password may do nothing at this point.
      const { code } = await on.service.command('settings', 'unset', 'ZWEITER_FAKTOR')
      expect(code).toBe(0)
    }
  })
})

describe('nobody gets in', () => {
  test('when no rule matches: 403, and sessions and invitations of the account end', async () => {
    const { session } = await signedInAs()
    const invited = await dash(on.service, 'einladungen', { json: { rolle: 'betreiber' }, session })
    const { adresse } = await answered<{ adresse: string }>(invited)
    oidc.state.person.groups = ['andere']
    await expectError(await signInAt(on.service, 'oidc'), 403, /keine Regel/)
    expect(await isSignedIn(on.service, session)).toBe(false)
    // Nor by an invitation of one's own.
    const json = { code: adresse.split('#code=')[1], benutzer: 'back again', passwort: ADMIN.passwort }
    await expectError(await dash(on.service, 'einladung', { json }), 403)
  })

  test.each([false, 'false'])(
    'by an e-mail address that the provider has not verified: %j',
    async verified => {
      const person = { groups: [], email: 'gast@example.org' }
      Object.assign(oidc.state.person, { ...person, email_verified: verified })
      await expectError(await signInAt(on.service, 'oidc'), 403, /keine Regel/)
      for (const email_verified of [true, undefined]) {
        Object.assign(oidc.state.person, { email_verified })
        expect((await signedInAs()).me.rolle).toBe('ansicht')
      }
    },
  )

  const wrong: [string, Twist, number, RegExp][] = [
    ['another issuer', { claims: { iss: 'https://other.example.org' } }, 403, /Aussteller/],
    ['another audience', { claims: { aud: 'another-client' } }, 403, /Empfänger/],
    ['another nonce', { claims: { nonce: 'x'.repeat(43) } }, 403, /Einmalwert/],
    ['no nonce', { claims: { nonce: null } }, 403, /Einmalwert/],
    ['a token that has expired', { claims: { exp: Math.floor(Date.now() / 1000) - 120 } }, 403, /Zeit/],
    ['a token of the future', { claims: { nbf: Math.floor(Date.now() / 1000) + 300 } }, 403, /Zeit/],
    ['the key of somebody else', { signature: 'other-key' }, 403, /Unterschrift/],
    ['a broken signature', { signature: 'broken' }, 403, /Unterschrift/],
    ['no signature', { signature: 'none' }, 403, /Unterschrift/],
    ['userinfo of another person', { userinfo: { sub: 'somebody else' } }, 403, /Empfänger/],
    [
      'a document of another issuer',
      { document: { issuer: 'https://other.example.org' } },
      403,
      /Aussteller/,
    ],
  ]
  test.each(wrong)('with %s', async (_, twist, status, sentence) => {
    const { address, cookie } = await begun(on.service, 'oidc')
    const answer = await answeredBy(address)
    oidc.state.twist = twist
    await expectError(await comeBack(on.service, 'oidc', answer, { cookie }), status, sentence)
    // A valid answer for the same person is accepted.
    oidc.state.twist = {}
    expect((await signInAt(on.service, 'oidc')).status).toBe(303)
  })

  test('with another state, without the cookie, or in another browser', async () => {
    const { address, cookie } = await begun(on.service, 'oidc')
    const other = await begun(on.service, 'oidc')
    const answer = await answeredBy(address)
    const wrongState = new URLSearchParams(answer)
    wrongState.set('state', 'x'.repeat(43))
    for (const [query, given] of [
      [wrongState, cookie],
      [answer, undefined],
      [answer, other.cookie],
      [answer, 'fundus_anmeldung=e30'],
    ] as const)
      await expectError(
        await comeBack(on.service, 'oidc', query, given ? { cookie: given } : {}),
        400,
        /erneut/,
      )
    expect((await comeBack(on.service, 'oidc', answer, { cookie })).status).toBe(303)
  })

  test('with the issuer of another provider beside the code', async () => {
    const { address, cookie } = await begun(on.service, 'oidc')
    const answer = await answeredBy(address)
    answer.set('iss', 'https://other.example.org')
    await expectError(await comeBack(on.service, 'oidc', answer, { cookie }), 403, /Aussteller/)
  })

  test.each([false, true])(
    'twice with one code, also where the provider takes it twice: %p',
    async codesTwice => {
      oidc.state.twist = { codesTwice }
      const { address, cookie } = await begun(on.service, 'oidc')
      const answer = await answeredBy(address)
      expect((await comeBack(on.service, 'oidc', answer, { cookie })).status).toBe(303)
      await expectError(await comeBack(on.service, 'oidc', answer, { cookie }), 400, /schon benutzt/)
    },
  )

  test('with a sign-in that was begun too long ago', async () => {
    const { address, cookie } = await begun(on.service, 'oidc')
    const [name, value] = cookie.split('=')
    const pending = JSON.parse(Buffer.from(value!, 'base64url').toString())
    const old = Buffer.from(JSON.stringify({ ...pending, begunAt: pending.begunAt - 601_000 }))
    const stale = `${name}=${old.toString('base64url')}`
    await expectError(
      await comeBack(on.service, 'oidc', await answeredBy(address), { cookie: stale }),
      400,
      /abgelaufen/,
    )
  })

  test('while the service has no account: the first one is made with the set-up code', async () => {
    await using fresh = await startService({ env: oidcEnv(oidc) })
    await expectError(await signInAt(fresh, 'oidc'), 409, /Einrichtung/)
    expect(await answered(await dash(fresh, 'einrichtung'))).toMatchObject({ offen: true })
  })

  test('who cancels there', async () => {
    const { address, cookie } = await begun(on.service, 'oidc')
    const state = address.searchParams.get('state')!
    const answer = new URLSearchParams({ error: 'access_denied', state, iss: oidc.origin })
    await expectError(await comeBack(on.service, 'oidc', answer, { cookie }), 403, /abgebrochen/)
  })

  test('while the client secret is wrong', async () => {
    await save({ OIDC_CLIENT_SECRET: 'another secret' })
    await expectError(await signInAt(on.service, 'oidc'), 502, /Client-Secret/)
    await save({ OIDC_CLIENT_SECRET: OIDC_CLIENT.secret })
  })

  test('at a provider that is unknown or not set up', async () => {
    await expectError(await beginAt(on.service, 'discord'), 404)
    await expectError(await beginAt(on.service, 'google'), 404)
    await expectError(await comeBack(on.service, 'google', new URLSearchParams()), 400)
  })
})

describe('the provider', () => {
  test('may rotate its keys at any time', async () => {
    expect((await signInAt(on.service, 'oidc')).status).toBe(303)
    await oidc.rotate()
    expect((await signInAt(on.service, 'oidc')).status).toBe(303)
  })

  test('may have a clock that differs by half a minute', async () => {
    const seconds = Math.floor(Date.now() / 1000)
    for (const claims of [{ exp: seconds - 30 }, { iat: seconds + 30, nbf: seconds + 30 }]) {
      oidc.state.twist = { claims }
      expect((await signInAt(on.service, 'oidc')).status).toBe(303)
    }
  })

  test('that is down costs a sentence, and signing in with a password stays', async () => {
    await save({ OIDC_ISSUER: 'http://127.0.0.1:9' })
    await expectError(await beginAt(on.service, 'oidc'), 502, /mit Passwort/)
    expect((await dash(on.service, 'login', { json: ADMIN })).status).toBe(200)
    await save({ OIDC_ISSUER: oidc.origin })
  })

  const broken: [string, () => Response, RegExp][] = [
    ['no JSON', () => new Response('<html>', { headers: { 'Content-Type': 'text/html' } }), /nicht versteht/],
    ['an error', () => Response.json({}, { status: 500 }), /nicht versteht/],
    ['a redirect', () => Response.redirect(`${oidc.origin}/elsewhere`, 302), /nicht versteht/],
    ['two megabytes', () => Response.json({ filler: 'x'.repeat(2 << 20) }), /nicht versteht/],
  ]
  test.each(broken)('that answers with %s is not followed', async (_, answer, sentence) => {
    oidc.state.twist = { answers: { '/.well-known/openid-configuration': answer } }
    oidc.asked.length = 0
    await expectError(await beginAt(on.service, 'oidc'), 502, sentence)
    expect(oidc.asked).toEqual(['/.well-known/openid-configuration'])
  })

  test('cannot send the service into the private network', async () => {
    const { address, cookie } = await begun(on.service, 'oidc')
    const answer = await answeredBy(address)
    const inside = oidc.origin.replace('127.0.0.1', '127.0.0.2')
    oidc.state.twist = { document: { token_endpoint: `${inside}/token` } }
    oidc.asked.length = 0
    await expectError(await comeBack(on.service, 'oidc', answer, { cookie }), 502, /antwortet nicht/)
    expect(oidc.asked).toEqual(['/.well-known/openid-configuration'])
  })

  test.each([
    'http://login.example.org',
    'http://10.0.0.1',
    'https://login.example.org/?a=b',
    'ftp://localhost',
    'http://localhost.example.org',
  ])('must be reached by https, or on this machine: %s', async address => {
    const answer = await dash(on.service, 'einstellungen', {
      method: 'PUT',
      json: { OIDC_ISSUER: address },
      session: on.session,
    })
    await expectError(answer, 400, /https/)
  })
})

describe('a refusal in a browser', () => {
  const PAGE = { Accept: 'text/html,application/xhtml+xml' }

  test.each([
    ['de-DE,de;q=0.9', 'Zurück zur Anmeldung', /bitte erneut anmelden/],
    ['en-GB,en;q=0.9', 'Back to sign-in', /please try again/],
  ])('is a page in its language (%s) that leads back', async (language, link, sentence) => {
    const headers = { ...PAGE, 'Accept-Language': language }
    const answer = await comeBack(on.service, 'oidc', new URLSearchParams(), { headers })
    expect(answer.status).toBe(400)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('x-fehler-code')).toBe('external-expired')
    const page = await answer.text()
    expect(page).toContain(`<a href="/anmelden">${link}</a>`)
    expect(page).toMatch(sentence)
  })
})

describe('the trial', () => {
  async function tryIt(session: string | undefined = on.session) {
    const { address, cookie } = await begun(on.service, 'oidc', '?probe=1')
    const back = await comeBack(on.service, 'oidc', await answeredBy(address), { cookie })
    const page = new URL(back.headers.get('location')!, on.service.url)
    expect([back.status, page.pathname, page.hash]).toEqual([303, '/einstellungen', '#oidc'])
    expect(back.headers.getSetCookie().some(each => each.startsWith('fundus_sitzung'))).toBe(false)
    return dash(on.service, 'login/extern/oidc/probe', {
      json: { antwort: page.searchParams.get('antwort') },
      headers: { Cookie: `${cookie}${session ? `; fundus_sitzung=${session}` : ''}` },
    })
  }

  test('shows the claims and the rule that matches, and makes no account', async () => {
    Object.assign(oidc.state.person, { groups: ['helfer'], email: 'a@example.org' })
    const result = await answered<Record<string, unknown>>(await tryIt())
    expect(result).toMatchObject({
      benutzer: `mensch${persons}`,
      regel: 2,
      rolle: 'redaktion',
      ordner: ['helfer'],
    })
    expect(result.ansprueche).toMatchObject({
      sub: `p${persons}`,
      groups: ['helfer'],
      email: 'a@example.org',
    })
    const text = JSON.stringify(result)
    for (const secret of [OIDC_CLIENT.secret, 'nonce', 'access']) expect(text).not.toContain(secret)
    const accounts = await answered<{ benutzer: string }[]>(
      await dash(on.service, 'benutzer', { session: on.session }),
    )
    expect(accounts.map(({ benutzer }) => benutzer)).not.toContain(`mensch${persons}`)
  })

  test('says so when no rule matches', async () => {
    oidc.state.person.groups = []
    expect(await answered(await tryIt())).toMatchObject({ regel: null, rolle: null, ordner: null })
  })

  test('is for operators', async () => {
    oidc.state.person.groups = ['helfer']
    const { session } = await signedInAs()
    await expectError(await tryIt(session), 403)
    await expectError(await tryIt(''), 401)
  })
})
