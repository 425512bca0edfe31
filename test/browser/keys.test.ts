/** Keys act on what has the focus, and the browser's own keys still work. */

import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { read } from '../support/api.ts'
import { leftToLong } from '../support/left-out.ts'
import { eventually } from '../support/wait.ts'
import { dashboardTest } from './dashboard.ts'
import { fill, link } from './gallery-page.ts'

const on = dashboardTest()
beforeAll(() =>
  fill(on.service, on.token, [
    ...['a', 'b', 'c', 'd'].map(name => `tasten/${name}.txt`),
    'tasten/innen/x.txt',
    'tasten/weg/y.txt',
  ]),
)

const open = async () => {
  const page = await on.open('/dateien?ordner=tasten')
  await link(page, 'a.txt').waitFor()
  return page
}
const folder = (page: Page, name: string) => page.getByRole('treeitem', { name })
/** The file or folder whose card or line has the focus. */
const focused = (page: Page) =>
  page.evaluate(`{
    const { activeElement: at } = document
    at.dataset.folder ?? at.closest('[data-file]')?.querySelector('input').getAttribute('aria-label')
  }`)
const openInTree = async (page: Page) => {
  await folder(page, 'tasten').focus()
  await page.keyboard.press('ArrowRight')
}
const exists = async (path: string) => (await read(on.service, path)).status === 200

/** Presses the keys; returns whether the page prevented the browser's default. */
async function isTaken(page: Page, keys: string): Promise<boolean> {
  await page.evaluate(`addEventListener('keydown', event => {
    if (event.key !== 'Alt' && event.key !== 'Shift') window.taken = event.defaultPrevented
  }, { once: false })`)
  await page.keyboard.press(keys)
  return (await page.evaluate('window.taken')) as boolean
}

/** The changing requests that the page sends while `press` runs and shortly afterwards. */
async function changesOf(page: Page, press: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = []
  page.on('request', request => {
    if (request.method() !== 'GET') sent.push(new URL(request.url()).pathname)
  })
  await press()
  // Before a change the page requests the download counts of the files; one request of the same length has
  // completed by then.
  await page.evaluate("fetch('/health').then(() => new Promise(done => setTimeout(done, 300)))")
  return sent
}

test('arrows, a and Escape act on the files also while the focus is in the navigation', async () => {
  const page = await open()
  const navigation = page.getByRole('navigation').getByRole('link', { name: 'Dateien', exact: true })
  await navigation.focus()
  await page.keyboard.press('a')
  await page.getByText('4 ausgewählt').waitFor()
  await navigation.focus()
  await page.keyboard.press('Escape')
  await page.getByText('4 ausgewählt').waitFor({ state: 'detached' })
  await navigation.focus()
  await page.keyboard.press('ArrowRight')
  expect(await focused(page)).toBe('a.txt auswählen')
})

describe('Alt+← is the browser’s', () => {
  leftToLong('on a card, in the details, in the viewer and at the width of the tree', async () => {
    const page = await open()
    await link(page, 'b.txt').focus()
    expect(await isTaken(page, 'ArrowRight')).toBe(true)
    await link(page, 'b.txt').focus()
    expect(await isTaken(page, 'Alt+ArrowLeft')).toBe(false)
    expect(await focused(page)).toBe('b.txt auswählen')

    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'b.txt' }).waitFor()
    expect(await isTaken(page, 'Alt+ArrowLeft')).toBe(false)
    expect(new URL(page.url()).searchParams.get('datei')).toBe('tasten/b.txt')
    await page.keyboard.press('Escape')

    await page.keyboard.press(' ')
    await page.getByText('2 von 4').waitFor()
    expect(await isTaken(page, 'Alt+ArrowLeft')).toBe(false)
    await page.getByText('2 von 4').waitFor()
    await page.keyboard.press('Escape')

    const width = page.getByRole('separator')
    await width.focus()
    const before = await width.getAttribute('aria-valuenow')
    expect(await isTaken(page, 'Alt+ArrowLeft')).toBe(false)
    expect(await width.getAttribute('aria-valuenow')).toBe(before)
  })

  leftToLong('and so are Shift+Delete and Ctrl+Shift+Z', async () => {
    const page = await open()
    await link(page, 'b.txt').focus()
    expect(await isTaken(page, 'Shift+Delete')).toBe(false)
    expect(await isTaken(page, 'Control+Shift+z')).toBe(false)
    expect(await exists('tasten/b.txt')).toBe(true)
  })
})

