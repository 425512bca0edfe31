/** Steps that the gallery tests have in common, by role and German label. */
import type { Locator, Page } from 'playwright-core'
import { store } from '../support/api.ts'
import type { Service } from '../support/service.ts'

/** Small text files, each with its own path as content. */
export async function fill(service: Service, token: string, paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map(path => store(service, token, path, path)))
}

/** Opens a tool of the list, by the beginning of its name, runs `use` in it and closes it. */
export async function inTool(
  page: Page,
  name: string,
  use: (panel: Locator) => Promise<unknown>,
): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click()
  const panel = page.getByRole('dialog', { name })
  await use(panel)
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
}

/** Shows the files in another way: „Reihen“, „Kacheln“ or „Liste“. */
export const showAs = (page: Page, view: string) =>
  inTool(page, 'Ansicht', panel => panel.getByRole('radio', { name: view }).check())

export const files = (page: Page) => page.getByRole('list', { name: 'Dateien' })

/** The card of a file; its name contains the size too. */
export const card = (page: Page, name: string) =>
  files(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('checkbox', { name: `${name} auswählen`, exact: true }) })

/** The link in the card, which receives focus and clicks. */
export const link = (page: Page, name: string) => card(page, name).getByRole('link').first()

/** The names of all cards, in order. */
export async function names(page: Page): Promise<string[]> {
  const labels = (await page.evaluate(
    `[...document.querySelectorAll('[data-file] input')].map(box => box.getAttribute('aria-label'))`,
  )) as string[]
  return labels.map(label => label.replace(/ auswählen$/, ''))
}

export async function chosenNames(page: Page): Promise<string[]> {
  const labels = (await page.evaluate(
    `[...document.querySelectorAll('[data-file] input:checked')].map(box => box.getAttribute('aria-label'))`,
  )) as string[]
  return labels.map(label => label.replace(/ auswählen$/, ''))
}

export const drawer = (page: Page) => page.getByRole('complementary').or(page.locator('aside[role="dialog"]'))

export const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] }

export const addressOf = (page: Page) => new URL(page.url())
