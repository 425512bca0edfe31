/**
 * Settings: saved and applied at once, refused beside the field, reset, tried, exported and imported;
 * accounts.
 */

import { afterAll, describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { expectError, upload } from '../support/api.ts'
import { openChat } from '../support/chat.ts'
import { ADMIN_ENV, dash, isSignedIn, signIn } from '../support/dashboard.ts'
import { leftToLong } from '../support/left-out.ts'
import { eventually } from '../support/wait.ts'
import { axe, dashboardTest, PHONE, textOf } from './dashboard.ts'

const on = dashboardTest({ env: { ...ADMIN_ENV, PAPIERKORB_MAX_MB: '512' } })
const chat = openChat()
afterAll(() => chat[Symbol.dispose]())

/** `env` has no account, so the test support has not signed in. */
let session = ''
async function open(options: Parameters<typeof on.open>[1] = {}): Promise<Page> {
  session ||= await signIn(on.service)
  const cookie = { name: 'fundus_sitzung', value: session, url: on.service.url }
  const page = await on.open('/anmelden', { ...options, signedOut: true })
  await page.context().addCookies([cookie])
  await page.goto(`${on.service.url}/einstellungen`)
  await field(page, 'Größte Datei').waitFor()
  return page
}

const field = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })
const rail = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Bereiche' }).getByRole('link', { name })
const group = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const button = (where: Page | Locator, name: string) => where.getByRole('button', { name, exact: true })

interface Setting {
  wert?: unknown
  quelle: string
  gesetzt?: boolean
}
async function settings(): Promise<Record<string, Setting>> {
  const response = await dash(on.service, 'einstellungen', { session })
  return (await response.json()) as Record<string, Setting>
}

leftToLong('the bucket of the backup: its secrets are saved and never shown again', async () => {
  const page = await open()
  const bucket = group(page, 'Sicherung außer Haus')
  await field(page, 'Adresse des Objektspeichers').fill('https://s3.example.org')
  await field(page, 'Bucket').fill('sicherung')
  await field(page, 'Passwort der Verschlüsselung').fill('ein langes Passwort')
  await button(bucket, 'Speichern').click()
  await bucket.getByText('gesetzt', { exact: true }).waitFor()
  expect((await settings()).SICHERUNG_PASSWORT).toEqual({
    quelle: 'gespeichert',
    geheim: true,
    gesetzt: true,
  } as Setting)
  expect(await page.content()).not.toContain('ein langes Passwort')
  // Name and address without a key.
  await bucket.getByText('fehlt die Adresse, der Name oder der Schlüssel').waitFor()
  await button(bucket, 'Entfernen').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Entfernen' }).click()
  await field(page, 'Passwort der Verschlüsselung').waitFor()
  const cleared = { SICHERUNG_S3_ENDPOINT: null, SICHERUNG_S3_BUCKET: null }
  await dash(on.service, 'einstellungen', { method: 'PUT', json: cleared, session })
})

