/**
 * Signing in with LemonLDAP::NG in a real browser: a second provider beside `oidc-provider`
 * (test/browser/external-sign-in.test.ts), written by others in another language.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { dashboardTest } from '../browser/dashboard.ts'
import { answered } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { findLemonldap, type Lemonldap, startLemonldap } from '../support/lemonldap.ts'
import { keepSecret } from '../support/secrets.ts'
import { findTool, needsTool } from '../support/tools.ts'
import { PATIENCE_MS } from '../support/wait.ts'

const on = dashboardTest()
const CLIENT = { id: 'fundus', secret: keepSecret('the client secret', 'known-to-fundus-and-lemonldap') }

needsTool('liblemonldap-ng-portal-perl', findLemonldap)

let provider: Lemonldap | undefined
beforeAll(async () => {
  if (!findTool('liblemonldap-ng-portal-perl', findLemonldap)) return
  await save({ PUBLIC_URL: on.service.url })
  const redirectUri = `${on.service.url}/api/dash/login/extern/oidc/zurueck`
  provider = await startLemonldap({ ...CLIENT, redirectUri }, { leitung: ['dwho'], helfer: ['msmith'] })
  await save({
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_NAME: 'LemonLDAP',
    OIDC_REGELN: [
      { anspruch: 'groups', wert: 'leitung', rolle: 'betreiber' },
      { anspruch: 'groups', wert: 'helfer', rolle: 'redaktion', ordner: ['helfer'] },
    ],
  })
}, PATIENCE_MS)
afterAll(() => provider?.[Symbol.asyncDispose]())

const save = async (json: Record<string, unknown>) =>
  answered(await dash(on.service, 'einstellungen', { method: 'PUT', json, session: on.session }))

/** Signs in on the provider's pages. */
async function signInAs(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Mit LemonLDAP anmelden' }).click()
  await page.locator('#userfield').fill(name)
  await page.locator('#passwordfield').fill(name)
  await page.locator('button[type=submit]').first().click()
}

/** Agrees that the service may read the identity; asked once for each person. */
const agree = (page: Page) => page.locator('button[type=submit]:visible').first().click()

async function sessionOf(page: Page): Promise<string | undefined> {
  const cookies = await page.context().cookies(on.service.url)
  return cookies.find(({ name }) => name === 'fundus_sitzung')?.value
}

describe('with LemonLDAP::NG', () => {
  test('an operator comes back to the page that was left', async () => {
    const page = await on.open('/papierkorb', { signedOut: true, expected: [/status of 401/] })
    await signInAs(page, 'dwho')
    await agree(page)
    await page.getByRole('heading', { name: 'Papierkorb', level: 1 }).waitFor()
    const session = (await sessionOf(page)) ?? ''
    expect(await answered(await dash(on.service, 'ich', { session }))).toMatchObject({
      benutzer: 'dwho',
      rolle: 'betreiber',
      ordner: null,
    })
  })

  test('groups decide on the role and the folders', async () => {
    const page = await on.open('/anmelden', { signedOut: true })
    await signInAs(page, 'msmith')
    await agree(page)
    await page.getByRole('heading', { name: 'Übersicht', level: 1 }).waitFor()
    const session = (await sessionOf(page)) ?? ''
    expect(await answered(await dash(on.service, 'ich', { session }))).toMatchObject({
      benutzer: 'msmith',
      rolle: 'redaktion',
      ordner: ['helfer'],
    })
  })

  test('somebody in no group is not let in', async () => {
    const page = await on.open('/anmelden', { signedOut: true, expected: [/status of 403/] })
    await signInAs(page, 'rtyler')
    await agree(page)
    await page.getByText('keine Regel dieses Dienstes').waitFor()
    expect(await sessionOf(page)).toBeUndefined()
  })

  test('a wrong client secret lets nobody in', async () => {
    await save({ OIDC_CLIENT_SECRET: keepSecret('a wrong client secret', 'known-to-fundus-and-nobody-else') })
    try {
      const page = await on.open('/anmelden', { signedOut: true, expected: [/status of 502/] })
      await signInAs(page, 'dwho')
      await page.getByRole('link', { name: 'Zurück zur Anmeldung' }).waitFor()
      expect(await sessionOf(page)).toBeUndefined()
    } finally {
      await save({ OIDC_CLIENT_SECRET: CLIENT.secret })
    }
  })
})
