/** Set-up with the code from the log, signing in, the lock, and returning to the previous page. */

import { describe, expect, test } from 'bun:test'
import { ADMIN, isSignedIn, setupCode } from '../support/dashboard.ts'
import { leftToLong } from '../support/left-out.ts'
import { axe, dashboardTest, PHONE } from './dashboard.ts'
import { signInByHand } from './sign-in.ts'

/** The console line that the browser writes for an answer with this status. */
const status = (code: number) => new RegExp(`status of ${code}`)

describe('a service without an account', () => {
  const on = dashboardTest({ env: {} })

  test('leads to the set-up, says what is wrong beside it, and keeps what was typed', async () => {
    const page = await on.open('/dateien?ordner=a', { expected: [status(401), status(403), status(400)] })
    await page.waitForURL('**/einrichtung')
    await axe(page, { always: true })
    await page.getByLabel('Einrichtungscode').fill('AAAA-BBBB-CCCC')
    await page.getByLabel('Passwort', { exact: true }).fill('kurz')
    await page.getByRole('button', { name: 'Konto anlegen' }).click()
    await page.locator('[id$="-error"]', { hasText: 'Mindestens 10 Zeichen.' }).waitFor()

    await page.getByLabel('Passwort', { exact: true }).fill('lang genug, ganz sicher')
    await page.getByRole('button', { name: 'Konto anlegen' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByLabel('Benutzername').inputValue()).toBe('admin')

    // The link of the terminal, pasted into the same tab: the page is not reloaded, but its code is used.
    await page.goto(`${page.url()}#code=${setupCode(on.service)}`)
    await page.getByRole('alert').waitFor({ state: 'detached' })
    expect(await page.getByLabel('Einrichtungscode').inputValue()).toBe(setupCode(on.service)!)
  })

  test('the link that the terminal shows carries the code: only a password is missing; then the set-up is closed', async () => {
    const page = await on.open(`/einrichtung#code=${setupCode(on.service)}`, {
      signedOut: true,
      // A request of the overview may be on its way when its cookie is taken away.
      expected: [status(401)],
    })
    await page.getByLabel('Passwort', { exact: true }).fill('lang genug, ganz sicher')
    await page.getByRole('button', { name: 'Konto anlegen' }).click()
    await page.getByRole('heading', { name: 'Übersicht' }).waitFor()
    const cookies = await page.context().cookies()
    expect(await isSignedIn(on.service, cookies.find(({ name }) => name === 'fundus_sitzung')!.value)).toBe(
      true,
    )
    await page.context().clearCookies()
    await page.goto(`${on.service.url}/einrichtung`)
    await page.waitForURL('**/anmelden')
  })
})

describe('signing in', () => {
  const on = dashboardTest()

  test('leads back to where one was', async () => {
    const page = await on.open('/papierkorb?seite=1', { signedOut: true, expected: [status(401)] })
    await page.waitForURL('**/anmelden?**')
    await axe(page)
    await signInByHand(page, ADMIN)
    await page.waitForURL('**/papierkorb?seite=1')
    await page.getByRole('heading', { name: 'Papierkorb', level: 1 }).waitFor()
  })

  leftToLong('never to another host', async () => {
    const page = await on.open('/anmelden?zurueck=//example.org/', { signedOut: true })
    await signInByHand(page, ADMIN)
    await page.getByRole('heading', { name: 'Übersicht' }).waitFor()
    expect(new URL(page.url()).origin).toBe(on.service.url)
  })

  leftToLong('a wrong password: the sentence of the service; then the lock, counting down', async () => {
    const page = await on.open('/anmelden', { signedOut: true, expected: [status(401), status(429)] })
    const alert = page.getByRole('alert')
    for (let failures = 0; failures < 5; failures++) {
      const answered = page.waitForResponse('**/login')
      await signInByHand(page, { benutzer: 'niemand', passwort: 'falsch geraten' })
      expect((await answered).status()).toBe(401)
    }
    expect(await alert.textContent()).toMatch(/^[A-ZÄÖÜ].*\.$/)
    await signInByHand(page, { benutzer: 'niemand', passwort: 'falsch geraten' })
    const seconds = async () => Number(/in (\d+) Sekunden/.exec((await alert.textContent()) ?? '')?.[1])
    await page.getByText(/Weiter geht es in \d+ Sekunden/).waitFor()
    const first = await seconds()
    expect(first).toBeLessThanOrEqual(30)
    expect(await page.getByRole('button', { name: 'Anmelden' }).isDisabled()).toBe(true)
    await page.getByText(`in ${first - 1} Sekunden`).waitFor()
  })

  leftToLong('English by the switch, remembered', async () => {
    const page = await on.open('/anmelden', { signedOut: true, language: 'en' })
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByRole('button', { name: 'Deutsch' }).click()
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
  })

  test('logging out ends the session on the server', async () => {
    const page = await on.open('/anmelden', { signedOut: true, viewport: PHONE })
    await signInByHand(page, ADMIN)
    // Requests that the page still sends when the session ends get 401, which is an expected message here.
    await page.getByText('Willkommen bei Fundus').waitFor()
    await page.getByRole('button', { name: 'Konto' }).click()
    const cookies = await page.context().cookies()
    const session = cookies.find(({ name }) => name === 'fundus_sitzung')!.value
    await page.getByRole('menuitem', { name: 'Abmelden' }).click()
    await page.waitForURL('**/anmelden')
    expect(await isSignedIn(on.service, session)).toBe(false)
  })
})
