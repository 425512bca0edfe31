/**
 * Every page, dialog, menu and drawer, on a phone in German and light, and at 200 % in a window of 1280 in
 * English and dark: nothing serious in the accessibility check, nothing wider than the window, and every
 * control can be reached with Tab.
 */
import { beforeAll, describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { axe, dashboardTest, PHONE } from '../browser/dashboard.ts'
import { desktop } from '../browser/drops.ts'
import { fill } from '../browser/gallery-page.ts'
import { store } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { media } from '../support/media.ts'
import { png } from '../support/pictures.ts'

const on = dashboardTest()
const MANY = Array.from({ length: 40 }, (_, at) => `viele/datei-${at}.txt`)
const LONG = `ein-langer-ordner/noch-einer/${'sehr-langer-name-'.repeat(6)}ende.txt`

beforeAll(async () => {
  const bot = await on.service.createToken('--name', 'Bot', '--prefix', 'clips/', '--quota', '1000000')
  await store(on.service, on.token, 'items/bild.png', await png({ width: 40, height: 30 }))
  await store(on.service, bot, 'clips/clip.mp4', media('clip.mp4'))
  await store(on.service, bot, 'clips/tone.mp3', media('tone.mp3'))
  await fill(on.service, on.token, [...MANY, LONG, 'items/a.txt', 'weg/b.txt'])
  const post = (route: string, json: unknown) => dash(on.service, route, { session: on.session, json })
  await post('folders/loeschen', { ordner: 'weg' })
  await post('folders/umbenennen', { ordner: 'items', name: 'dinge' })
  await post('folders/umbenennen', { ordner: 'dinge', name: 'items' })
  await post('freigaben', { ordner: 'items' })
  await dash(on.service, 'sicherung?warten=1', { method: 'POST', session: on.session })
})

const seen = (what: Locator) => what.locator('visible=true').first()
/** By its name in either language. */
const nameIn = (names: string) => new RegExp(`^(${names})$`)
const press = (names: string) => (page: Page) =>
  seen(page.getByRole('button', { name: nameIn(names) })).click()
const entry = (page: Page, names: string) => page.getByRole('menuitem', { name: nameIn(names) }).click()
const key = (keys: string) => async (page: Page) => {
  await page.locator('[data-file] a').first().focus()
  await page.keyboard.press(keys)
}
const fromMenu = (button: string, item: string) => async (page: Page) => {
  await press(button)(page)
  await entry(page, item)
}
const FOLDER = 'Mehr zu diesem Ordner|More about this folder'
const TOKEN = 'Mehr zu „Bot“|More about “Bot”'
const UPLOAD = 'Hochladen|Upload'

/** Uploads that the plan must ask about: conflicts, invalid names, an empty file. */
async function planUpload(page: Page): Promise<void> {
  await using from = await desktop({ 'a.txt': 'x', 'Übel Nr 1.txt': 'x', 'leer.txt': '' })
  await press(UPLOAD)(page)
  const asked = page.waitForEvent('filechooser')
  await entry(page, 'Dateien wählen|Choose files')
  await (await asked).setFiles(['a.txt', 'Übel Nr 1.txt', 'leer.txt'].map(from.path))
  await page.getByRole('dialog').waitFor()
}

type Open = (page: Page) => Promise<unknown>
/** What `open` opens, unless a state says otherwise. */
const OPENED = '[role="dialog"], [role="menu"], [data-bar]'
const STATES: [name: string, address: string, open: Open | null, opened?: string][] = [
  ['overview', '/', null],
  [
    'checks of the service',
    '/',
    page => seen(page.getByRole('button', { name: /^(Zustand|Status)/ })).click(),
  ],
  ['account', '/', press('Konto|Account')],
  ['own account', '/konto', null],
  ['keys', '/dateien?ordner=items', page => page.keyboard.press('?')],
  ['files', '/dateien', null],
  ['a folder with a long path', `/dateien?ordner=${LONG.slice(0, LONG.lastIndexOf('/'))}`, null],
  ['pages of files', '/dateien?ordner=viele&anzahl=30', null],
  ['results', '/dateien?suche=datei&von=items', null],
  ['no result', '/dateien?suche=gibtesnicht', null],
  ['folder menu', '/dateien?ordner=items', press(FOLDER)],
  [
    'file menu',
    '/dateien?ordner=items',
    page => page.locator('[data-file]').first().click({ button: 'right' }),
  ],
  ['selection', '/dateien?ordner=viele&anzahl=30', key('a')],
  ['drawer', '/dateien?ordner=items&datei=items/bild.png', null],
  ['drawer of a film', '/dateien?ordner=clips&datei=clips/clip.mp4', null],
  ['viewer', '/dateien?ordner=items&gross=items/bild.png', null],
  ['viewer with information', '/dateien?ordner=items&gross=items/a.txt', page => page.keyboard.press('i')],
  ['rename', '/dateien?ordner=items', key('r')],
  ['move', '/dateien?ordner=items', key('m')],
  ['new folder', '/dateien?ordner=items', fromMenu(FOLDER, 'Neuer Ordner|New folder')],
  ['rename a folder', '/dateien?ordner=items', fromMenu(FOLDER, 'Umbenennen|Rename')],
  ['move a folder', '/dateien?ordner=items', fromMenu(FOLDER, 'Verschieben|Move')],
  ['share', '/dateien?ordner=items', fromMenu(FOLDER, 'Freigeben|Share')],
  [
    'replace in a dialog',
    '/dateien?ordner=items',
    fromMenu(FOLDER, 'Suchen und Ersetzen|Search and replace'),
  ],
  ['replace', '/dateien/ersetzen?ordner=items', null],
  ['missing files', '/dateien/fehlende', null],
  ['upload menu', '/dateien?ordner=items', press(UPLOAD)],
  ['from an address', '/dateien', fromMenu(UPLOAD, 'Von einer Adresse holen|Fetch from an address')],
  ['before uploading', '/dateien?ordner=items', planUpload],
  ['trash', '/papierkorb', null],
  ['empty the trash', '/papierkorb', press('Papierkorb leeren|Empty trash')],
  ['shares', '/freigaben', null],
  ['new share', '/freigaben', press('Ordner freigeben|Share a folder')],
  [
    'withdraw a share',
    '/freigaben',
    page => seen(page.getByRole('button', { name: /iderrufen|Revoke/ })).click(),
  ],
  ['retention', '/fristen', null],
  ['new rule', '/fristen', press('Frist hinzufügen|Add a rule'), 'main li input'],
  ['tokens', '/tokens', null],
  ['new token', '/tokens', press('Neues Token|New token')],
  ['samples', '/tokens', fromMenu(TOKEN, 'Beispiele und ShareX|Examples and ShareX')],
  ['withdraw a token', '/tokens', fromMenu(TOKEN, 'Widerrufen|Revoke')],
  ['statistics', '/statistik', null],
  ['statistics of a folder', '/statistik?ordner=items', null],
  ['history', '/verlauf', null],
  ['administration', '/verlauf?ansicht=verwaltung', null],
  ['maintenance', '/wartung', null],
  ['backup', '/wartung/sicherung', null],
  ['settings', '/einstellungen', null],
  ['new account', '/einstellungen', press('Konto anlegen|Add an account')],
  ['no such page', '/gibt-es-nicht', null],
]

const VIEWS = [
  ['on a phone', { viewport: PHONE, scheme: 'light', language: 'de' }],
  ['at 200 %', { viewport: { width: 640, height: 400 }, scheme: 'dark', language: 'en' }],
] as const

/** How far the page extends beyond the window, and what is outside of it and cannot be scrolled to. */
const BEYOND = `(() => {
  const out = [...document.querySelectorAll('button, a, input, select, h1, h2, p, label')].filter(each => {
    const { left, right, width, height } = each.getBoundingClientRect()
    if (width < 2 || height < 2 || (right <= innerWidth + 1 && left >= -1)) return false
    for (let at = each.parentElement; at; at = at.parentElement) {
      if (getComputedStyle(at).overflowX !== 'visible') return false
    }
    return true
  })
  return [document.documentElement.scrollWidth > innerWidth, ...out.map(each => each.outerHTML.slice(0, 100))]
})()`

/**
 * Names of controls that Tab should have reached and has not; arrow keys move within a group of radio
 * buttons.
 */
const UNREACHED = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
  .filter(each => each.tabIndex >= 0 && !each.disabled && each.type !== 'radio' && !each.closest('[inert]'))
  .filter(each => each.checkVisibility({ visibilityProperty: true }) && !window.reached.has(each))
  .map(each => each.outerHTML.slice(0, 120))`

async function walkByTab(page: Page): Promise<void> {
  await page.evaluate('window.reached = new Set(); document.activeElement?.blur?.(); scrollTo(0, 0)')
  const most =
    ((await page.evaluate(
      `document.querySelectorAll('a, button, input, select, summary, [tabindex]').length`,
    )) as number) + 5
  for (let at = 0; at < most; at++) {
    await page.keyboard.press('Tab')
    const isOver = await page.evaluate(
      `document.activeElement === document.body || !(window.reached.size < window.reached.add(document.activeElement).size)`,
    )
    if (isOver) break
  }
}

describe.each(VIEWS)('%s', (_name, view) => {
  test.each(STATES)('%s', async (_state, address, open, opened = OPENED) => {
    const page = await on.open(address, { ...view, expected: [/404/] })
    await page.getByRole('heading').first().waitFor()
    await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' })
    if (open) {
      await open(page)
      await seen(page.locator(opened)).waitFor()
    }
    expect(await page.evaluate(BEYOND)).toEqual([false])
    await axe(page)
    // Dialogs keep the focus inside; the viewer has a test of its own for that.
    if (open || /datei=|gross=/.test(address)) return
    await walkByTab(page)
    expect(await page.evaluate(UNREACHED)).toEqual([])
  })
})
