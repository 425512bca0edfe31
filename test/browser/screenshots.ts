/** `npm run screenshots`: writes the pictures of the documentation to docs/screenshots. */
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { ADMIN_ENV, signIn } from '../support/dashboard.ts'
import { type Service, startService } from '../support/service.ts'
import { eventually } from '../support/wait.ts'
import { launchChromium } from './chromium.ts'
import { buildWhenNeeded, DESKTOP, openPage, PHONE } from './dashboard.ts'
import { seedLibrary } from './seed-library.ts'
import { UPLOAD_SHOTS } from './upload-shots.ts'

const FOLDER = resolve(import.meta.dir, '../../docs/screenshots')

export interface Shot {
  name: string
  address: string
  /** Brings the page into the state to be shown; if absent, the page is shown as it opens. */
  prepare?(page: Page): Promise<unknown>
  /** If absent, only the light desktop view. */
  views?: readonly (typeof VIEWS)[number]['suffix'][]
  language?: 'en'
}

const VIEWS = [
  { suffix: 'light', viewport: DESKTOP, scheme: 'light' },
  { suffix: 'dark', viewport: DESKTOP, scheme: 'dark' },
  { suffix: 'phone-light', viewport: PHONE, scheme: 'light' },
  { suffix: 'phone-dark', viewport: PHONE, scheme: 'dark' },
] as const

/** The views worth showing; at most twenty pictures in all, because they are in the repository. */
export const SHOTS: readonly Shot[] = [
  { name: 'gallery', address: '/dateien?ordner=karten', language: 'en' },
  { name: 'gallery', address: '/dateien?ordner=karten', views: ['dark', 'phone-light', 'phone-dark'] },
  { name: 'file', address: '/dateien?ordner=items&datei=items/gem.png' },
  { name: 'viewer', address: '/dateien?ordner=karten&gross=karten/bergpass.jpg', views: ['dark'] },
  { name: 'selection', address: '/dateien?ordner=items', prepare: page => page.keyboard.press('a') },
  { name: 'overview', address: '/' },
  { name: 'statistics', address: '/statistik', views: ['light', 'dark', 'phone-light'] },
  { name: 'tokens', address: '/tokens' },
  { name: 'token-samples', address: '/tokens', prepare: showSamples, views: ['dark'] },
  { name: 'history', address: '/verlauf' },
  { name: 'backup', address: '/wartung/sicherung' },
  { name: 'settings', address: '/einstellungen' },
  {
    name: 'share',
    address: '/freigaben',
    async prepare(page) {
      const link = page.getByRole('link', { name: 'Ansehen' }).first()
      await page.goto((await link.getAttribute('href')) ?? '')
    },
  },
  // At the end, because they store files.
  ...UPLOAD_SHOTS,
]

async function showSamples(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Mehr zu „Discord-Bot“' }).click()
  await page.getByRole('menuitem', { name: 'Beispiele und ShareX' }).click()
  await page.getByRole('tab', { name: 'Lua' }).click()
}

async function take(browser: Browser, service: Service, session: string): Promise<void> {
  await mkdir(FOLDER, { recursive: true })
  const only = process.argv[2]
  for (const { name, address, prepare, views = ['light'], language = 'de' } of SHOTS) {
    if (only !== undefined && name !== only) continue
    for (const { suffix, viewport, scheme } of VIEWS.filter(view => views.includes(view.suffix))) {
      const page = await openPage(browser, service, session, { viewport, scheme, language })
      await page.goto(`${service.url}${address}`)
      await page.locator('h1, [role="dialog"]').first().waitFor()
      await untilSettled(page)
      await prepare?.(page)
      await untilSettled(page)
      const picture = await page.screenshot({ animations: 'disabled' })
      // With 256 colours a page looks the same and takes a third of the space.
      await sharp(picture)
        .png({ palette: true, effort: 10 })
        .toFile(join(FOLDER, `${name}-${suffix}.png`))
      await page.context().close()
    }
  }
}

/** The page has loaded: no skeleton is shown, and every visible picture has arrived. */
const SETTLED = `!document.querySelector('.mantine-Skeleton-root') && [...document.images].every(image => {
  const { top, bottom, width } = image.getBoundingClientRect()
  return image.complete || width === 0 || top > innerHeight || bottom < 0
})`

/**
 * A picture that has arrived may still be decoding when the page is painted; on a busy machine it would be
 * missing.
 */
const DRAWN = `Promise.all([...document.images].filter(image => image.complete && image.width > 0).map(image => {
  image.decoding = 'sync'
  return image.decode().catch(() => {})
})).then(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))))`

async function untilSettled(page: Page): Promise<void> {
  // Not by waitForFunction, which the content policy refuses.
  await eventually('the page has settled', () => page.evaluate(SETTLED))
  await page.evaluate(DRAWN)
}

async function main(): Promise<void> {
  buildWhenNeeded()
  const browser = await launchChromium()
  try {
    await using service = await startService({ env: ADMIN_ENV })
    const session = await signIn(service)
    await seedLibrary(service, session)
    await take(browser, service, session)
  } finally {
    await browser.close()
  }
}

if (import.meta.main) {
  await main()
  // The process that held the service would keep this one alive.
  process.exit()
}
