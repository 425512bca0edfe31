/**
 * Inviting somebody: from the button to an account that is signed in on a phone, and the end of its sessions.
 */
import { expect, test } from 'bun:test'
import { store } from '../support/api.ts'
import { ADMIN, isSignedIn } from '../support/dashboard.ts'
import { axe, dashboardTest, PHONE } from './dashboard.ts'

const on = dashboardTest()

test('an invitation is made for a folder, accepted on a phone, and the sessions of the account are ended', async () => {
  await store(on.service, on.token, 'events/sommer/a.txt', 'a')
  await store(on.service, on.token, 'logos/b.txt', 'b')
  const page = await on.open('/einstellungen')
  const accounts = page.getByRole('region', { name: 'Konten', exact: true })
  await accounts.getByRole('button', { name: 'Einladen' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Ansicht' }).check()
  await dialog.getByRole('switch', { name: 'Nur bestimmte Ordner' }).check({ force: true })
  await dialog.getByRole('button', { name: 'Link erstellen und kopieren' }).click()
  await dialog.getByText('Bitte mindestens einen Ordner wählen.').waitFor()
  await dialog.getByRole('treeitem', { name: /events/ }).click()
  await axe(page)
  await dialog.getByRole('button', { name: 'Link erstellen und kopieren' }).click()
  await dialog.getByRole('button', { name: /Link kopieren|Kopiert/ }).waitFor()
  const link = await dialog.getByText('/einladung#code=').first().textContent()
  await dialog.getByRole('button', { name: 'Schließen' }).last().click()
  const open = accounts.getByRole('list', { name: 'Offene Einladungen' })
  await open.getByText('Ansicht · nur events').waitFor()

  const phone = await on.open(link!.slice(link!.indexOf('/einladung')), {
    ...{ signedOut: true, viewport: PHONE, language: 'en', context: { isMobile: true, hasTouch: true } },
    expected: [/status of 40[39]/],
  })
  await phone.getByRole('heading', { name: 'Invitation' }).waitFor()
  await axe(phone)
  await phone.getByLabel('User name').fill(ADMIN.benutzer)
  await phone.getByRole('textbox', { name: 'Password' }).fill('lang genug, ganz sicher')
  await phone.getByRole('button', { name: 'Create the account' }).click()
  await phone.getByText('An account of this name already exists.').waitFor()
  await phone.getByLabel('User name').fill('Nora')
  await phone.getByRole('button', { name: 'Create the account' }).click()
  await phone.waitForURL(address => address.pathname !== '/einladung')
  await phone.getByRole('button', { name: 'Account', exact: true }).waitFor()
  const cookies = await phone.context().cookies()
  const session = cookies.find(({ name }) => name === 'fundus_sitzung')!.value
  await phone.close()

  const row = accounts.getByRole('list', { name: 'Konten' }).getByRole('listitem').filter({ hasText: 'Nora' })
  await row.getByText('Ansicht · nur events').waitFor()
  await open.waitFor({ state: 'detached' })
  await row.getByRole('button', { name: 'Mehr zu Nora' }).click()
  await page.getByRole('menuitem', { name: 'Anmeldungen beenden' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Anmeldungen beenden' }).click()
  await page.getByText('Die Anmeldungen von Nora sind beendet.').waitFor()
  expect(await isSignedIn(on.service, session)).toBe(false)
})

test('an invitation that is used up says so, in both languages', async () => {
  for (const [language, sentence] of [
    ['de', 'Diese Einladung gilt nicht'],
    ['en', 'This invitation is not valid'],
  ] as const) {
    const page = await on.open(`/einladung#code=${'0'.repeat(32)}`, {
      ...{ signedOut: true, viewport: PHONE, language, expected: [/status of 403/] },
    })
    await page.getByRole('textbox').first().fill('Nora')
    await page.getByRole('textbox').nth(1).fill('lang genug, ganz sicher')
    await page.getByRole('button', { name: /Konto anlegen|Create the account/ }).click()
    await page.getByRole('alert').getByText(sentence).waitFor()
  }
})
