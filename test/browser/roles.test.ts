/**
 * The dashboard shows only what the account may do: each role, and an account limited to a folder. A 403 on
 * the console fails a test.
 */
import { beforeAll, describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { answered, read, store } from '../support/api.ts'
import { dash, sessionOf, signIn } from '../support/dashboard.ts'
import { signInAt } from '../support/external-sign-in.ts'
import { leftToLong } from '../support/left-out.ts'
import { oidcEnv, openOidc } from '../support/oidc.ts'
import { png } from '../support/pictures.ts'
import { throwAway } from '../support/trash.ts'
import { eventually } from '../support/wait.ts'
import { dashboardTest, PHONE } from './dashboard.ts'
import { desktop, dragOver } from './drops.ts'
import { signInByHand } from './sign-in.ts'

const on = dashboardTest()
const passwort = 'a password of some length'
const sessions = { viewer: '', editor: '', limitedViewer: '', lowered: '' }

beforeAll(async () => {
  const image = await png()
  for (const path of ['team/a.png', 'team/sub/b.png', 'team/gone.png', 'other/c.png', 'top.png'])
    await store(on.service, on.token, path, image)
  await throwAway(on.service, on.session, 'team/gone.png')
  const account = async (benutzer: string, rights: object) => {
    const json = { benutzer, passwort, ...rights }
    await answered(await dash(on.service, 'benutzer', { json, session: on.session }))
    return signIn(on.service, { benutzer, passwort })
  }
  sessions.viewer = await account('viewer', { rolle: 'ansicht' })
  sessions.editor = await account('editor', { rolle: 'redaktion', ordner: ['team'] })
  sessions.limitedViewer = await account('limited', { rolle: 'ansicht', ordner: ['team/sub'] })
})

async function openAs(who: keyof typeof sessions, address: string, options = {}): Promise<Page> {
  const page = await on.open('/anmelden', { signedOut: true, ...options })
  await page.context().addCookies([{ name: 'fundus_sitzung', value: sessions[who], url: on.service.url }])
  await page.goto(`${on.service.url}${address}`)
  return page
}
const navigation = (page: Page) =>
  page.getByRole('navigation', { name: 'Bereiche' }).first().getByRole('link')
/** The rail may be folded to icons, which have names all the same. */
const nameOfLink = async (link: Locator) => (await link.getAttribute('aria-label')) ?? link.innerText()
const pagesOf = async (page: Page) => {
  const names = await Promise.all((await navigation(page).all()).map(nameOfLink))
  return names.filter(name => name !== 'Fundus')
}
async function openPageOf(page: Page, name: string): Promise<void> {
  for (const link of await navigation(page).all()) if ((await nameOfLink(link)) === name) return link.click()
  throw new Error(`no link to ${name}`)
}

describe('someone who may only look', () => {
  test('has three pages, each without a refusal', async () => {
    const page = await openAs('viewer', '/')
    await page.getByRole('heading', { name: 'Übersicht' }).waitFor()
    expect(await pagesOf(page)).toEqual(['Übersicht', 'Dateien', 'Statistik'])
    for (const name of ['Dateien', 'Statistik', 'Übersicht']) {
      await openPageOf(page, name)
      await page.getByRole('heading', { name, level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
    }
    // Free space is that of the whole service.
    expect(await page.getByRole('term').allInnerTexts()).toEqual(['Dateien', 'Belegt', 'Abrufe in 7 Tagen'])
  })

  test('sees a gallery without tools for a selection; a click shows the file', async () => {
    const page = await openAs('viewer', '/dateien?ordner=team')
    const card = page.locator('[data-file]').first()
    await card.waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(0)
    expect(await page.getByRole('button', { name: /Hochladen|Neuer Ordner/ }).count()).toBe(0)
    await card.click()
    const details = page.getByRole('dialog')
    await details.getByText('SHA-256').waitFor()
    await page.waitForLoadState('networkidle')
    expect(
      await details.getByRole('button', { name: /Umbenennen|Verschieben|Löschen|Ersetzen/ }).count(),
    ).toBe(0)
    await page.keyboard.press('Escape')
    await card.click({ button: 'right' })
    const entries = await page.getByRole('menuitem').allInnerTexts()
    expect(entries.filter(text => /Umbenennen|Verschieben|Papierkorb|Löschen|Ersetzen/.test(text))).toEqual(
      [],
    )
  })

  test('reads a sentence on a page that is not for them', async () => {
    const page = await openAs('viewer', '/einstellungen')
    await page.getByRole('heading', { name: 'Diese Seite ist für dieses Konto nicht da' }).waitFor()
  })

  test('on a phone finds all pages in the bar', async () => {
    const page = await openAs('viewer', '/', { viewport: PHONE })
    const bar = page.getByRole('navigation', { name: 'Bereiche' }).last()
    await bar.getByRole('link', { name: 'Statistik' }).waitFor()
    expect(await bar.getByRole('link').allInnerTexts()).toEqual(['Übersicht', 'Dateien', 'Statistik'])
  })
})

describe('an editor with a folder', () => {
  test('has the pages for files, each without a refusal', async () => {
    const page = await openAs('editor', '/')
    await page.getByRole('heading', { name: 'Übersicht' }).waitFor()
    const names = await pagesOf(page)
    expect(names).toEqual([
      'Übersicht',
      'Dateien',
      'Papierkorb',
      'Freigaben',
      'Statistik',
      'Verlauf',
      'Fristen',
    ])
    for (const name of names) {
      await openPageOf(page, name)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
    }
  })

  test('reads how much of the trash is in the folder, not how much is left of the whole', async () => {
    const page = await openAs('editor', '/papierkorb')
    await page.getByText(/^180 KB belegt, 1 Datei$/).waitFor()
    expect(await page.getByRole('progressbar', { name: 'Belegter Platz im Papierkorb' }).count()).toBe(0)
  })

  test('begins with the folder, which can be neither renamed nor moved', async () => {
    const page = await openAs('editor', '/dateien')
    const folder = page.locator('[data-folder="team"]').last()
    await folder.click({ button: 'right' })
    const entries = await page.getByRole('menuitem').allInnerTexts()
    expect(entries.filter(text => /Umbenennen|Verschieben/.test(text))).toEqual([])
    expect(entries.some(text => /Hierher hochladen/.test(text))).toBe(true)
    await page.keyboard.press('Escape')
    expect(await page.getByRole('button', { name: 'Neuer Ordner' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Hochladen', exact: true }).click()
    await page.getByText('team', { exact: false }).first().waitFor()
  })

  test('files over a folder that takes none go to the folder that is named, and only its name is shown', async () => {
    await using from = await desktop({ 'neu.txt': 'neu' })
    const page = await openAs('editor', '/dateien?ordner=team')
    const top = page.getByRole('navigation', { name: 'Ort' }).getByRole('link', { name: 'Alle Dateien' })
    await top.waitFor()
    const dragged = await dragOver(page, [from.path('neu.txt')], top)
    await page.getByRole('status').getByText('Nach team').waitFor()
    expect(await page.locator('[data-drop-over]').count()).toBe(0)
    await dragged.drop()
    await eventually('it is stored', async () => (await read(on.service, 'team/neu.txt')).status === 200)
  })
})

test('someone with a folder deep inside sees no folder above it', async () => {
  const page = await openAs('limitedViewer', '/dateien?ordner=team/sub')
  await page.locator('[data-file]').first().waitFor()
  const crumbs = page.getByRole('navigation', { name: 'Ort' })
  expect(await crumbs.getByRole('link').allInnerTexts()).toEqual(['Alle Dateien'])
})

describe('a right that is taken away while its page is open ends in a sentence', () => {
  const NOT_ALLOWED = 'Diese Seite ist für dieses Konto nicht da'
  const restoreFirst = (page: Page) =>
    page
      .getByRole('button', { name: /wiederherstellen/i })
      .first()
      .click()

  leftToLong('when an operator takes it: after signing in again, at the page that was open', async () => {
    const name = 'lowered'
    const json = { benutzer: name, passwort, rolle: 'redaktion' }
    const { id } = await answered<{ id: string }>(
      await dash(on.service, 'benutzer', { json, session: on.session }),
    )
    sessions.lowered = await signIn(on.service, { benutzer: name, passwort })
    const page = await openAs('lowered', '/papierkorb', { expected: [/status of 401/] })
    await page.getByText('gone.png').first().waitFor()
    const patch = { method: 'PATCH', json: { rolle: 'ansicht' }, session: on.session }
    await answered(await dash(on.service, `benutzer/${id}`, patch))
    await restoreFirst(page)
    await page.getByText('Die Anmeldung ist zu Ende').waitFor()
    await signInByHand(page, { benutzer: name, passwort })
    await page.getByRole('heading', { name: NOT_ALLOWED }).waitFor()
    expect(await pagesOf(page)).toEqual(['Übersicht', 'Dateien', 'Statistik'])
  })

  leftToLong('when a provider takes it and the session goes on: at the next click', async () => {
    using oidc = await openOidc()
    const rules = ['redaktion', 'ansicht'].map(rolle => ({ anspruch: 'groups', wert: rolle, rolle }))
    const settings = { ...oidcEnv(oidc), OIDC_REGELN: rules }
    await answered(
      await dash(on.service, 'einstellungen', { method: 'PUT', json: settings, session: on.session }),
    )
    oidc.state.person = { sub: '1', preferred_username: 'lena', groups: ['redaktion'] }
    sessions.lowered = sessionOf(await signInAt(on.service, 'oidc'))
    const page = await openAs('lowered', '/papierkorb', { expected: [/status of 403/] })
    await page.getByText('gone.png').first().waitFor()
    oidc.state.person.groups = ['ansicht']
    expect((await signInAt(on.service, 'oidc')).status).toBe(303)
    await restoreFirst(page)
    await page.getByRole('heading', { name: NOT_ALLOWED }).waitFor()
    expect(await pagesOf(page)).toEqual(['Übersicht', 'Dateien', 'Statistik'])
  })
})