describe('a group of settings', () => {
  test('is saved with what changed, and holds at once', async () => {
    const page = await open()
    await axe(page)
    await field(page, 'Größte Datei').fill('0,5')
    const limits = group(page, 'Grenzen')
    expect(await limits.getByRole('listitem').textContent()).toBe('Größte Datei640,5')
    await button(limits, 'Speichern').click()
    await page.getByText('Gespeichert: Größte Datei.').waitFor()
    expect((await settings()).MAX_UPLOAD_MB).toEqual({ wert: 0.5, quelle: 'gespeichert' })
    await limits.getByText('gespeichert', { exact: true }).waitFor()
    expect(await button(limits, 'Speichern').isVisible()).toBe(false)

    const large = await upload(on.service, on.token, new Uint8Array(600 * 1024), { 'X-Path': 'a.bin' })
    await expectError(large, 413)
  })

  leftToLong('a reset goes back to default, and back again', async () => {
    const page = await open()
    await dash(on.service, 'einstellungen', { session, method: 'PUT', json: { DIENST: 'Werkstatt' } })
    await eventually(
      'the event',
      async () => (await field(page, 'Name des Dienstes').inputValue()) === 'Werkstatt',
    )
    await page
      .getByRole('button', { name: 'Name des Dienstes: auf Umgebung oder Vorgabe zurücksetzen' })
      .click()
    await page.getByText('Name des Dienstes ist zurückgesetzt.').waitFor()
    expect((await settings()).DIENST).toEqual({ wert: 'Fundus', quelle: 'vorgabe' })
    await button(page, 'Rückgängig').click()
    await page.getByText('Rückgängig gemacht.').waitFor()
    expect((await settings()).DIENST).toEqual({ wert: 'Werkstatt', quelle: 'gespeichert' })
  })

  leftToLong('a wrong value: the sentence beside its field, nothing sent, what was typed stays', async () => {
    const page = await open({ scheme: 'dark' })
    const sent: string[] = []
    page.on('request', request => {
      if (request.method() === 'PUT') sent.push(request.url())
    })
    await field(page, 'Öffentliche Adresse').fill('medien.example.org')
    await field(page, 'Name des Dienstes').fill('Archiv')
    const wrong = group(page, 'Adressen').getByText(/^Muss eine Adresse sein, die mit http:\/\/ .*\.$/)
    await wrong.waitFor()
    await button(group(page, 'Adressen'), 'Speichern').click()
    await eventually('focus at the wrong field', () =>
      field(page, 'Öffentliche Adresse').evaluate(element => element.matches(':focus')),
    )
    expect(await field(page, 'Öffentliche Adresse').getAttribute('aria-invalid')).toBe('true')
    expect(await field(page, 'Öffentliche Adresse').inputValue()).toBe('medien.example.org')
    expect(await field(page, 'Name des Dienstes').inputValue()).toBe('Archiv')
    expect(sent).toEqual([])
    await axe(page)
    await button(group(page, 'Adressen'), 'Verwerfen').click()
    expect(await field(page, 'Name des Dienstes').inputValue()).not.toBe('Archiv')
  })

  leftToLong('leaving with something unsaved asks; staying and the way back keep it', async () => {
    const page = await open()
    // Without unsaved changes there is no question.
    await rail(page, 'Wartung').click()
    await page.getByRole('heading', { name: 'Wartung', level: 1 }).waitFor()
    await rail(page, 'Einstellungen').click()
    await field(page, 'Uhrzeit').fill('04:15')
    await rail(page, 'Freigaben').click()
    const dialog = page.getByRole('dialog', { name: 'Seite verlassen?' })
    await dialog.getByText('Uhrzeit').waitFor()
    await button(dialog, 'Abbrechen').click()
    expect(await field(page, 'Uhrzeit').inputValue()).toBe('04:15')
    await page.goBack()
    await page.getByRole('heading', { name: 'Wartung', level: 1 }).waitFor()
    await page.goForward()
    expect(await field(page, 'Uhrzeit').inputValue()).toBe('04:15')
    await rail(page, 'Verlauf').click()
    await button(dialog, 'Verwerfen und weiter').click()
    await page.getByRole('heading', { name: 'Verlauf', level: 1 }).waitFor()
    expect((await settings()).SICHERUNG_UHRZEIT!.wert).toBe('03:30')
  })

  leftToLong('where values come from, and what is amiss with the targets', async () => {
    const page = await open({ viewport: PHONE })
    await group(page, 'Papierkorb').getByText('aus der Umgebung').waitFor()
    const backup = group(page, 'Sicherung')
    await backup.getByText(/Zweitziel ist nicht eingestellt/).waitFor()
    await field(page, 'Zweites Ziel').fill(on.service.dataDir)
    await button(backup, 'Speichern').click()
    await backup.getByText('Ziel und Zweitziel liegen auf derselben Festplatte.').waitFor()
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect(overflow).toBeLessThanOrEqual(0)
  })
})

