/** Invitations: created by an operator, accepted once, and refused alike for every reason. */
import { describe, expect, test } from 'bun:test'
import { answered, expectError } from '../support/api.ts'
import { ADMIN, ADMIN_ENV, dash, isSignedIn, sessionOf, signIn } from '../support/dashboard.ts'
import { keepSecret } from '../support/secrets.ts'
import { sharedService } from '../support/shared-service.ts'

const DAY = 24 * 60 * 60 * 1000
// Trusts `X-Forwarded-For`, so that each test fails under an address of its own.
const on = sharedService({
  env: { ...ADMIN_ENV, TRUST_PROXY: '127.0.0.1,::1', PUBLIC_URL: 'https://media.example.test' },
})
let session = ''
const asAdmin = async () => (session ||= await signIn(on.service))

interface Made {
  id: string
  adresse: string
  gueltig_bis: number
}
async function invite(json: object = { rolle: 'redaktion' }) {
  const response = await dash(on.service, 'einladungen', { json, session: await asAdmin() })
  expect(response.status).toBe(200)
  const made = (await response.json()) as Made
  return { ...made, code: keepSecret('an invitation', made.adresse.split('#code=')[1]!) }
}
const list = async () =>
  (await (await dash(on.service, 'einladungen', { session: await asAdmin() })).json()) as { id: string }[]
const isListed = async (id: string) => (await list()).some(each => each.id === id)

let people = 0
const person = () => ({ benutzer: `guest ${++people}`, passwort: 'a password of some length' })
let addresses = 0
const newAddress = () => ({ 'X-Forwarded-For': `198.51.100.${++addresses}` })
const accept = (code: string, json: object = person(), headers = newAddress()) =>
  dash(on.service, 'einladung', { json: { code, ...json }, headers })

async function accountOf(name: string) {
  const response = await dash(on.service, 'benutzer', { session: await asAdmin() })
  return ((await response.json()) as Record<string, unknown>[]).find(({ benutzer }) => benutzer === name)
}

describe('an invitation', () => {
  test('is a link that makes an account of its role and folders, signed in', async () => {
    const before = Date.now()
    const { id, adresse, gueltig_bis, code } = await invite({ rolle: 'ansicht', ordner: ['items', 'logos/'] })
    expect(adresse).toBe(`https://media.example.test/einladung#code=${code}`)
    expect(code).toMatch(/^\w{32}$/)
    expect(Math.abs(gueltig_bis - before - 7 * DAY)).toBeLessThan(60 * 60 * 1000)
    expect((await list()).find(each => each.id === id)).toEqual({
      ...{ id, rolle: 'ansicht', ordner: ['items', 'logos'], gueltig_bis },
      ...{ erstellt_am: expect.any(Number), erstellt_von: ADMIN.benutzer },
    } as object as { id: string })

    const guest = person()
    const response = await accept(code, guest)
    expect(await response.json()).toEqual({ benutzer: guest.benutzer })
    expect(await isSignedIn(on.service, sessionOf(response))).toBe(true)
    expect(await accountOf(guest.benutzer)).toMatchObject({ rolle: 'ansicht', ordner: ['items', 'logos'] })
    expect(await isListed(id)).toBe(false)
    await signIn(on.service, guest)
  })

  test('for an operator has no folders', async () => {
    const { code } = await invite({ rolle: 'betreiber' })
    const guest = person()
    expect((await accept(code, guest)).status).toBe(200)
    expect(await accountOf(guest.benutzer)).toMatchObject({ rolle: 'betreiber', ordner: null })
  })

  test('is valid for as many days as it says', async () => {
    const { gueltig_bis } = await invite({ rolle: 'ansicht', gueltig_tage: 90 })
    expect(Math.abs(gueltig_bis - Date.now() - 90 * DAY)).toBeLessThan(60 * 60 * 1000)
  })

  test.each([
    ['no role', {}],
    ['an unknown role', { rolle: 'chef' }],
    ['a limited operator', { rolle: 'betreiber', ordner: ['items'] }],
    ['no folder at all', { rolle: 'ansicht', ordner: [] }],
    ['an invalid folder', { rolle: 'ansicht', ordner: ['../x'] }],
    ['no day', { rolle: 'ansicht', gueltig_tage: 0 }],
    ['91 days', { rolle: 'ansicht', gueltig_tage: 91 }],
    ['half a day', { rolle: 'ansicht', gueltig_tage: 0.5 }],
    ['an unknown field', { rolle: 'ansicht', name: 'x' }],
  ])('is not made with %s', async (_, json) => {
    const before = (await list()).length
    await expectError(await dash(on.service, 'einladungen', { json, session: await asAdmin() }), 400)
    expect(await list()).toHaveLength(before)
  })

  test('is in the history of administration, without its code', async () => {
    const { id, code } = await invite({ rolle: 'ansicht', ordner: ['items'] })
    await dash(on.service, `einladungen/${id}`, { method: 'DELETE', session: await asAdmin() })
    const { code: second } = await invite()
    const guest = person()
    await accept(second, guest)
    const text = await (await dash(on.service, 'verwaltung', { session: await asAdmin() })).text()
    const { eintraege } = JSON.parse(text) as { eintraege: Record<string, string>[] }
    expect(eintraege.slice(0, 5).map(({ was, wer, alt, neu }) => [wer, was, alt, neu])).toEqual([
      [guest.benutzer, 'einladung_angenommen', null, ADMIN.benutzer],
      [guest.benutzer, 'konto_erstellt', null, guest.benutzer],
      [ADMIN.benutzer, 'einladung_erstellt', null, 'rolle=redaktion'],
      [ADMIN.benutzer, 'einladung_widerrufen', 'rolle=ansicht ordner=items', null],
      [ADMIN.benutzer, 'einladung_erstellt', null, 'rolle=ansicht ordner=items'],
    ] as string[][])
    for (const secret of [code, second]) expect(text).not.toContain(secret)
  })
})

