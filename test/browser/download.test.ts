/**
 * Downloads in a real browser: one file, a selection, a folder; the archives are read back with a real unzip.
 */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Download, Page } from 'playwright-core'
import { openFolder } from '../support/folder.ts'
import { needsTool, toolOrFail } from '../support/tools.ts'
import { dashboardTest, textOf } from './dashboard.ts'
import { fill, link } from './gallery-page.ts'

needsTool('unzip')
const on = dashboardTest()

async function namesIn(download: Download): Promise<string[]> {
  await using room = await openFolder()
  const file = join(room.path, 'a.zip')
  await download.saveAs(file)
  const listed = Bun.spawnSync([toolOrFail('unzip'), '-Z1', file])
  expect(Bun.spawnSync([toolOrFail('unzip'), '-tq', file]).exitCode).toBe(0)
  return listed.stdout.toString().trim().split('\n')
}

const choose = async (page: Page, entry: string) => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: entry, exact: true }).click(),
  ])
  return download
}

test('one file as it is, a selection and a folder as ZIP, from the menus', async () => {
  await fill(on.service, on.token, ['laden/a.txt', 'laden/b.txt', 'laden/tief/c.txt'])
  const page = await on.open('/dateien?ordner=laden')
  await link(page, 'a.txt').click({ button: 'right' })
  const one = await choose(page, 'Herunterladen')
  expect([one.suggestedFilename(), await textOf(one)]).toEqual(['a.txt', 'laden/a.txt'])

  await link(page, 'a.txt').focus()
  await page.keyboard.press('a')
  await page.getByText('2 ausgewählt').waitFor()
  await link(page, 'a.txt').click({ button: 'right' })
  const some = await choose(page, 'Als ZIP herunterladen')
  expect(some.suggestedFilename()).toMatch(/^auswahl-.*\.zip$/)
  expect(await namesIn(some)).toEqual(['a.txt', 'b.txt'])

  await page.getByRole('treeitem', { name: 'laden' }).click({ button: 'right' })
  const folder = await choose(page, 'Als ZIP herunterladen')
  expect(folder.suggestedFilename()).toMatch(/^laden-.*\.zip$/)
  expect(await namesIn(folder)).toEqual(['laden/a.txt', 'laden/b.txt', 'laden/tief/c.txt'])
})
