/**
 * Dialogs and menus by keyboard and in a low window; the login after a lost session; the message about a lost
 * connection.
 */
import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { ADMIN, dash } from '../support/dashboard.ts'
import { axe, DESKTOP, dashboardTest, PHONE } from './dashboard.ts'
import { drawer, fill, link } from './gallery-page.ts'

const on = dashboardTest()
const MANY = Array.from({ length: 30 }, (_, at) => `viel/datei-${at}.txt`)
beforeAll(async () => {
  await fill(on.service, on.token, ['da/a.txt', 'da/b.txt', 'weg/c.txt', ...MANY])
  await dash(on.service, 'folders/loeschen', { json: { ordner: 'weg' }, session: on.session })
})

test('Escape in a menu of the drawer closes the menu alone; the next one closes the drawer', async () => {
  const page = await on.open('/dateien?ordner=da&datei=da/a.txt', {
    context: { reducedMotion: 'no-preference' },
  })
  await drawer(page).getByRole('heading', { name: 'a.txt' }).waitFor()
  const more = drawer(page).getByRole('button', { name: 'Kopieren als …' })
  const entry = page.getByRole('menuitem', { name: 'Markdown' })
  await more.press('Enter')
  await entry.waitFor()
  await page.keyboard.press('Escape')
  await entry.waitFor({ state: 'detached' })
  expect(await drawer(page).count()).toBe(1)
  // Before the menu has the focus, the key still reaches the drawer.
  await more.click()
  await more.press('Escape')
  expect(await drawer(page).count()).toBe(1)
  await entry.press('Escape')
  await entry.waitFor({ state: 'detached' })
  expect(await drawer(page).count()).toBe(1)
  await page.keyboard.press('Escape')
  await drawer(page).waitFor({ state: 'detached' })
})

const press = (name: string) => (page: Page) =>
  page.getByRole('button', { name, exact: true }).first().click()
const key = (keys: string) => async (page: Page) => {
  await link(page, 'a.txt').focus()
  await page.keyboard.press(keys)
}
const replace = async (page: Page) => {
  await page.locator('[data-file] a').first().focus()
  await page.keyboard.press('a')
  await press('Suchen und Ersetzen')(page)
  await page.getByRole('dialog').getByLabel('Suchen', { exact: true }).fill('datei')
  await page.getByRole('button', { name: '30 Dateien umbenennen' }).waitFor()
}
const account = (item: string) => async (page: Page) => {
  await press('Konto')(page)
  await page.getByRole('menuitem', { name: item }).click()
}
/** The button that opens it, what has the focus then, and its main action. */
const DIALOGS: [
  name: string,
  address: string,
  open: (page: Page) => Promise<unknown>,
  focus: string,
  action: string,
][] = [
  ['keys', '/', account('Tastatur'), '', ''],
  ['new token', '/tokens', press('Neues Token'), 'Name', 'Token erstellen'],
  ['new account', '/einstellungen', press('Konto anlegen'), 'Benutzername', 'Konto anlegen'],
  ['share', '/freigaben?neu=da', async () => {}, 'Ordner', 'Link erstellen und kopieren'],
  ['rename', '/dateien?ordner=da', key('r'), 'Neuer Name', 'Umbenennen'],
  ['move', '/dateien?ordner=da', key('m'), 'Zielordner', 'Hierher verschieben'],
  ['search and replace', '/dateien?ordner=viel', replace, 'Suchen', '30 Dateien umbenennen'],
  ['empty the trash', '/papierkorb', press('Papierkorb leeren'), 'Abbrechen', 'Papierkorb leeren'],
]

describe('dialogs in a window 800 high', () => {
  test.each(DIALOGS)(
    '%s: the focus is on its field or action, its buttons are in sight',
    async (_name, address, open, focus, action) => {
      const page = await on.open(address)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await open(page)
      const dialog = page.getByRole('dialog').filter({ has: page.locator('header') })
      await dialog.waitFor()
      const focused = dialog.locator(':focus')
      await focused.waitFor()
      expect(await focused.getAttribute('aria-label')).not.toBe('Schließen')
      if (focus !== '') {
        const meant = dialog
          .getByLabel(new RegExp(`^${focus}`))
          .or(dialog.getByRole('button', { name: focus }))
        expect(await meant.first().evaluate(element => element.matches(':focus'))).toBe(true)
      }
      if (action === '') return
      const box = (await dialog.getByRole('button', { name: action, exact: true }).boundingBox())!
      const frame = (await dialog.boundingBox())!
      expect([box.y > frame.y, box.y + box.height < frame.y + frame.height]).toEqual([true, true])
      expect(frame.y + frame.height).toBeLessThanOrEqual(DESKTOP.height)
      await axe(page)
    },
  )
})

test('a lost session: the login says why, and leads back; a first visit is told nothing', async () => {
  const stranger = await on.open('/tokens', { signedOut: true, expected: [/401/] })
  await stranger.getByRole('button', { name: 'Anmelden' }).waitFor()
  expect(await stranger.getByText('Die Anmeldung ist zu Ende').count()).toBe(0)
  const page = await on.open('/anmelden', { signedOut: true, expected: [/401/] })
  const signIn = async () => {
    await page.getByLabel('Benutzername').fill(ADMIN.benutzer)
    await page.getByLabel('Passwort', { exact: true }).fill(ADMIN.passwort)
    await page.getByRole('button', { name: 'Anmelden' }).click()
  }
  await signIn()
  await page.getByRole('link', { name: 'Tokens' }).first().click()
  await page.getByRole('heading', { name: 'Tokens', level: 1 }).waitFor()
  await page.context().clearCookies()
  await page.getByRole('link', { name: 'Verlauf' }).first().click()
  await page.getByText('Die Anmeldung ist zu Ende').waitFor()
  await axe(page)
  await signIn()
  await page.getByRole('heading', { name: 'Verlauf', level: 1 }).waitFor()
})

test.each([DESKTOP, PHONE])('a lost connection at %j: a thin line that covers nothing', async viewport => {
  const page = await on.open('/dateien?ordner=da', { viewport, expected: [/ERR_/] })
  await link(page, 'a.txt').waitFor()
  await page.route('**/api/**', route => route.abort())
  await page.getByRole('link', { name: 'Papierkorb' }).locator('visible=true').first().click()
  const line = page.getByText('Keine Verbindung zum Dienst')
  await line.waitFor()
  const { y, height } = (await line.boundingBox())!
  expect([y, height <= 24]).toEqual([0, true])
  const covered = (await page.evaluate(`(() => {
    const line = ${y + height}
    return [...document.querySelectorAll('a, button, input')]
      .filter(each => each.getClientRects().length > 0 && !each.closest('[data-hidden]') && each.getBoundingClientRect().bottom > 0)
      .filter(each => each.getBoundingClientRect().top < line)
      .map(each => each.outerHTML.slice(0, 80))
  })()`)) as string[]
  expect(covered).toEqual([])
  await page.unroute('**/api/**')
  await line.waitFor({ state: 'detached' })
})