describe('refused', () => {
  test('unknown, used and withdrawn invitations with the same bytes, and no account is made', async () => {
    const [used, withdrawn] = [await invite(), await invite()]
    expect((await accept(used.code)).status).toBe(200)
    const end = await dash(on.service, `einladungen/${withdrawn.id}`, {
      ...{ method: 'DELETE', session: await asAdmin() },
    })
    expect(await end.json()).toEqual({ ok: true })
    const guest = person()
    const texts = []
    for (const code of ['0'.repeat(32), '', used.code, withdrawn.code, `${used.code}x`]) {
      const response = await accept(code, guest)
      expect(response.headers.get('set-cookie')).toBeNull()
      texts.push(await expectError(response, 403))
    }
    expect(new Set(texts).size).toBe(1)
    expect(await accountOf(guest.benutzer)).toBeUndefined()
  })

  test('a taken name and a short password, and the invitation stays', async () => {
    const { code } = await invite()
    await expectError(await accept(code, { ...person(), benutzer: 'ADMIN' }), 409)
    await expectError(await accept(code, { ...person(), passwort: 'short' }), 400)
    expect((await accept(code)).status).toBe(200)
  })

  test('guesses are locked like failed sign-ins, with the right code too, and only for their address', async () => {
    const { code } = await invite()
    const here = newAddress()
    for (let n = 0; n < 5; n++) await expectError(await accept('guess', person(), here), 403)
    const locked = await accept(code, person(), here)
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(0)
    await expectError(locked, 429)
    expect((await accept(code)).status).toBe(200)
  })

  test('one that is withdrawn a second time, or does not exist', async () => {
    const { id } = await invite()
    const end = async () =>
      dash(on.service, `einladungen/${id}`, { method: 'DELETE', session: await asAdmin() })
    expect((await end()).status).toBe(200)
    await expectError(await end(), 404)
  })
})

test('many uses at once make one account', async () => {
  const { code } = await invite()
  const guests = Array.from({ length: 8 }, person)
  const answers = await Promise.all(guests.map(guest => accept(code, guest)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(403)])
  const made = await Promise.all(guests.map(({ benutzer }) => accountOf(benutzer)))
  expect(made.filter(Boolean)).toHaveLength(1)
})

describe('of an operator who is one no more, it cannot bring the person back', () => {
  const inviteAs = async (theirs: string) => {
    const json = { rolle: 'betreiber' }
    const made = await answered<Made>(await dash(on.service, 'einladungen', { json, session: theirs }))
    return { ...made, code: made.adresse.split('#code=')[1]! }
  }
  const newOperator = async () => {
    const operator = { ...person(), rolle: 'betreiber' }
    const made = await dash(on.service, 'benutzer', { json: operator, session: await asAdmin() })
    return { id: (await answered<{ id: string }>(made)).id, session: await signIn(on.service, operator) }
  }

  test.each([
    ['deleted', { method: 'DELETE' }],
    ['lowered', { method: 'PATCH', json: { rolle: 'redaktion' } }],
  ])('%s', async (_, change) => {
    const { id, session: theirs } = await newOperator()
    const [own, ofOthers] = [await inviteAs(theirs), await invite()]
    await answered(await dash(on.service, `benutzer/${id}`, { ...change, session: await asAdmin() }))
    expect([await isListed(own.id), await isListed(ofOthers.id)]).toEqual([false, true])
    await expectError(await accept(own.code), 403)
    const { eintraege } = await answered<{ eintraege: Record<string, string>[] }>(
      await dash(on.service, 'verwaltung', { session: await asAdmin() }),
    )
    expect(eintraege[0]).toMatchObject({ was: 'einladung_widerrufen', alt: 'rolle=betreiber' })
  })

  test('but who gets a new password only, keeps it', async () => {
    const { id, session: theirs } = await newOperator()
    const own = await inviteAs(theirs)
    const json = { passwort: 'another long password' }
    await answered(
      await dash(on.service, `benutzer/${id}`, { method: 'PATCH', json, session: await asAdmin() }),
    )
    expect((await accept(own.code)).status).toBe(200)
  })
})