describe('in the tree', () => {
  leftToLong(
    'r, m and Delete are about the folder that has the focus, not about the file that had it',
    async () => {
      const page = await open()
      await link(page, 'a.txt').focus()
      await openInTree(page)
      await folder(page, 'weg').focus()
      await page.keyboard.press('r')
      const rename = page.getByRole('dialog')
      expect(await rename.getByRole('textbox').inputValue()).toBe('weg')
      await page.keyboard.press('Escape')
      await rename.waitFor({ state: 'detached' })
      await folder(page, 'weg').focus()
      await page.keyboard.press('m')
      await page.getByRole('dialog', { name: /weg/ }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await folder(page, 'weg').focus()
      await page.keyboard.press('Delete')
      await eventually('the folder is gone', async () => !(await exists('tasten/weg/y.txt')))
      expect(await exists('tasten/a.txt')).toBe(true)
      await page.getByRole('button', { name: 'Rückgängig' }).click()
      await eventually('the folder is back', () => exists('tasten/weg/y.txt'))
    },
  )

  leftToLong('at its top nothing happens, even with a selection; arrows stay in the tree', async () => {
    const page = await open()
    await page.keyboard.press('a')
    const top = page.getByRole('treeitem').first()
    await top.focus()
    const sent = await changesOf(page, async () => {
      for (const keys of ['Delete', 'r', 'm', 'x', 'c']) await page.keyboard.press(keys)
    })
    expect([sent, await page.getByRole('dialog').count()]).toEqual([[], 0])
    await openInTree(page)
    await folder(page, 'innen').focus()
    await page.keyboard.press('ArrowRight')
    expect(await focused(page)).toBe('tasten/innen')
  })
})

describe('outside of the list', () => {
  leftToLong('with nothing in focus and nothing chosen no file is changed; chosen files are', async () => {
    const page = await open()
    await link(page, 'a.txt').focus()
    await page.evaluate('document.activeElement.blur()')
    const sent = await changesOf(page, async () => {
      for (const keys of ['Delete', 'r', 'm', 'Enter']) await page.keyboard.press(keys)
    })
    expect([sent, await page.getByRole('dialog').count()]).toEqual([[], 0])
    await page.keyboard.press('a')
    await page.keyboard.press('m')
    await page.getByRole('dialog').waitFor()
  })

  leftToLong('from the rail files can be reached and chosen, but not deleted', async () => {
    const page = await open()
    await page.getByRole('link', { name: 'Papierkorb' }).first().focus()
    await page.keyboard.press('a')
    await page
      .getByText(/4 ausgewählt|4 Dateien/)
      .first()
      .waitFor()
    expect(await changesOf(page, () => page.keyboard.press('Delete'))).toEqual([])
    expect(await exists('tasten/a.txt')).toBe(true)
    await page.keyboard.press('ArrowRight')
    expect(await focused(page)).toMatch(/auswählen$/)
  })

  leftToLong('a folder among the files has the same keys', async () => {
    const page = await open()
    const card = page.getByRole('list', { name: 'Ordner' }).getByRole('link', { name: /^innen/ })
    await card.focus()
    await page.keyboard.press('r')
    expect(await page.getByRole('dialog').getByRole('textbox').inputValue()).toBe('innen')
  })
})

test('Delete that is held down deletes one file', async () => {
  const page = await open()
  await link(page, 'c.txt').focus()
  await page.keyboard.down('Delete')
  await eventually('it is gone', async () => !(await exists('tasten/c.txt')))
  await eventually('the next one has the focus', async () => (await focused(page)) === 'd.txt auswählen')
  expect(await changesOf(page, () => page.keyboard.down('Delete'))).toEqual([])
  await page.keyboard.up('Delete')
  expect(await exists('tasten/d.txt')).toBe(true)
})