describe('a setting that may be saved and cannot work', () => {
  const save = async (page: Page, part: string, label: string, value: string, doubt?: RegExp) => {
    await field(page, label).fill(value)
    await button(group(page, part), 'Speichern').click()
    if (doubt) {
      await page.getByRole('dialog').getByText(doubt).waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Trotzdem speichern' }).click()
    }
    await page.getByText(`Gespeichert: ${label}.`).waitFor()
  }
  const warnings = (page: Page, part: string) => group(page, part).getByRole('status')
  const reset = async (...names: string[]) => {
    const json = Object.fromEntries(names.map(name => [name, null]))
    await dash(on.service, 'einstellungen', { session, method: 'PUT', json })
  }

  leftToLong(
    'a drive path here, a host that the public address does not name: said beside the field at once',
    async () => {
      // The browser reports a host that cannot be reached.
      const expected = [/files\.example\.org/]
      const page = await open({ expected })
      await save(page, 'Sicherung', 'Zweites Ziel', 'D:\\Sicherung')
      const foreign = warnings(page, 'Sicherung')
      await foreign.getByText(/^Das Zweitziel ist ein Windows-Pfad.*schlägt fehl\.$/).waitFor()
      await eventually('no other warning', async () => (await foreign.count()) === 1)
      await save(
        page,
        'Adressen',
        'Eigener Hostname für Dateien',
        'files.example.org',
        /nennt nicht den Host/,
      )
      await warnings(page, 'Adressen')
        .getByText(/^PUBLIC_URL nennt einen anderen Hostnamen.*404\.$/)
        .waitFor()
      await axe(page)
      const upkeep = await on.open('/anmelden', { signedOut: true, language: 'en', expected })
      await upkeep.context().addCookies([{ name: 'fundus_sitzung', value: session, url: on.service.url }])
      await upkeep.goto(`${on.service.url}/einstellungen`)
      await upkeep.getByText(/^The second target is a Windows path.*fails\.$/).waitFor()
      await upkeep.getByText(/^The public address names a different host.*404\.$/).waitFor()
      await upkeep.goto(`${on.service.url}/wartung`)
      await upkeep.getByText(/The second target is a Windows path/).waitFor()

      await save(page, 'Adressen', 'Öffentliche Adresse', 'https://files.example.org')
      await warnings(page, 'Adressen').waitFor({ state: 'detached' })
      await reset('PUBLIC_URL', 'FILES_HOST', 'SICHERUNG_ZWEITZIEL')
      await foreign.getByText(/Windows-Pfad/).waitFor({ state: 'detached' })
    },
  )
})

describe('messages', () => {
  leftToLong('the address is saved and tried, stays secret, and is replaced or removed', async () => {
    const page = await open()
    const messages = group(page, 'Nachrichten')
    await messages.getByRole('switch', { name: 'Neue Dateien' }).press('Space')
    await field(page, 'Webhook-Adresse').fill(chat.url)
    await button(messages, 'Speichern und testen').click()
    await messages.getByText('Angekommen (Status 204).').waitFor()
    expect(chat.received).toHaveLength(1)
    await messages.getByText('gesetzt', { exact: true }).waitFor()
    expect(await page.content()).not.toContain(chat.url)
    // Other unsaved changes are not saved along with it.
    expect((await settings()).WEBHOOK_ANLAESSE!.wert).toContain('upload')
    await button(messages, 'Speichern').click()
    await page.getByText('Gespeichert: Anlässe.').waitFor()
    expect((await settings()).WEBHOOK_ANLAESSE!.wert).toEqual(['sicherung', 'verwaiste', 'platte'])

    chat.answerWith(() => new Response('Unknown Webhook', { status: 404 }))
    await button(messages, 'Testnachricht senden').click()
    await messages.getByText('Nicht angenommen (Status 404).').waitFor()
    await messages.getByText('Unknown Webhook').waitFor()

    await button(messages, 'Ersetzen').click()
    await field(page, 'Webhook-Adresse').fill('keine Adresse')
    await messages.getByText(/^Muss eine Adresse sein/).waitFor()
    await button(messages, 'Doch behalten').click()
    await button(messages, 'Entfernen').click()
    await button(page.getByRole('dialog'), 'Entfernen').click()
    await page.getByText('Webhook-Adresse ist entfernt.').waitFor()
    expect((await settings()).WEBHOOK_URL!.gesetzt).toBe(false)
  })
})

