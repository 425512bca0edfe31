/**
 * Signing in with a real OpenID Connect provider (`oidc-provider`) in a real browser, and trying it from the
 * settings.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Server } from 'node:http'
import Provider from 'oidc-provider'
import type { Page } from 'playwright-core'
import { answered } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { leftToLong } from '../support/left-out.ts'
import { keepSecret } from '../support/secrets.ts'
import { axe, dashboardTest, PHONE } from './dashboard.ts'

const on = dashboardTest()
const CLIENT = { id: 'fundus', secret: keepSecret('the client secret', 'known-to-both-sides-only') }
/** The provider's own pages request an external font. */
const FONT = /fonts\.googleapis\.com/
const GROUPS = new Map([
  ['anna', ['leitung']],
  ['bert', ['helfer']],
])

let server: Server | undefined
beforeAll(async () => {
  await save({ PUBLIC_URL: on.service.url })
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${on.service.url}/api/dash/login/extern/oidc/zurueck`],
      },
    ],
    claims: { profile: ['preferred_username'], groups: ['groups'] },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, preferred_username: id, groups: GROUPS.get(id) ?? [] }),
    }),
  })
  server = provider.listen(port, '127.0.0.1')
  await save({
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_NAME: 'Vereinskonto',
    OIDC_REGELN: [
      { anspruch: 'groups', wert: 'leitung', rolle: 'betreiber' },
      { anspruch: 'groups', wert: 'helfer', rolle: 'redaktion', ordner: ['helfer'] },
    ],
  })
})
afterAll(() => {
  server?.closeAllConnections()
  server?.close()
})

const save = async (json: Record<string, unknown>) =>
  answered(await dash(on.service, 'einstellungen', { method: 'PUT', json, session: on.session }))

async function freePort(): Promise<number> {
  const probe = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port } = probe
  await probe.stop(true)
  return port!
}

/** Signs in on the provider's pages and agrees that the service may read the identity. */
async function agreeAs(page: Page, name: string): Promise<void> {
  await page.locator('input[name=login]').fill(name)
  await page.locator('input[name=password]').fill('any password')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

describe('the sign-in page', () => {
  test('leads to the provider and back to the page that was left', async () => {
    const page = await on.open('/papierkorb', { signedOut: true, expected: [/status of 401/, FONT] })
    await page.waitForURL('**/anmelden?**')
    await axe(page, { always: true })
    await page.getByRole('link', { name: 'Mit Vereinskonto anmelden' }).click()
    await agreeAs(page, 'anna')
    await page.getByRole('heading', { name: 'Papierkorb', level: 1 }).waitFor()
    const all = await page.context().cookies(on.service.url)
    const cookies = all.filter(({ name }) => name.startsWith('fundus'))
    expect(cookies.map(({ name }) => name)).toEqual(['fundus_sitzung'])
    const session = cookies[0]!.value
    expect(await answered(await dash(on.service, 'ich', { session }))).toMatchObject({
      benutzer: 'anna',
      rolle: 'betreiber',
    })
  })

  test('says in a sentence that nobody lets this person in, and leads back', async () => {
    const page = await on.open('/anmelden', {
      signedOut: true,
      language: 'en',
      viewport: PHONE,
      expected: [/status of 403/, FONT],
    })
    await page.getByRole('link', { name: 'Sign in with Vereinskonto' }).click()
    await agreeAs(page, 'mallory')
    await page.getByText('keine Regel dieses Dienstes').waitFor()
    await axe(page, { always: true })
    await page.getByRole('link', { name: 'Zurück zur Anmeldung' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })
})

describe('the settings', () => {
  const section = (page: Page) => page.getByRole('region', { name: 'Anmeldung mit OpenID Connect' })

  leftToLong(
    'a trial shows what the provider says and which rule matches, and keeps the own session',
    async () => {
      const page = await on.open('/einstellungen#oidc', { expected: [FONT] })
      await section(page).getByRole('link', { name: 'Ausprobieren' }).click()
      await agreeAs(page, 'bert')
      await section(page)
        .getByText('„bert“ käme herein: Regel 2 gilt, Rolle Redaktion, Ordner: helfer.')
        .waitFor()
      await section(page).getByText('"preferred_username": "bert"').waitFor()
      expect(new URL(page.url()).search).toBe('')
      expect(await page.content()).not.toContain(CLIENT.secret)
      expect(await answered(await dash(on.service, 'ich', { session: on.session }))).toMatchObject({
        benutzer: 'admin',
      })
    },
  )

  leftToLong('rules are added, moved and removed without writing JSON', async () => {
    const page = await on.open('/einstellungen#oidc')
    const rules = section(page).getByRole('list', { name: 'Wer was darf' })
    await section(page).getByRole('button', { name: 'Regel hinzufügen' }).click()
    const third = rules.getByRole('listitem', { name: 'Regel 3' })
    await section(page).getByText('Bitte zuerst speichern.').waitFor()
    await section(page).getByRole('button', { name: 'Speichern' }).click()
    await section(page)
      .getByText(/^Muss eine Liste von Regeln/)
      .waitFor()
    await third.getByLabel('Anspruch (Claim)').fill('email')
    await third.getByLabel('Wert').fill('gast@example.org')
    await third.getByLabel('Rolle hier').selectOption('Ansicht')
    await third.getByRole('combobox', { name: 'Nur diese Ordner' }).fill('gaeste')
    await page.keyboard.press('Enter')
    await third.getByRole('button', { name: 'Regel nach oben' }).click()
    await rules
      .getByRole('listitem', { name: 'Regel 1' })
      .getByRole('button', { name: 'Regel entfernen' })
      .click()
    await axe(page, { always: true })
    await section(page).getByRole('button', { name: 'Speichern' }).click()
    await page.getByText('Gespeichert: Wer was darf.').waitFor()
    const saved = await answered<Record<string, { wert: unknown }>>(
      await dash(on.service, 'einstellungen', { session: on.session }),
    )
    expect(saved.OIDC_REGELN?.wert).toEqual([
      { anspruch: 'email', wert: 'gast@example.org', rolle: 'ansicht', ordner: ['gaeste'] },
      { anspruch: 'groups', wert: 'helfer', rolle: 'redaktion', ordner: ['helfer'] },
    ])
  })
})
