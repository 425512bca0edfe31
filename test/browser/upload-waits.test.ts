/** The upload queue while the service accepts nothing: it waits, says why, and continues by itself. */

import { describe, expect, test } from 'bun:test'
import type { Page, Route } from 'playwright-core'
import { read } from '../support/api.ts'
import { ADMIN, dash, signIn } from '../support/dashboard.ts'
import { eventually } from '../support/wait.ts'
import { axe, dashboardTest } from './dashboard.ts'
import { chooseBy, desktop } from './drops.ts'
import { signInByHand } from './sign-in.ts'

const on = dashboardTest()
const UPLOAD = '**/api/dash/upload'
const NAMES = Array.from({ length: 12 }, (_, at) => `datei-${at}.txt`)

const list = (page: Page, name = 'Hochladen') => page.getByRole('region', { name, exact: true }).first()

/** Chooses the files `<folder>/<name>`; returns how often the browser has sent one since then. */
async function uploadTo(page: Page, folder: string, names: readonly string[] = NAMES, upload = 'Hochladen') {
  const from = await desktop(Object.fromEntries(names.map(name => [`${folder}/${name}`, name])))
  let sent = 0
  page.on('request', request => {
    if (new URL(request.url()).pathname === '/api/dash/upload') sent++
  })
  await page.getByRole('button', { name: upload, exact: true }).click()
  const choose = page.getByRole('menuitem', {
    name: upload === 'Upload' ? 'Choose a folder' : 'Ordner wählen',
  })
  await chooseBy(page, choose, from.path(folder))
  await list(page, upload === 'Upload' ? 'Uploads' : 'Hochladen').waitFor()
  // The browser reads the files when it sends them, so they must exist during the test.
  return { ...from, sent: () => sent }
}

const isStored = async (path: string) => (await read(on.service, path)).status === 200
const allStored = async (folder: string, names: readonly string[] = NAMES) =>
  (await Promise.all(names.map(name => isStored(`${folder}/${name}`)))).every(Boolean)

