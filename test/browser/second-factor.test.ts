/**
 * Second factors in the browser: an authenticator app, signing in in two steps with a reload in between,
 * passkeys of Chromium's virtual authenticator, and the set-up that an account must complete if a second
 * factor is required.
 */
import { expect, test } from 'bun:test'
import type { CDPSession, Page } from 'playwright-core'
import { dash } from '../support/dashboard.ts'
import { addPasskey, answerOf, codeOf, newPerson, setUpTotp } from '../support/factors.ts'
import { leftToLong } from '../support/left-out.ts'
import { axe, dashboardTest, PHONE } from './dashboard.ts'
import { signInByHand } from './sign-in.ts'

const on = dashboardTest()

const REFUSED = [/status of 40[13]/]
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const atHome = (page: Page) => page.getByRole('heading', { name: 'Übersicht', level: 1 }).waitFor()
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** Completes the set-up dialog with the code of an app; returns the secret. */
async function setUpByHand(page: Page): Promise<string> {
  await page.getByRole('img', { name: 'QR-Code für die Authenticator-App' }).waitFor()
  const secret = (await page.locator('code').innerText()).replaceAll(' ', '')
  await page.getByLabel('Code, den die App jetzt zeigt').fill(codeOf(secret))
  await button(page, 'Bestätigen').click()
  const codes = page.getByRole('list', { name: 'Notfallcodes' }).getByRole('listitem')
  await codes.first().waitFor()
  expect(await codes.count()).toBe(10)
  await page.getByLabel('Ich habe die Codes aufbewahrt').check()
  await button(page, 'Fertig').click()
  return secret
}

test('an app is set up with its QR code; then signing in asks for its code, also after a reload', async () => {
  const person = await newPerson(on.service, on.session)
  const page = await on.open('/konto', { signedOut: true, expected: REFUSED })
  await signInByHand(page, person)
  await button(page, 'App einrichten').click()
  const secret = await setUpByHand(page)
  await page.getByText('Eine Authenticator-App ist eingerichtet.').waitFor()
  await axe(page)

  await page.context().clearCookies()
  await page.goto(`${on.service.url}/papierkorb`)
  await signInByHand(page, person)
  await page.getByRole('heading', { name: 'Zweiter Faktor' }).waitFor()
  await page.reload()
  await page.getByLabel('Code aus der App').fill('000000')
  await button(page, 'Anmelden').click()
  await page.getByRole('alert').waitFor()
  await axe(page)
  await page.getByLabel('Code aus der App').fill(codeOf(secret, 1))
  await button(page, 'Anmelden').click()
  await page.waitForURL('**/papierkorb')

  await page.goto(`${on.service.url}/konto`)
  await section(page, 'Zweiter Faktor').getByRole('button', { name: 'Entfernen' }).click()
  await page.getByRole('dialog').getByLabel('Passwort', { exact: true }).fill(person.passwort)
  await page.getByRole('dialog').getByRole('button', { name: 'Entfernen' }).click()
  await button(page, 'App einrichten').waitFor()
})

leftToLong('an emergency code gets in, and going back asks for the password again', async () => {
  const person = await newPerson(on.service, on.session)
  const { codes } = await setUpTotp(on.service, person.session)
  const page = await on.open('/', { signedOut: true, expected: REFUSED, viewport: PHONE })
  await signInByHand(page, person)
  await button(page, 'Zurück zum Passwort').click()
  await signInByHand(page, person)
  await button(page, 'Stattdessen einen Notfallcode eingeben').click()
  await page.getByLabel('Notfallcode').fill(codes[0]!.toLowerCase())
  await button(page, 'Anmelden').click()
  await atHome(page)
})

/** A page at the address that passkeys belong to, with its own virtual authenticator. */
async function openWithAuthenticator(path: string) {
  const page = await on.open('/anmelden', { signedOut: true, expected: REFUSED })
  const { dienst } = await answerOf<{ dienst: { PUBLIC_URL: string } }>(
    dash(on.service, 'ich', { session: on.session }),
  )
  const device = await page.context().newCDPSession(page)
  await device.send('WebAuthn.enable')
  const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
  await page.goto(`${dienst.PUBLIC_URL}${path}`)
  return { page, device, authenticatorId }
}

