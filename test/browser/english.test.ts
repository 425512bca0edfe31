/**
 * With English selected, everything in the dashboard is English, even the messages of the service, which are
 * translated by their codes.
 */
import { expect, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { store } from '../support/api.ts'
import { backUp, saveSettings } from '../support/backup.ts'
import { dashboardTest } from './dashboard.ts'

const on = dashboardTest()
const GERMAN =
  /[äöüß„]|\b(?:der|die|das|und|nicht|ist|sind|eine?|kein|noch|liegt|Datei(?:en)?|Ordner|Sicherung)\b/

test('checks, warnings and a failed backup are said in English; in German as the service says them', async () => {
  await writeFile(join(on.service.dataDir, 'keinordner'), '')
  await saveSettings(on.service, on.session, { SICHERUNG_ZIEL: join(on.service.dataDir, 'keinordner') })
  await backUp(on.service, on.session)

  const page = await on.open('/', { language: 'en' })
  await page.getByText('The service cannot write to the backup target.').waitFor()
  await page.getByText('The last backup failed.').first().waitFor()
  const text = (await page.locator('main').innerText()).replaceAll(/\S*keinordner\S*/g, '')
  expect(text.split('\n').filter(line => GERMAN.test(line))).toEqual([])

  await page.goto(`${on.service.url}/wartung`)
  await page.getByText('The service cannot write to the backup target.').waitFor()

  const german = await on.open('/')
  await german.getByText('Die letzte Sicherung ist fehlgeschlagen.').first().waitFor()
  await german.getByText('dort liegt eine Datei statt eines Ordners').first().waitFor()
})

test('refusals: a wrong password, a taken name, a bad setting', async () => {
  const expected = [/status of 40[0139]/]
  const login = await on.open('/anmelden', { language: 'en', signedOut: true, expected })
  await login.getByLabel('User name').fill('admin')
  await login.getByRole('textbox', { name: 'Password' }).fill('not the password')
  await login.getByRole('button', { name: 'Sign in' }).click()
  await login.getByText('The user name or the password is wrong.').waitFor()

  await store(on.service, on.token, 'worte/a.txt', 'a')
  await store(on.service, on.token, 'worte/b.txt', 'b')
  const page = await on.open('/dateien?ordner=worte&datei=worte%2Fa.txt', { language: 'en', expected })
  await page.getByRole('button', { name: 'Rename' }).first().click()
  const name = page.getByRole('textbox', { name: /name/i }).last()
  await name.fill('b.txt')
  await name.press('Enter')
  await page.getByText('There is already a file at that path; it was not overwritten.').waitFor()

  await page.goto(`${on.service.url}/einstellungen`)
  await page.locator('#setting-SICHERUNG_UHRZEIT').fill('25:00')
  await page.locator('#setting-SICHERUNG_UHRZEIT').blur()
  await page.getByText('Must be a time such as 03:30.').waitFor()
})