describe('export and import', () => {
  const choose = (page: Page, name: string, text: string) =>
    page
      .locator('input[type="file"][accept*="json"]')
      .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) })

  leftToLong(
    'an export comes as a file; importing one shows what it would change, then does it',
    async () => {
      const page = await open()
      const download = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Datei herunterladen' }).click()
      const exported = JSON.parse(await textOf(await download)) as Record<string, unknown>
      expect(exported.SICHERUNG_BEHALTEN).toBe(14)
      expect(exported).not.toHaveProperty('WEBHOOK_URL')

      await choose(
        page,
        'alt.json',
        JSON.stringify({ ...exported, SICHERUNG_BEHALTEN: 30, MONDPHASE: 'voll' }),
      )
      const dialog = page.getByRole('dialog', { name: 'alt.json übernehmen?' })
      await dialog.getByRole('listitem').first().waitFor()
      expect(await dialog.getByRole('listitem').allTextContents()).toEqual(['Aufbewahrte Archive1430'])
      await dialog.getByText('Unbekannt, bleibt außer Acht: MONDPHASE').waitFor()
      await button(dialog, 'Übernehmen').click()
      await page.getByText(/^Eine Einstellung übernommen\. .*MONDPHASE$/).waitFor()
      expect((await settings()).SICHERUNG_BEHALTEN!.wert).toBe(30)
    },
  )

  leftToLong('what is no export, or holds what cannot be, changes nothing', async () => {
    const page = await open()
    await choose(page, 'urlaub.json', 'Sonne')
    await page
      .getByRole('alert')
      .getByText(/^urlaub\.json ist keine Datei mit Einstellungen/)
      .waitFor()
    await choose(page, 'falsch.json', '{"MAX_UPLOAD_MB":-1}')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Muss größer als null sein.').waitFor()
    expect(await button(dialog, 'Übernehmen').isDisabled()).toBe(true)
  })
})

describe('accounts', () => {
  leftToLong('the last operator stays; another is added, refused when taken, and deleted', async () => {
    const page = await open({ expected: [/status of 409/] })
    const accounts = group(page, 'Konten')
    const row = (name: string) =>
      accounts.getByRole('list', { name: 'Konten' }).getByRole('listitem').filter({ hasText: name })
    await button(row('admin'), 'Mehr zu admin').click()
    await page.getByText('Das letzte Betreiberkonto kann weder gelöscht noch').waitFor()
    expect(await page.getByRole('menuitem', { name: 'Löschen' }).count()).toBe(0)
    await page.keyboard.press('Escape')

    const add = async (name: string, password: string) => {
      const dialog = page.getByRole('dialog', { name: 'Konto anlegen' })
      await dialog.getByLabel('Benutzername').fill(name)
      await dialog.getByLabel('Passwort', { exact: true }).fill(password)
      await button(dialog, 'Konto anlegen').click()
      return dialog
    }
    await button(accounts, 'Konto anlegen').click()
    const dialog = await add('admin', 'kurz')
    await dialog.locator('[id$="-error"]', { hasText: 'Mindestens 10 Zeichen.' }).waitFor()
    await add('admin', 'lang genug, ganz sicher')
    await dialog.getByRole('alert').waitFor()
    expect(await dialog.getByLabel('Benutzername').inputValue()).toBe('admin')
    await axe(page)
    await add('Nora', 'lang genug, ganz sicher')
    await row('Nora').getByText('Redaktion').waitFor()
    const hers = await signIn(on.service, { benutzer: 'Nora', passwort: 'lang genug, ganz sicher' })

    await button(row('Nora'), 'Mehr zu Nora').click()
    await page.getByRole('menuitem', { name: 'Löschen' }).click()
    await button(page.getByRole('dialog'), 'Löschen').click()
    await page.getByText('Konto Nora ist gelöscht.').waitFor()
    expect(await isSignedIn(on.service, hers)).toBe(false)
    await row('Nora').waitFor({ state: 'detached' })
  })
})
