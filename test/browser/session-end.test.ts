/** The end of a session, in this window and in others: the next person finds nothing of the previous one. */

import { beforeAll, expect, test } from 'bun:test'
import type { Page, Route } from 'playwright-core'
import { read, store } from '../support/api.ts'
import { ADMIN, dash, signIn } from '../support/dashboard.ts'
import { codeOf, newPerson, setUpTotp } from '../support/factors.ts'
import { leftToLong } from '../support/left-out.ts'
import { eventually } from '../support/wait.ts'
import { axe, dashboardTest } from './dashboard.ts'
import { chooseBy, desktop } from './drops.ts'
import { signInByHand } from './sign-in.ts'

const on = dashboardTest()
const OTHER = { benutzer: 'zweite', passwort: 'ein ganz anderes Passwort' }
const HOOK = 'https://chat.example.org/geheim'
const UPLOAD = '**/api/dash/upload'
/** Console lines for requests that end with the session. */
const expected = [/status of 401/, /ERR_/]

beforeAll(async () => {
  await dash(on.service, 'benutzer', { json: { ...OTHER, rolle: 'betreiber' }, session: on.session })
})

/** A page of the first person, with a session of its own that the test may end. */
async function openAsFirst(address: string) {
  const page = await on.open('/anmelden', { signedOut: true, expected })
  const session = await signIn(on.service)
  await page.context().addCookies([{ name: 'fundus_sitzung', value: session, url: on.service.url }])
  await page.goto(`${on.service.url}${address}`)
  return { page, endSession: () => dash(on.service, 'logout', { method: 'POST', session }) }
}

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first().click()
async function toMissing(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Mehr zu diesem Ordner' }).click()
  await page.getByRole('menuitem', { name: 'Fehlende Dateien' }).click()
}

const hook = (page: Page) => page.getByRole('textbox', { name: 'Webhook-Adresse', exact: true })

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Konto', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Abmelden' }).click()
  await page.waitForURL('**/anmelden')
}

/** Over the page, when its session has ended. */
const endDialog = (page: Page) => page.getByRole('dialog', { name: 'Anmelden' })

async function signInAgain(page: Page, person: typeof ADMIN): Promise<void> {
  // The name is there already.
  await endDialog(page).locator('[autocomplete="current-password"]:focus').waitFor()
  await signInByHand(page, person)
  await endDialog(page).waitFor({ state: 'detached' })
}

/** Everything that the browser stores, except preferences: language, appearance, sizes. */
const kept = async (page: Page) => {
  const habits =
    /^(fundus-(sprache|ansicht|kachel|angaben|namen|weiter|baum-breite|baum-zu|leiste-zu)|mantine-color-scheme-value)$/
  const keys = await page.evaluate('[localStorage, sessionStorage].flatMap(storage => Object.keys(storage))')
  return (keys as string[]).filter(key => !habits.test(key))
}

/**
 * Leaves something in every place where the dashboard keeps data: open folders, a pasted list, undo, an
 * upload, a draft.
 */
async function leaveTraces(page: Page, folder: string) {
  for (const name of ['bleibt', 'weg']) await store(on.service, on.token, `${folder}/tief/${name}.txt`, name)
  await page.goto(`${on.service.url}/dateien?ordner=${folder}/tief`)
  await page.getByText('bleibt.txt').first().waitFor()
  await toMissing(page)
  await page.getByLabel('Namen, die es geben soll').fill('geheime-liste')
  await link(page, 'Dateien')
  await page.getByRole('treeitem', { name: 'tief' }).click()
  const held: Route[] = []
  await page.route(UPLOAD, route => void held.push(route))
  const from = await desktop({ 'rest.txt': 'rest' })
  await page.getByRole('button', { name: 'Hochladen', exact: true }).click()
  await chooseBy(page, page.getByRole('menuitem', { name: 'Dateien wählen' }), from.path('rest.txt'))
  await eventually('the upload runs', () => held.length === 1)
  await page.getByRole('button', { name: 'Liste verbergen' }).click()
  await page.locator('[data-file]', { hasText: 'weg.txt' }).getByRole('link').focus()
  await page.keyboard.press('Delete')
  await page.getByRole('button', { name: 'Rückgängig' }).waitFor()
  await link(page, 'Einstellungen')
  await hook(page).fill(HOOK)
  // The browser reads the file when it sends it, so the file must exist during the test.
  return { ...from, held }
}