async function addByHand(page: Page, name: string): Promise<void> {
  await button(page, 'Passkey hinzufügen').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Passkey hinzufügen' }).click()
  await section(page, 'Passkeys').getByRole('listitem').filter({ hasText: name }).waitFor()
}

/** Chromium fills in a passkey by itself where it can; otherwise the button is clicked. */
async function usePasskey(page: Page, origin: string): Promise<'signed in' | 'refused'> {
  await page.context().clearCookies()
  await page.goto(`${origin}/anmelden`)
  await button(page, 'Passkey verwenden')
    .click({ timeout: 3000 })
    .catch(() => undefined)
  const refused = page
    .getByRole('alert')
    .waitFor()
    .then(() => 'refused' as const)
  return Promise.race([atHome(page).then(() => 'signed in' as const), refused])
}

/** Replaces the passkey of the device by a copy whose counter is behind. */
async function putCopy(device: CDPSession, authenticatorId: string): Promise<void> {
  const { credentials } = await device.send('WebAuthn.getCredentials', { authenticatorId })
  const [credential] = credentials
  await device.send('WebAuthn.clearCredentials', { authenticatorId })
  await device.send('WebAuthn.addCredential', {
    authenticatorId,
    credential: { ...credential!, signCount: 1 },
  })
}

leftToLong(
  'passkeys of two devices sign in; a removed one and a copy with an old counter are refused',
  async () => {
    const person = await newPerson(on.service, on.session)
    const laptop = await openWithAuthenticator('/konto')
    const origin = new URL(laptop.page.url()).origin
    await signInByHand(laptop.page, person)
    await addByHand(laptop.page, 'Laptop')
    expect(await usePasskey(laptop.page, origin)).toBe('signed in')

    const phone = await openWithAuthenticator('/konto')
    await signInByHand(phone.page, person)
    await addByHand(phone.page, 'Handy')
    expect(await usePasskey(phone.page, origin)).toBe('signed in')
    expect(await usePasskey(phone.page, origin)).toBe('signed in')

    await phone.page.goto(`${origin}/konto`)
    await button(phone.page, 'Laptop entfernen').click()
    await phone.page.getByRole('dialog').getByRole('button', { name: 'Entfernen' }).click()
    await phone.page.getByText('Laptop', { exact: true }).waitFor({ state: 'detached' })
    expect(await usePasskey(laptop.page, origin)).toBe('refused')

    await putCopy(phone.device, phone.authenticatorId)
    expect(await usePasskey(phone.page, origin)).toBe('refused')
  },
)

leftToLong(
  'a page that is open when a second factor becomes compulsory leads to it at the next click',
  async () => {
    await addPasskey(on.service, on.session)
    const person = await newPerson(on.service, on.session)
    const page = await on.open('/', { signedOut: true, expected: REFUSED })
    await signInByHand(page, person)
    await atHome(page)
    const set = (ZWEITER_FAKTOR: string | null) =>
      answerOf(
        dash(on.service, 'einstellungen', { method: 'PUT', json: { ZWEITER_FAKTOR }, session: on.session }),
      )
    await set('alle')
    try {
      await page.getByRole('link', { name: 'Papierkorb' }).first().click()
      await page.getByRole('heading', { name: 'Zweiter Faktor nötig' }).waitFor()
    } finally {
      await set(null)
    }
  },
)

test('an account that must have a second factor is led through it before anything else', async () => {
  await addPasskey(on.service, on.session)
  const person = await newPerson(on.service, on.session)
  const set = (ZWEITER_FAKTOR: string | null) =>
    answerOf(
      dash(on.service, 'einstellungen', { method: 'PUT', json: { ZWEITER_FAKTOR }, session: on.session }),
    )
  await set('alle')
  try {
    const page = await on.open('/papierkorb', { signedOut: true, expected: REFUSED, viewport: PHONE })
    await signInByHand(page, person)
    await page.getByRole('heading', { name: 'Zweiter Faktor nötig' }).waitFor()
    await axe(page)
    await button(page, 'App einrichten').click()
    await setUpByHand(page)
    await page.getByRole('heading', { name: 'Papierkorb', level: 1 }).waitFor()
  } finally {
    await set(null)
  }
})
