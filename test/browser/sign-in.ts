/** Signs in like a person, on the login page. */
import type { Page } from 'playwright-core'
import type { ADMIN } from '../support/dashboard.ts'

export async function signInByHand(page: Page, { benutzer, passwort }: typeof ADMIN): Promise<void> {
  await page.getByLabel('Benutzername').fill(benutzer)
  await page.getByLabel('Passwort', { exact: true }).fill(passwort)
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
}