/** Looks for those traces as the person who is signed in now. */
async function expectNothingOf(page: Page, folder: string): Promise<void> {
  await page.getByRole('heading', { name: 'Übersicht', level: 1 }).waitFor()
  expect(
    await page.getByRole('button', { name: /Hochgeladenes zeigen|Hochladen läuft|Rückgängig/ }).count(),
  ).toBe(0)
  await page.keyboard.press('Control+z')
  await link(page, 'Einstellungen')
  expect(await hook(page).inputValue()).toBe('')
  await link(page, 'Dateien')
  await page.getByRole('treeitem', { name: folder }).waitFor()
  expect(await page.getByRole('treeitem', { name: 'tief' }).count()).toBe(0)
  await toMissing(page)
  expect(await page.getByLabel('Namen, die es geben soll').inputValue()).toBe('')
  expect((await kept(page)).filter(key => !key.includes(OTHER.benutzer) && key !== 'fundus-person')).toEqual(
    [],
  )
  expect((await read(on.service, `${folder}/tief/weg.txt`)).status).toBe(404)
  expect((await read(on.service, `${folder}/tief/rest.txt`)).status).toBe(404)
}

leftToLong(
  'signing out leaves nothing to the next person: no draft, upload, undo, list or folder',
  async () => {
    const { page } = await openAsFirst('/dateien')
    await using _ = await leaveTraces(page, 'spur')
    await signOut(page)
    expect(await kept(page)).toEqual([])
    await signInByHand(page, OTHER)
    await expectNothingOf(page, 'spur')
  },
)

leftToLong('nor does a session that was ended elsewhere, when another person signs in', async () => {
  const { page, endSession } = await openAsFirst('/dateien')
  await using _ = await leaveTraces(page, 'rest')
  await endSession()
  await page.goto(`${on.service.url}/dateien?ordner=rest/tief`)
  await page.waitForURL('**/anmelden?**')
  await signInByHand(page, OTHER)
  await expectNothingOf(page, 'rest')
})

test('the same person goes on where the session ended, with what was typed', async () => {
  const { page, endSession } = await openAsFirst('/dateien')
  await using traces = await leaveTraces(page, 'weiter')
  await endSession()
  await traces.held[0]!.continue()
  await page.unroute(UPLOAD)
  await signInAgain(page, ADMIN)
  expect(page.url()).toEndWith('/einstellungen')
  expect(await hook(page).inputValue()).toBe(HOOK)
  await eventually(
    'the upload has gone on',
    async () => (await read(on.service, 'weiter/tief/rest.txt')).status === 200,
  )
})

leftToLong(
  'other windows of the browser follow: signed out here is signed out there, and a new session is theirs too',
  async () => {
    const { page } = await openAsFirst('/dateien')
    const other = await page.context().newPage()
    await using _ = await leaveTraces(other, 'fenster')
    await signOut(page)
    await other.waitForURL('**/anmelden')
    expect(await kept(other)).toEqual([])
    await signInByHand(page, OTHER)
    await page.getByRole('heading', { name: 'Übersicht', level: 1 }).waitFor()
    await other.goto(`${on.service.url}/`)
    await expectNothingOf(other, 'fenster')
  },
)

leftToLong('two windows whose session ended: signing in again in one goes on in both', async () => {
  const { page, endSession } = await openAsFirst('/verlauf')
  const other = await page.context().newPage()
  await other.goto(`${on.service.url}/verlauf`)
  for (const each of [page, other]) await each.getByRole('heading', { name: 'Verlauf', level: 1 }).waitFor()
  await endSession()
  for (const each of [page, other]) {
    await link(each, 'Papierkorb')
    await endDialog(each).waitFor()
  }
  await signInByHand(page, ADMIN)
  for (const each of [page, other])
    await each.getByRole('heading', { name: 'Papierkorb', level: 1 }).waitFor()
})

