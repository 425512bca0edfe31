/** Pictures of uploading, of missing files, and of search and replace. */
import type { Page } from 'playwright-core'
import { chooseBy, desktop } from './drops.ts'
import type { Shot } from './screenshots.ts'

const NAMES = [
  'apple',
  'bandage',
  'WEAPON_CROSSBOW',
  'bread',
  'water_bottle',
  'gem',
  'lockpick_advanced',
  'map',
]
const LUA = `return {\n${NAMES.map(name => `  ['${name}'] = { label = '${name}', weight = 100 },`).join('\n')}\n}`

async function chooseFiles(page: Page, names: readonly string[]): Promise<void> {
  await using from = await desktop(Object.fromEntries(names.map(name => [name, `${name}\n`.repeat(5000)])))
  await page.getByRole('button', { name: 'Hochladen', exact: true }).click()
  const item = page.getByRole('menuitem', { name: 'Dateien wählen' })
  await chooseBy(
    page,
    item,
    names.map(name => from.path(name)),
  )
  // The browser reads them only now.
  await page
    .getByText(/Vor dem Hochladen|hochgeladen/)
    .first()
    .waitFor()
}

/** Names that nobody has taken: each view adds its own. */
const fresh = (page: Page) => String(page.viewportSize()!.width) + Date.now().toString(36)

export const UPLOAD_SHOTS: readonly Shot[] = [
  {
    name: 'hochladen',
    address: '/dateien?ordner=texte',
    prepare: async page => {
      const mark = fresh(page)
      // Two never arrive, so that something is on its way.
      await page.route('**/api/dash/upload', async route => {
        if (route.request().postData()?.includes('lang')) return
        await route.continue()
      })
      await chooseFiles(page, [
        `Regeln-${mark}.txt`,
        `liste-${mark}.txt`,
        `ein-sehr-langer-name-der-nicht-in-die-zeile-passt-${mark}.txt`,
        `lang-${mark}.txt`,
      ])
      await page.getByText(/2 von 4/).waitFor()
    },
  },
  {
    name: 'hochladen-frage',
    address: '/dateien?ordner=texte',
    prepare: page => chooseFiles(page, ['regeln.txt', 'Grüße an alle (2).txt', 'neu.txt']),
  },
  {
    name: 'fehlende',
    address: '/dateien/fehlende',
    prepare: async page => {
      await page.getByLabel('Namen, die es geben soll').fill(LUA)
      await page.getByText(/^Fehlend \d/).waitFor()
    },
  },
  {
    name: 'ersetzen',
    address: '/dateien/ersetzen?ordner=items',
    prepare: async page => {
      await page.getByLabel('Suchen', { exact: true }).fill('flask-')
      await page.getByLabel('Ersetzen durch').fill('trank-')
      await page.getByText(/Treffer$/).waitFor()
    },
  },
]