describe('the queue waits, and nothing counts as refused', () => {
  test('502 of a proxy: few files were sent, all of them arrive once it is over', async () => {
    const page = await on.open('/dateien', { expected: [/status of 502/] })
    await page.route(UPLOAD, route => route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' }))
    await using files = await uploadTo(page, 'proxy')
    await list(page).getByText('Der Dienst nimmt gerade nichts an (Status 502).').waitFor()
    expect(files.sent()).toBeLessThan(NAMES.length)
    await page.getByRole('button', { name: 'Das Hochladen wartet' }).waitFor()
    await list(page)
      .getByText(/Nächster Versuch in \d+ Sek\./)
      .waitFor()
    await axe(page)
    expect(
      await list(page)
        .getByText(/Nicht hochgeladen/)
        .count(),
    ).toBe(0)
    await page.unroute(UPLOAD)
    await list(page).getByText('12 Dateien hochgeladen', { exact: true }).first().waitFor()
    expect(await allStored('proxy')).toBe(true)
  })

  test('503 with Retry-After: as long as it says, in its sentence, in English too; “Try now” ends the wait', async () => {
    const page = await on.open('/dateien', { language: 'en', scheme: 'dark', expected: [/status of 503/] })
    const error = 'Die Datenbank antwortet nicht; bitte gleich erneut versuchen.'
    await page.route(UPLOAD, route =>
      route.fulfill({
        status: 503,
        headers: { 'Retry-After': '600', 'X-Fehler-Code': 'database-unavailable' },
        json: { error },
      }),
    )
    await using files = await uploadTo(page, 'spaeter', NAMES, 'Upload')
    await list(page, 'Uploads').getByText('Next attempt in 10 mins').waitFor()
    await list(page, 'Uploads')
      .getByText(/^The database .* The upload continues by itself\.$/)
      .waitFor()
    await axe(page)
    expect(files.sent()).toBe(3)
    await page.unroute(UPLOAD)
    await list(page, 'Uploads').getByRole('button', { name: 'Try now' }).click()
    await list(page, 'Uploads').getByText('12 files uploaded', { exact: true }).first().waitFor()
  })

  test('it can be paused and resumed, and a wait can be cancelled', async () => {
    const page = await on.open('/dateien', { expected: [/status of 429/] })
    const held: Route[] = []
    await page.route(UPLOAD, route => void held.push(route))
    await using files = await uploadTo(page, 'pause')
    await eventually('three are on their way', () => held.length === 3)
    await list(page).getByRole('button', { name: 'Anhalten' }).click()
    await list(page).getByText('Angehalten. Begonnene Dateien werden noch fertig übertragen.').waitFor()
    for (const route of held) await route.continue()
    await list(page).getByText('3 von 12 hochgeladen').waitFor()
    expect(files.sent()).toBe(3)
    await page.unroute(UPLOAD)
    await page.route(UPLOAD, route => route.fulfill({ status: 429, headers: { 'Retry-After': '600' } }))
    await list(page).getByRole('button', { name: 'Fortsetzen' }).click()
    await list(page).getByText('Nächster Versuch in 10 Min.').waitFor()
    await list(page).getByRole('button', { name: 'Alle abbrechen' }).click()
    await list(page).getByText('3 Dateien hochgeladen', { exact: true }).first().waitFor()
    await page.unroute(UPLOAD)
    await list(page).getByRole('button', { name: 'Übrige erneut versuchen' }).click()
    await list(page).getByText('12 Dateien hochgeladen', { exact: true }).first().waitFor()
  })
})

describe('an answer that is not the service’s holds no place for ever', () => {
  const foreign = async (answer: Parameters<Route['fulfill']>[0]) => {
    const page = await on.open('/dateien')
    await page.route(UPLOAD, route => route.fulfill(answer))
    await using _files = await uploadTo(page, 'fremd', NAMES.slice(0, 5))
    await list(page).getByText('Nicht hochgeladen (5)').waitFor()
    await page.unroute(UPLOAD)
    await list(page).getByRole('button', { name: 'Übrige erneut versuchen' }).click()
    await list(page).getByText('5 Dateien hochgeladen', { exact: true }).first().waitFor()
    await dash(on.service, 'folders/loeschen', { json: { ordner: 'fremd' }, session: on.session })
  }
  test('a page with status 200', () =>
    foreign({ status: 200, contentType: 'text/html', body: '<h1>Hotel</h1>' }))
  test('a JSON of somebody else with status 200', () => foreign({ status: 200, json: {} }))
  test('nothing, with status 204', () => foreign({ status: 204 }))

  test('a network that answers everything with its own page: the queue waits', async () => {
    const page = await on.open('/dateien')
    const portal = /\/(api\/dash\/upload|health)$/
    await page.route(portal, route => route.fulfill({ contentType: 'text/html', body: '<h1>Hotel</h1>' }))
    await using _files = await uploadTo(page, 'hotel', NAMES.slice(0, 5))
    await list(page).getByText('Der Dienst ist nicht erreichbar.').waitFor()
    await page.unroute(portal)
    await list(page).getByText('5 Dateien hochgeladen', { exact: true }).first().waitFor()
  })
})

test('a session that ends leads to signing in; the queue goes on afterwards, for the same person', async () => {
  const page = await on.open('/anmelden', { signedOut: true, expected: [/status of 401/] })
  const session = await signIn(on.service)
  await page.context().addCookies([{ name: 'fundus_sitzung', value: session, url: on.service.url }])
  await page.goto(`${on.service.url}/dateien`)
  const held: Route[] = []
  await page.route(UPLOAD, route => void held.push(route))
  await using _files = await uploadTo(page, 'sitzung')
  await eventually('three are on their way', () => held.length === 3)
  await dash(on.service, 'logout', { method: 'POST', session })
  for (const route of held) await route.continue()
  await page.unroute(UPLOAD)
  await page.getByText('Auch das Hochladen wartet so lange').waitFor()
  await axe(page)
  await signInByHand(page, ADMIN)
  await list(page).getByText('12 Dateien hochgeladen', { exact: true }).first().waitFor()
  expect(await allStored('sitzung')).toBe(true)
})
