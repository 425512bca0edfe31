/** `/api/dash/verlauf` and `/api/dash/verwaltung`: what happened to files and by whom, and their filters. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { expectError, remove, store } from '../support/api.ts'
import { dash, signIn } from '../support/dashboard.ts'
import { signedInService } from '../support/shared-service.ts'

const on = signedInService()
let bot = ''
const started = Date.now()
beforeAll(async () => {
  bot = await on.service.createToken('--name', 'Bot', '--may-delete')
  await store(on.service, on.token, 'a/one.txt', '1')
  await store(on.service, on.token, 'a/one.txt', '22')
  await store(on.service, bot, 'ab/two.txt', '333')
  await remove(on.service, bot, 'a/one.txt')
})

interface Entry {
  zeit: number
  was: string
  pfad: string
  wer: string
  bytes: number
  einzelheiten: string | null
}
interface Page {
  eintraege: Entry[]
  gesamt: number
  seite: number
  anzahl: number
}
const ask = (query = '') => dash(on.service, `verlauf${query}`, { session: on.session })
async function page(query = ''): Promise<Page> {
  const response = await ask(query)
  if (response.status !== 200) throw new Error(await response.text())
  return (await response.json()) as Page
}

test('uploads, overwrites and deletions, the newest first, with who and how much', async () => {
  const { eintraege, gesamt, seite, anzahl } = await page()
  expect(eintraege.map(({ was, pfad, wer, bytes }) => [was, pfad, wer, bytes])).toEqual([
    ['entfernt', 'a/one.txt', 'Token Bot', 2],
    ['hochgeladen', 'ab/two.txt', 'Token Bot', 3],
    ['ueberschrieben', 'a/one.txt', 'Token test', 2],
    ['hochgeladen', 'a/one.txt', 'Token test', 1],
  ])
  expect([gesamt, seite, anzahl]).toEqual([4, 1, 60])
  for (const entry of eintraege) {
    expect(Object.keys(entry)).toEqual(['zeit', 'was', 'pfad', 'wer', 'bytes', 'einzelheiten'])
    expect(entry.zeit).toBeWithin(started, Date.now() + 1)
  }
})

test('a refused upload has not happened', async () => {
  const before = await page()
  const response = await fetch(`${on.service.url}/api/upload`, {
    method: 'POST',
    body: 'x',
    headers: { Authorization: `Bearer ${bot}`, 'X-Path': 'ab/two.txt', 'X-Overwrite': 'false' },
  })
  expect(response.status).toBe(409)
  expect(await page()).toEqual(before)
})

describe('filters', () => {
  test.each([
    ['was=hochgeladen', 2],
    ['was=umbenannt', 0],
    ['pfad=a/', 3],
    ['pfad=a', 4],
    ['pfad=a/one.txt', 3],
    ['pfad=one', 0],
    ['pfad=%25', 0],
    ['wer=Token+Bot', 2],
    ['wer=Bot', 0],
    ['wer=Token+Bot&was=hochgeladen&pfad=ab', 1],
    [`von=${started}`, 4],
    [`bis=${started - 1}`, 0],
    ['von=9999999999999', 0],
    [`von=${started}&bis=9999999999999&was=entfernt`, 1],
    ['pfad=&wer=', 4],
  ])('%s: %d', async (query, count) => {
    const { eintraege, gesamt } = await page(`?${query}`)
    expect([eintraege.length, gesamt]).toEqual([count, count])
  })

  test.each([
    'was=geklaut',
    'was=',
    'von=gestern',
    'bis=-1',
    'anzahl=61',
    'anzahl=x',
    'seite=0',
    'seite=-1',
    'seite=1.5',
  ])('%s is 400', async query => {
    await expectError(await ask(`?${query}`), 400, new RegExp(query.slice(0, query.indexOf('='))))
  })
})

describe('an account named like a system actor does not pass for it', () => {
  const NAMES = ['Fundus', 'Kommandozeile', 'Token Bot']
  const passwort = 'correct horse battery'
  const entries = async (query: string) =>
    (await page(query)).eintraege.map(({ wer, pfad }) => [wer, pfad] as const)

  const newest = async (route: string) =>
    ((await (await dash(on.service, route, { session: on.session })).json()) as { eintraege: object[] })
      .eintraege[0]

  test.each(NAMES)('%s', async benutzer => {
    const account = { benutzer, passwort, rolle: 'betreiber' }
    expect((await dash(on.service, 'benutzer', { json: account, session: on.session })).status).toBe(200)
    const theirs = await signIn(on.service, { benutzer, passwort })
    const path = `posing/${benutzer.toLowerCase().replace(' ', '-')}.txt`
    await store(on.service, bot, path, 'x')
    await dash(on.service, 'media/loeschen', { json: { pfade: [path] }, session: theirs })
    const shown = `Konto ${benutzer}`
    expect(await entries(`?pfad=${path}&was=geloescht`)).toEqual([[shown, path]])
    // Each of the two can be found by its own name.
    expect(await entries(`?wer=${encodeURIComponent(shown)}`)).toEqual([[shown, path]])
    const wers = (await entries(`?wer=${encodeURIComponent(benutzer)}`)).map(([wer]) => wer)
    expect(new Set(wers)).toEqual(new Set(benutzer === 'Token Bot' ? ['Token Bot'] : []))

    const csv = await (await dash(on.service, `verlauf/export?pfad=${path}`, { session: on.session })).text()
    expect(csv).toContain(`;${path};${shown};`)
    expect(await newest('papierkorb')).toMatchObject({ path, geloescht_von: shown })
    const json = { DIENST: `by ${benutzer}` }
    await dash(on.service, 'einstellungen', { method: 'PUT', json, session: theirs })
    expect(await newest('verwaltung')).toMatchObject({ wer: shown, neu: json.DIENST })
  })

  test('the twin: the command line, the service and a token keep their names', async () => {
    await on.service.command('settings', 'set', 'DIENST', 'Fundus')
    const response = await dash(on.service, 'verwaltung?anzahl=200', { session: on.session })
    const { eintraege } = (await response.json()) as {
      eintraege: { wer: string; was: string; neu: string }[]
    }
    expect(eintraege[0]).toMatchObject({ wer: 'Kommandozeile', was: 'DIENST' })
    expect(eintraege.at(-1)).toMatchObject({ wer: 'Fundus', was: 'konto_erstellt', neu: 'admin' })
    expect(await entries('?pfad=posing/token-bot.txt&was=hochgeladen')).toEqual([
      ['Token Bot', 'posing/token-bot.txt'],
    ])
  })
})

test('pages: sizes as offered, beyond the end there is nothing, the total stays', async () => {
  for (let at = 0; at < 31; at++) await store(on.service, on.token, `pages/${at}.txt`, 'x')
  const first = await page('?anzahl=30&pfad=pages/')
  expect([first.eintraege.length, first.gesamt, first.eintraege[0]?.pfad]).toEqual([30, 31, 'pages/30.txt'])
  const second = await page('?anzahl=30&seite=2&pfad=pages/')
  expect([second.eintraege.map(entry => entry.pfad), second.gesamt, second.seite]).toEqual([
    ['pages/0.txt'],
    31,
    2,
  ])
  expect(await page('?anzahl=30&seite=3&pfad=pages/')).toMatchObject({ eintraege: [], gesamt: 31 })
  for (const size of [60, 120, 200]) expect((await page(`?anzahl=${size}`)).anzahl).toBe(size)
})

test('the administration history has pages too', async () => {
  const put = (json: unknown) =>
    dash(on.service, 'einstellungen', { method: 'PUT', json, session: on.session })
  for (let at = 1; at <= 31; at++) await put({ SICHERUNG_BEHALTEN: 100 + at })
  const response = await dash(on.service, 'verwaltung?anzahl=30&seite=1', { session: on.session })
  const { eintraege, gesamt } = (await response.json()) as { eintraege: { neu: string }[]; gesamt: number }
  expect([eintraege.length, eintraege[0]?.neu]).toEqual([30, '131'])
  expect(gesamt).toBeGreaterThanOrEqual(31)
  await expectError(await dash(on.service, 'verwaltung?anzahl=31', { session: on.session }), 400, /anzahl/)
})
