/**
 * Settings are exported from one service and imported into another; both appear in the administration
 * history.
 */
import { beforeEach, describe, expect, test } from 'bun:test'
import { expectError } from '../support/api.ts'
import { dash, signIn } from '../support/dashboard.ts'
import { signedInService } from '../support/shared-service.ts'

const on = signedInService({ env: { DIENST: 'Aus der Umgebung' } })

const SECRET = 'https://discord.com/api/webhooks/1/very-secret'

type Values = Record<string, unknown>
const json = async <T>(response: Response) => {
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
  return (await response.json()) as T
}
const save = async (values: Values) =>
  json<Values>(await dash(on.service, 'einstellungen', { method: 'PUT', json: values, session: on.session }))
const exported = async (query = '') =>
  json<Values>(await dash(on.service, `einstellungen/export${query}`, { session: on.session }))
const importing = (values: unknown) =>
  dash(on.service, 'einstellungen/import', { json: values, session: on.session })
const imported = async (values: Values) =>
  json<{ geaendert: string[]; unbekannt: string[] }>(await importing(values))
const savedSettings = async () => {
  const settings = await json<Record<string, { quelle: string }>>(
    await dash(on.service, 'einstellungen', { session: on.session }),
  )
  return Object.keys(settings).filter(name => settings[name]?.quelle === 'gespeichert')
}
interface Entry {
  zeit: number
  wer: string
  was: string
  alt: string | null
  neu: string | null
}
const history = async () =>
  (
    await json<{ eintraege: Entry[] }>(
      await dash(on.service, 'verwaltung?anzahl=200', { session: on.session }),
    )
  ).eintraege

beforeEach(async () => {
  await save(Object.fromEntries((await savedSettings()).map(name => [name, null])))
})

describe('export', () => {
  test('is flat, holds every setting, and no secret', async () => {
    await save({ WEBHOOK_URL: SECRET, PAPIERKORB_MAX_MB: 1.5 })
    const values = await exported()
    expect(values).toMatchObject({
      DIENST: 'Aus der Umgebung',
      PAPIERKORB_MAX_MB: 1.5,
      SICHERUNG_UHRZEIT: '03:30',
      WEBHOOK_ANLAESSE: ['sicherung', 'verwaiste', 'platte', 'upload'],
    })
    expect(Object.keys(values)).toHaveLength(30)
    expect(values).not.toHaveProperty('WEBHOOK_URL')
  })

  test('geheim=1 holds the secrets too; any other value does not', async () => {
    await save({ WEBHOOK_URL: SECRET })
    expect((await exported('?geheim=1')).WEBHOOK_URL).toBe(SECRET)
    expect(await exported('?geheim=0')).not.toHaveProperty('WEBHOOK_URL')
    await expectError(
      await dash(on.service, 'einstellungen/export?geheim=ja', { session: on.session }),
      400,
      /geheim/,
    )
  })

  test('comes as a file', async () => {
    const response = await dash(on.service, 'einstellungen/export', { session: on.session })
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w-]+\.json"$/)
  })
})

describe('import', () => {
  test('what was exported changes nothing here, and all that differs elsewhere', async () => {
    await save({ DIENST: 'Mein', MAX_UPLOAD_MB: 12.5, WEBHOOK_URL: SECRET, WEBHOOK_ANLAESSE: ['platte'] })
    const values = await exported('?geheim=1')
    expect(await imported(values)).toEqual({ geaendert: [], unbekannt: [] })
    await save({ DIENST: null, MAX_UPLOAD_MB: 1, WEBHOOK_URL: null, WEBHOOK_ANLAESSE: null })
    const { geaendert } = await imported(values)
    expect(geaendert.sort()).toEqual(['DIENST', 'MAX_UPLOAD_MB', 'WEBHOOK_ANLAESSE', 'WEBHOOK_URL'])
    expect(await exported('?geheim=1')).toEqual(values)
  })

  test('empty values overwrite nothing', async () => {
    await save({
      DIENST: 'Mein',
      SICHERUNG_ZWEITZIEL: 'D:\\Zweit',
      WEBHOOK_URL: SECRET,
      WEBHOOK_ANLAESSE: ['platte'],
    })
    const before = await exported('?geheim=1')
    const empty = {
      DIENST: '',
      SICHERUNG_ZWEITZIEL: null,
      WEBHOOK_URL: '  ',
      WEBHOOK_ANLAESSE: [],
      FILES_HOST: '',
    }
    expect(await imported(empty)).toEqual({ geaendert: [], unbekannt: [] })
    expect(await imported({ WEBHOOK_ANLAESSE: ['mond'] })).toEqual({ geaendert: [], unbekannt: [] })
    expect(await exported('?geheim=1')).toEqual(before)
  })

  test('unknown names are reported, the rest is taken', async () => {
    const outcome = await imported({ DIENST: 'Mein', THEMA: 'dunkel', __proto__x: { a: 1 } })
    expect(outcome).toEqual({ geaendert: ['DIENST'], unbekannt: ['THEMA', '__proto__x'] })
  })

  test('one wrong value: 400, and nothing is saved', async () => {
    await expectError(
      await importing({ DIENST: 'Nie', SICHERUNG_ZWEITZIEL: 'backup' }),
      400,
      /SICHERUNG_ZWEITZIEL/,
    )
    await expectError(await importing({ DIENST: 'Nie', MAX_UPLOAD_MB: true }), 400, /MAX_UPLOAD_MB/)
    await expectError(await importing([1]), 400)
    expect(await savedSettings()).toEqual([])
  })
})

