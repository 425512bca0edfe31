/** One's own account: sessions by device, ended one by one or together, and the password. */
import { expect, test } from 'bun:test'
import { ADMIN, dash, isSignedIn, signIn } from '../support/dashboard.ts'
import { leftToLong } from '../support/left-out.ts'
import { axe, dashboardTest, PHONE } from './dashboard.ts'

const on = dashboardTest()
const FIREFOX = {
  'User-Agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
}

leftToLong('sessions are named by device; one is ended, then all others', async () => {
  const [desk, script] = [
    await signIn(on.service, ADMIN, FIREFOX),
    await signIn(on.service, ADMIN, { 'User-Agent': 'curl/8.5.0' }),
  ]
  const page = await on.open('/', { viewport: PHONE })
  await page.getByRole('button', { name: 'Konto', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Eigenes Konto' }).click()
  const sessions = page.getByRole('region', { name: 'Anmeldungen' })
  const row = (text: string) => sessions.getByRole('listitem').filter({ hasText: text })
  await row('Firefox auf Windows').waitFor()
  await row('curl').waitFor()
  const own = row('diese Anmeldung')
  expect(await own.getByRole('button').count()).toBe(0)
  await axe(page)

  await sessions.getByRole('button', { name: 'Anmeldung beenden: Firefox auf Windows' }).click()
  await row('Firefox auf Windows').waitFor({ state: 'detached' })
  expect(await isSignedIn(on.service, desk)).toBe(false)
  expect(await isSignedIn(on.service, script)).toBe(true)

  await sessions.getByRole('button', { name: 'Alle anderen beenden' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Alle anderen beenden' }).click()
  await row('curl').waitFor({ state: 'detached' })
  expect(await isSignedIn(on.service, script)).toBe(false)
  expect(await isSignedIn(on.service, on.session)).toBe(true)
})

test('the password: a wrong old one is refused in place, the right one changes it and empties the form', async () => {
  const account = { benutzer: 'Nora', passwort: 'lang genug, ganz sicher' }
  await dash(on.service, 'benutzer', { json: account, session: on.session })
  const page = await on.open('/anmelden', { signedOut: true, language: 'en', expected: [/status of 403/] })
  const session = await signIn(on.service, account)
  await page.context().addCookies([{ name: 'fundus_sitzung', value: session, url: on.service.url }])
  await page.goto(`${on.service.url}/konto`)
  const section = page.getByRole('region', { name: 'Password' })
  const fill = async (old: string, now: string) => {
    await section.getByLabel('Current password').fill(old)
    await section.getByLabel('New password').fill(now)
    await section.getByRole('button', { name: 'Change password' }).click()
  }
  await fill('not the old one', 'another long password')
  await section.getByRole('alert').getByText('The current password is wrong.').waitFor()
  await fill(account.passwort, 'another long password')
  await page.getByText('The password has been changed.').waitFor()
  expect(await section.getByLabel('Current password').inputValue()).toBe('')
  expect(await isSignedIn(on.service, session)).toBe(true)
  await signIn(on.service, { ...account, passwort: 'another long password' })
})
