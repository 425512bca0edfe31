/** Screenshots of uploading, of missing files, and of search and replace. */
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

export const UPLOAD_SHOTS: readonly Shot[] = [
  {
    name: 'upload',
    address: '/dateien?ordner=texte',
    prepare: async page => {
      // Two never arrive, so that uploads are in progress.
      await page.route('**/api/dash/upload', async route => {
        if (route.request().postData()?.includes('lang')) return
        await route.continue()
      })
      await chooseFiles(page, [
        'Regeln-2026.txt',
        'liste.txt',
        'ein-sehr-langer-name-der-nicht-in-die-zeile-passt.txt',
        'lang.txt',
      ])
      await page.getByText(/2 von 4/).waitFor()
    },
  },
  {
    name: 'missing',
    address: '/dateien/fehlende',
    prepare: async page => {
      await page.getByLabel('Namen, die es geben soll').fill(LUA)
      await page.getByText(/^Fehlend \d/).waitFor()
    },
  },
  {
    name: 'replace',
    address: '/dateien/ersetzen?ordner=items',
    prepare: async page => {
      await page.getByLabel('Suchen', { exact: true }).fill('flask-')
      await page.getByLabel('Ersetzen durch').fill('trank-')
      await page.getByText(/Treffer$/).waitFor()
    },
  },
]