describe('the administration history', () => {
  test('who, what, before and after; the newest first', async () => {
    const from = Date.now()
    await save({ DIENST: 'Eins' })
    await save({ DIENST: 'Zwei', WEBHOOK_ANLAESSE: ['platte', 'upload'] })
    await save({ DIENST: null })
    const entries = (await history()).slice(0, 4)
    expect(entries.map(({ was, alt, neu }) => [was, alt, neu])).toEqual([
      ['DIENST', 'Zwei', 'Aus der Umgebung'],
      ['DIENST', 'Eins', 'Zwei'],
      ['WEBHOOK_ANLAESSE', 'sicherung, verwaiste, platte, upload', 'platte, upload'],
      ['DIENST', 'Aus der Umgebung', 'Eins'],
    ])
    for (const { wer, zeit } of entries) {
      expect(wer).toBe('admin')
      expect(zeit).toBeWithin(from, Date.now() + 1)
    }
  })

  test('saving what is saved already, and what is refused, leaves no entry', async () => {
    await save({ DIENST: 'Eins' })
    const before = await history()
    await save({ DIENST: 'Eins' })
    await save({})
    await expectError(await importing({ DIENST: 'Nie', SICHERUNG_BEHALTEN: 0 }), 400)
    expect(await history()).toEqual(before)
  })

  test('secrets are masked, in the list and in the CSV', async () => {
    await save({ WEBHOOK_URL: SECRET })
    await save({ WEBHOOK_URL: `${SECRET}-2` })
    await save({ WEBHOOK_URL: '' })
    const [gone, changed, made] = await history()
    expect([made?.alt, gone?.neu]).toEqual(['', ''])
    expect([made?.neu, changed?.alt, changed?.neu, gone?.alt]).toEqual(Array(4).fill('••••••'))
    const csv = await (
      await dash(on.service, 'verlauf/export?was=verwaltung', { session: on.session })
    ).text()
    expect(csv + JSON.stringify(await history())).not.toContain('very-secret')
    expect(csv).toContain('WEBHOOK_URL')
  })

  test('tokens, accounts and passwords are in it too, without anything secret', async () => {
    const made = await json<{ id: string; token: string }>(
      await dash(on.service, 'tokens', { json: { name: 'Bot', praefix: 'items' }, session: on.session }),
    )
    await json(
      await dash(on.service, `tokens/${made.id}`, {
        method: 'PATCH',
        json: { kontingent: 5 },
        session: on.session,
      }),
    )
    await json(await dash(on.service, `tokens/${made.id}`, { method: 'DELETE', session: on.session }))
    const account = { benutzer: 'eve', passwort: 'a long enough one' }
    const { id } = await json<{ id: string }>(
      await dash(on.service, 'benutzer', { json: account, session: on.session }),
    )
    const eve = await signIn(on.service, account)
    const neu = 'another long one'
    await json(await dash(on.service, 'passwort', { json: { alt: account.passwort, neu }, session: eve }))
    await json(await dash(on.service, `benutzer/${id}`, { method: 'DELETE', session: on.session }))
    const entries = await history()
    expect(entries.slice(0, 6).map(({ wer, was, alt, neu }) => [wer, was, alt, neu])).toEqual([
      ['admin', 'konto_geloescht', 'eve', null],
      ['eve', 'passwort_geaendert', null, 'eve'],
      ['admin', 'konto_erstellt', null, 'eve'],
      ['admin', 'token_widerrufen', 'Bot', null],
      ['admin', 'token_geaendert', 'Bot praefix=items/', 'Bot praefix=items/ kontingent=5'],
      ['admin', 'token_erstellt', null, 'Bot praefix=items/'],
    ])
    const text = JSON.stringify(entries)
    for (const secret of [made.token, account.passwort, neu, '$argon2']) expect(text).not.toContain(secret)
  })
})