leftToLong('a window that missed the change sends nothing under the other person’s name', async () => {
  const { page } = await openAsFirst('/dateien')
  const other = await page.context().newPage()
  await using traces = await leaveTraces(other, 'name')
  // Like a window that the browser had suspended.
  await other.evaluate("addEventListener('storage', event => event.stopImmediatePropagation(), true)")
  await traces.held[0]!.fulfill({ status: 503, headers: { 'Retry-After': '600' } })
  await other.getByRole('button', { name: 'Das Hochladen wartet' }).click()
  await other.getByRole('button', { name: 'Jetzt versuchen' }).waitFor()
  await signOut(page)
  await signInByHand(page, OTHER)
  await page.getByRole('heading', { name: 'Übersicht', level: 1 }).waitFor()
  // At the latest, its next request notices that the session is another person's.
  await other.waitForURL(/\/(anmelden)?$/)
  await other.goto(on.service.url)
  expect(traces.held.length).toBe(1)
  await expectNothingOf(other, 'name')
})

/** A form with something typed in it, which no address and no storage holds. */
async function typeIntoForm(page: Page) {
  await page.getByRole('button', { name: 'Ordner freigeben' }).first().click()
  const form = page.getByRole('dialog', { name: 'Ordner freigeben' })
  await form.getByRole('combobox', { name: 'Ordner' }).fill('bleibt')
  await form.getByLabel('Gilt bis zum Ende dieses Tages').fill('2099-06-01')
  return form
}

leftToLong(
  'an open form stays under the dialog, Escape closes neither, and it can be sent afterwards',
  async () => {
    await store(on.service, on.token, 'bleibt/a.txt', 'a')
    const { page, endSession } = await openAsFirst('/freigaben')
    const form = await typeIntoForm(page)
    await endSession()
    await form.getByRole('button', { name: 'Link erstellen' }).click()
    await endDialog(page).waitFor()
    await axe(page)
    expect(await page.getByLabel('Benutzername').inputValue()).toBe(ADMIN.benutzer)
    await page.keyboard.press('Escape')
    await signInAgain(page, ADMIN)
    expect(await form.getByRole('combobox', { name: 'Ordner' }).inputValue()).toBe('bleibt')
    expect(await form.getByLabel('Gilt bis zum Ende dieses Tages').inputValue()).toBe('2099-06-01')
    await form.getByRole('button', { name: 'Link erstellen' }).click()
    await page
      .getByRole('dialog')
      .getByText(/Er gilt bis .*2099/)
      .waitFor()
  },
)

leftToLong('another person who signs in there gets a page of their own', async () => {
  const { page, endSession } = await openAsFirst('/freigaben')
  const form = await typeIntoForm(page)
  await endSession()
  await form.getByRole('button', { name: 'Link erstellen' }).click()
  await endDialog(page).waitFor()
  await signInByHand(page, OTHER)
  await page.getByRole('heading', { name: 'Übersicht', level: 1 }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect((await kept(page)).filter(key => key.includes(`:${ADMIN.benutzer}:`))).toEqual([])
})

leftToLong('with a second factor the form stays too', async () => {
  const person = await newPerson(on.service, on.session, { rolle: 'betreiber' })
  const { secret } = await setUpTotp(on.service, person.session)
  const page = await on.open('/anmelden', { signedOut: true, expected })
  await page.context().addCookies([{ name: 'fundus_sitzung', value: person.session, url: on.service.url }])
  await page.goto(`${on.service.url}/freigaben`)
  const form = await typeIntoForm(page)
  await dash(on.service, 'logout', { method: 'POST', session: person.session })
  await form.getByRole('button', { name: 'Link erstellen' }).click()
  // The name is there already.
  await endDialog(page).locator('[autocomplete="current-password"]:focus').waitFor()
  await signInByHand(page, person)
  const second = page.getByRole('dialog', { name: 'Zweiter Faktor' })
  await second.getByLabel('Code aus der App').fill(codeOf(secret, 1))
  await second.getByRole('button', { name: 'Anmelden', exact: true }).click()
  await second.waitFor({ state: 'detached' })
  expect(await form.getByRole('combobox', { name: 'Ordner' }).inputValue()).toBe('bleibt')
})
