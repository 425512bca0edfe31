/**
 * The dashboard shows only what the account may do: each role, and an account limited to a folder. A 403 on
 * the console fails a test.
 */
import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { answered, store } from '../support/api.ts'
import { dash, signIn } from '../support/dashboard.ts'
import { png } from '../support/pictures.ts'
import { throwAway } from '../support/trash.ts'
import { dashboardTest, PHONE } from './dashboard.ts'

const on = dashboardTest()
const passwort = 'a password of some length'
const sessions = { viewer: '', editor: '', limitedViewer: '' }

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
const pagesOf = async (page: Page) =>
  (await navigation(page).allInnerTexts()).filter(text => text !== 'Fundus')

describe('someone who may only look', () => {
  test('has three pages, each without a refusal', async () => {
    const page = await openAs('viewer', '/')
    await page.getByRole('heading', { name: 'Übersicht' }).waitFor()
    expect(await pagesOf(page)).toEqual(['Übersicht', 'Dateien', 'Statistik'])
    for (const name of ['Dateien', 'Statistik', 'Übersicht']) {
      await navigation(page).filter({ hasText: name }).click()
      await page.getByRole('heading', { name, level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
    }
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
      await navigation(page).filter({ hasText: name }).click()
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
    }
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
})

test('someone with a folder deep inside sees no folder above it', async () => {
  const page = await openAs('limitedViewer', '/dateien?ordner=team/sub')
  await page.locator('[data-file]').first().waitFor()
  const crumbs = page.getByRole('navigation', { name: 'Ort' })
  expect((await crumbs.getByRole('link').allInnerTexts()).slice(1)).toEqual(['team/sub'])
})

test('a right that is taken away while its page is open ends in a sentence', async () => {
  const page = await openAs('editor', '/papierkorb', { expected: [/status of 403/] })
  await page.getByText('gone.png').first().waitFor()
  const lowered = {
    ...(await answered<object>(await dash(on.service, 'ich', { session: sessions.editor }))),
    rolle: 'ansicht',
  }
  await page.route('**/api/dash/ich', route => route.fulfill({ json: lowered }))
  await page.route('**/api/dash/papierkorb/**', route =>
    route.fulfill({
      status: 403,
      headers: { 'X-Fehler-Code': 'role-forbidden' },
      json: { error: 'Das eigene Konto hat nicht die Rolle, die dafür nötig ist.' },
    }),
  )
  await page
    .getByRole('button', { name: /wiederherstellen/i })
    .first()
    .click()
  await page.getByRole('heading', { name: 'Diese Seite ist für dieses Konto nicht da' }).waitFor()
  expect(await pagesOf(page)).toEqual(['Übersicht', 'Dateien', 'Statistik'])
})
