/** `npm run screenshots`: every page, light and dark, desktop and phone, into docs/screenshots. */
import { join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { ADMIN_ENV, setupCode, signIn } from '../support/dashboard.ts'
import { type Service, startService } from '../support/service.ts'
import { eventually } from '../support/wait.ts'
import { launchChromium } from './chromium.ts'
import { buildWhenNeeded, DESKTOP, openPage, PHONE, screenshot } from './dashboard.ts'
import { seedLibrary } from './seed-library.ts'
import { UPLOAD_SHOTS } from './upload-shots.ts'

const FOLDER = resolve(import.meta.dir, '../../docs/screenshots')

export interface Shot {
  name: string
  address: string
  /** Brings the page into the state to be shown; without it, as it opens. */
  prepare?(page: Page): Promise<unknown>
  signedOut?: boolean
}

/** One line per picture; a page with a dialog worth showing adds another. */
export const SHOTS: readonly Shot[] = [
  { name: 'anmelden', address: '/anmelden', signedOut: true },
  { name: 'uebersicht', address: '/' },
  { name: 'dateien', address: '/dateien?ordner=clips' },
  { name: 'dateien-oben', address: '/dateien' },
  { name: 'dateien-datei', address: '/dateien?ordner=items&datei=items/gem.png' },
  {
    name: 'dateien-auswahl',
    address: '/dateien?ordner=items',
    prepare: page => page.keyboard.press('a'),
  },
  {
    name: 'dateien-verschieben',
    address: '/dateien?ordner=items',
    async prepare(page) {
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('m')
    },
  },
  { name: 'suche', address: '/dateien?suche=item' },
  { name: 'suche-leer', address: '/dateien?suche=nirgends' },
  ...UPLOAD_SHOTS,
  { name: 'papierkorb', address: '/papierkorb' },
  {
    name: 'papierkorb-auswahl',
    address: '/papierkorb',
    prepare: page => page.getByLabel('Seite auswählen').check(),
  },
  { name: 'freigaben', address: '/freigaben' },
  {
    name: 'freigabe-neu',
    address: '/freigaben?neu=clips',
    prepare: page => page.getByRole('button', { name: 'Link erstellen' }).waitFor(),
  },
  {
    name: 'freigabe-seite',
    address: '/freigaben',
    async prepare(page) {
      const link = page.getByRole('link', { name: 'Ansehen' }).first()
      await page.goto((await link.getAttribute('href')) ?? '')
    },
  },
  { name: 'tokens', address: '/tokens' },
  {
    name: 'token-neu',
    address: '/tokens',
    prepare: page => page.getByRole('button', { name: 'Neues Token' }).click(),
  },
  { name: 'token-beispiele', address: '/tokens', prepare: showSamples },
  { name: 'verlauf', address: '/verlauf' },
  { name: 'verwaltung', address: '/verlauf?ansicht=verwaltung' },
  { name: 'wartung', address: '/wartung' },
  { name: 'sicherung', address: '/wartung/sicherung' },
  { name: 'einstellungen', address: '/einstellungen' },
  {
    name: 'einstellungen-geaendert',
    address: '/einstellungen',
    prepare: page => page.getByRole('textbox', { name: 'Größte Datei', exact: true }).fill('viel'),
  },
  {
    name: 'konto',
    address: '/',
    prepare: page => page.getByRole('button', { name: 'Konto' }).click(),
  },
]

async function showSamples(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Mehr zu „Discord-Bot“' }).click()
  await page.getByRole('menuitem', { name: 'Beispiele und ShareX' }).click()
  await page.getByRole('tab', { name: 'Lua' }).click()
}

const VIEWS = [
  { suffix: 'hell', viewport: DESKTOP, scheme: 'light' },
  { suffix: 'dunkel', viewport: DESKTOP, scheme: 'dark' },
  { suffix: 'telefon-hell', viewport: PHONE, scheme: 'light' },
  { suffix: 'telefon-dunkel', viewport: PHONE, scheme: 'dark' },
] as const

async function take(browser: Browser, service: Service, session: string, folder: string): Promise<void> {
  const only = process.argv[2]
  const shots = SHOTS.filter(({ name }) => only === undefined || name === only)
  for (const { suffix, viewport, scheme } of VIEWS) {
    const inside = await openPage(browser, service, session, { viewport, scheme })
    const outside = await openPage(browser, service, session, { viewport, scheme, signedOut: true })
    for (const { name, address, prepare, signedOut = false } of shots) {
      const page = signedOut ? outside : inside
      await page.goto(`${service.url}${address}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await settled(page)
      if (prepare) {
        await prepare(page)
        await settled(page)
      }
      await screenshot(page, join(folder, `${name}-${suffix}.png`))
    }
    await inside.context().close()
    await outside.context().close()
  }
}

/** Nothing is on its way: no skeleton, and every picture that can be seen is there. */
const SETTLED = `!document.querySelector('.mantine-Skeleton-root') && [...document.images].every(
  image => image.complete || image.getBoundingClientRect().top > innerHeight)`

async function settled(page: Page): Promise<void> {
  // Not by waitForFunction, which the content policy refuses.
  await eventually('the page has settled', () => page.evaluate(SETTLED))
}

async function main(): Promise<void> {
  buildWhenNeeded()
  const browser = await launchChromium()
  try {
    await using empty = await startService()
    const page = await openPage(browser, empty, '', {})
    await page.goto(`${empty.url}/einrichtung`)
    await page.getByLabel('Einrichtungscode').fill(setupCode(empty) ?? '')
    await screenshot(page, join(FOLDER, 'einrichtung-hell.png'))

    await using service = await startService({ env: ADMIN_ENV })
    const session = await signIn(service)
    await seedLibrary(service, session)
    await take(browser, service, session, FOLDER)
  } finally {
    await browser.close()
  }
}

if (import.meta.main) await main()
