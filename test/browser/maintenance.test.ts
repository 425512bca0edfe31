/**
 * Maintenance in the browser: rounds that run to the end, orphans removed, integrity, the backup and its
 * archive.
 */
import { describe, expect, test } from 'bun:test'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { store } from '../support/api.ts'
import { ARCHIVE, archivesIn, saveSettings } from '../support/backup.ts'
import { objectFiles, storedFiles } from '../support/data-folder.ts'
import { png } from '../support/pictures.ts'
import { seedFiles } from '../support/seed.ts'
import { eventually } from '../support/wait.ts'
import { axe, dashboardTest, PHONE } from './dashboard.ts'

const on = dashboardTest()
/** For things that happen only to files of a certain age, whose time cannot be set on the file. */
const TWO_HOURS = 2 * 60 * 60 * 1000
const at = (name: string) => join(on.service.dataDir, name)
const previews = async () =>
  (await storedFiles(on.service.dataDir)).filter(name => name.startsWith('thumbs/'))
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** Holds each request to a route until the test releases it; `calls` counts the requests. */
async function gate(page: Page, route: string) {
  const waiting: (() => void)[] = []
  const gated = {
    calls: 0,
    async letThrough() {
      await eventually('a call waits', () => waiting.length > 0)
      waiting.shift()!()
    },
  }
  await page.route(`**/api/dash/maintenance/${route}`, async call => {
    gated.calls++
    await new Promise<void>(resolve => waiting.push(resolve))
    await call.continue()
  })
  return gated
}

async function noSidewaysScrolling(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
}

test('previews: made anew to the end, also while another page is shown', async () => {
  for (let nr = 0; nr < 3; nr++)
    await store(on.service, on.token, `bilder/${nr}.png`, await png({ width: 64, height: 48, seed: nr }))
  await eventually('the previews are made', async () => (await previews()).length === 3)
  await rm(at('thumbs/bilder'), { recursive: true })

  const page = await on.open('/wartung')
  const held = await gate(page, 'thumbs')
  await section(page, 'Vorschauen').getByRole('button', { name: 'Vorschauen ergänzen' }).click()
  await section(page, 'Vorschauen').getByRole('progressbar').waitFor()
  await axe(page)
  await page.getByRole('link', { name: 'Papierkorb' }).first().click()
  await page.getByRole('heading', { name: 'Papierkorb', level: 1 }).waitFor()
  await held.letThrough()
  await eventually('the previews are there again', async () => (await previews()).length === 3)
  await page.getByRole('link', { name: 'Wartung' }).first().click()
  await section(page, 'Vorschauen').getByText('Fertig: 3 Dateien bearbeitet.').waitFor()

  await section(page, 'Vorschauen').getByRole('button', { name: 'Vorschauen ergänzen' }).click()
  await held.letThrough()
  await section(page, 'Vorschauen').getByText('Alle Vorschauen sind da.').waitFor()
})

test('integrity: a file that went bad is named with what to do, and forgotten when it is whole again', async () => {
  await store(on.service, on.token, 'texte/regeln.txt', 'Freundlich bleiben.')
  const [object = ''] = await objectFiles(on.service.dataDir, 'texte/regeln.txt')
  await writeFile(at(object), 'Freundlich blieben.')
  const page = await on.open('/wartung')
  const integrity = section(page, 'Unversehrtheit')
  await integrity.getByText('Noch nie ganz geprüft.').waitFor()
  await integrity.getByRole('button', { name: 'Alles prüfen' }).click()
  await integrity.getByText('Eine Datei ist nicht in Ordnung.').waitFor()
  await integrity.getByText('die Prüfsumme stimmt nicht').waitFor()
  await integrity.getByText('Was tun: aus einer Sicherung zurückholen').waitFor()
  await axe(page)

  await writeFile(at(object), 'Freundlich bleiben.')
  await integrity.getByRole('button', { name: 'Alles prüfen' }).click()
  await integrity.getByText('Alle Dateien sind in Ordnung.').waitFor()
  expect(await integrity.getByRole('list', { name: 'Befunde' }).count()).toBe(0)
})

describe('backup', () => {
  test('from the button to the archive on disk', async () => {
    const page = await on.open('/wartung/sicherung')
    await page.getByText('Es gibt noch keine Sicherung.').waitFor()
    await page.getByText('Jeden Tag um 03:30 Uhr').waitFor()
    await page.getByRole('button', { name: 'Jetzt sichern' }).click()
    await page.getByText('Die letzte Sicherung ist gelungen.').waitFor()
    const [name = ''] = await archivesIn(at('sicherung'))
    expect(name).toMatch(ARCHIVE)
    await page.getByRole('row').filter({ hasText: name }).getByText('an einem Ort').waitFor()
    await page.getByText(`restore DATA_DIR/sicherung/${name} --force`).waitFor()
    // Shown beside the field, and again at the top.
    await page.getByText('auf derselben Festplatte wie die Dateien').waitFor()
    await axe(page)
    await page.getByRole('link', { name: 'Wartung' }).last().click()
    await section(page, 'Sicherung').getByText('Die letzte Sicherung ist gelungen.').waitFor()

    await rm(at('sicherung'), { recursive: true })
    await page.reload()
    await section(page, 'Sicherung').getByText('Das letzte Archiv liegt an keinem Ort mehr.').waitFor()
  })

  test('one that fails says why in the words of the service; the next one that works takes them away', async () => {
    const file = at('im-weg')
    await writeFile(file, '')
    await saveSettings(on.service, on.session, { SICHERUNG_ZIEL: file })
    const page = await on.open('/wartung')
    const backup = section(page, 'Sicherung')
    await backup.getByRole('button', { name: 'Jetzt sichern' }).click()
    await backup.getByText('Die letzte Sicherung ist fehlgeschlagen.').waitFor()
    const sentence = `Das Ziel der Sicherung ${file} ist nicht benutzbar: dort liegt eine Datei statt eines Ordners.`
    await backup.getByRole('alert').filter({ hasText: sentence }).waitFor()
    await axe(page)

    const folder = at('zweiter Ort')
    await saveSettings(on.service, on.session, { SICHERUNG_ZIEL: folder })
    await backup.getByRole('button', { name: 'Jetzt sichern' }).click()
    await backup.getByText('Die letzte Sicherung ist gelungen.').waitFor()
    expect(await backup.getByRole('alert').filter({ hasText: sentence }).count()).toBe(0)
    expect(await archivesIn(folder)).toEqual([expect.stringMatching(ARCHIVE)])
    await backup.getByRole('link', { name: 'Archive und Wiederherstellung' }).click()
    await page.getByText(`restore '${folder}/fundus-`).waitFor()
  })

  test('one that runs elsewhere is shown by itself', async () => {
    const page = await on.open('/wartung/sicherung', { scheme: 'dark', viewport: PHONE })
    const rows = page.getByRole('list', { name: 'Archive' }).getByRole('listitem')
    await eventually('one archive is listed', async () => (await rows.count()) === 1)
    const { code } = await on.service.command('backup')
    expect(code).toBe(0)
    await eventually('the second one is listed', async () => (await rows.count()) === 2)
    await axe(page)
    await noSidewaysScrolling(page)
  })
})

describe('orphans', () => {
  const names = ['files/o/links~0123456789abcdef.txt', 'files/o/rechts~0123456789abcdef.txt']
  const there = () => Promise.all(names.map(name => Bun.file(at(name)).exists()))
  const look = async (page: Page) => {
    const answered = page.waitForResponse('**/verwaiste')
    await section(page, 'Verwaistes').getByRole('button', { name: 'Verwaistes suchen' }).click()
    return ((await (await answered).json()) as { gesamt: { ohne_eintrag: number } }).gesamt.ohne_eintrag
  }

  test('two lists with their sizes; what is young cannot be removed yet', async () => {
    await mkdir(dirname(at(names[0]!)), { recursive: true })
    for (const name of names) await writeFile(at(name), 'left behind')
    await store(on.service, on.token, 'verloren/regeln.txt', 'verloren')
    const [lost = ''] = await objectFiles(on.service.dataDir, 'verloren/regeln.txt')
    await rm(at(lost))

    const page = await on.open('/wartung', { viewport: PHONE, scheme: 'dark' })
    const orphans = section(page, 'Verwaistes')
    await eventually('both are found', async () => (await look(page)) === 2)
    await orphans.getByText('2 ohne Eintrag, 1 ohne Datei.').waitFor()
    await orphans.getByText('2 · 22 Byte').waitFor()
    await orphans.getByText('2 sind jünger als eine Stunde und bleiben noch').waitFor()
    expect(await orphans.getByRole('button', { name: 'Aufräumen …' }).count()).toBe(0)
    await orphans.getByRole('link', { name: 'verloren/regeln.txt' }).waitFor()
    await axe(page)
    await noSidewaysScrolling(page)
  })

  test('later they go, after a question that says what', async () => {
    await on.service.restart({}, { clockAhead: TWO_HOURS })
    const page = await on.open('/wartung')
    const orphans = section(page, 'Verwaistes')
    expect(await look(page)).toBe(2)
    await orphans.getByRole('button', { name: 'Aufräumen …' }).click()
    const dialog = page.getByRole('dialog', { name: 'Verwaiste Dateien entfernen?' })
    await dialog.getByText('2 Dateien ohne Eintrag werden endgültig').waitFor()
    await dialog.getByText('Frei werden 22 Byte.').waitFor()
    await axe(page)
    await dialog.getByRole('button', { name: 'Abbrechen' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(await there()).toEqual([true, true])

    await orphans.getByRole('button', { name: 'Aufräumen …' }).click()
    await dialog.getByRole('button', { name: 'Endgültig entfernen' }).click()
    await page.getByText('2 Dateien entfernt.').waitFor()
    await orphans.getByText('0 ohne Eintrag, 1 ohne Datei.').waitFor()
    expect(await there()).toEqual([false, false])
  })
})

describe('with a library whose pictures cannot be read', () => {
  /** A round handles 300. */
  const COUNT = 320
  const seedUnreadable = async (folder: string) => {
    const { dataDir } = on.service
    await mkdir(join(dataDir, 'files'), { recursive: true })
    for (let size = 1; size <= COUNT; size++) {
      await writeFile(join(dataDir, 'files', `${folder}${size}`), '?'.repeat(size))
    }
    await seedFiles(dataDir, folder, COUNT)
  }

  test('WebP: the rounds drive themselves, can be stopped, and go on', async () => {
    await seedUnreadable('leer')
    const page = await on.open('/wartung')
    const held = await gate(page, 'webp')
    const webp = section(page, 'WebP-Fassungen')
    await webp.getByRole('button', { name: 'WebP ergänzen' }).click()
    await eventually('the first call', () => held.calls === 1)
    await webp.getByRole('button', { name: 'Anhalten' }).click()
    await webp.getByRole('button', { name: 'Hält an …' }).waitFor()
    await held.letThrough()
    await webp.getByText('Angehalten: 300 bearbeitet, 20 noch offen.').waitFor()
    expect(held.calls).toBe(1)

    await webp.getByRole('button', { name: 'Fortsetzen' }).click()
    await held.letThrough()
    await webp.getByText('Fertig: 20 Dateien bearbeitet.').waitFor()

    // Restarted with as many more files, the page runs one round after the other by itself.
    await seedUnreadable('leer-2')
    await webp.getByRole('button', { name: 'WebP ergänzen' }).click()
    await held.letThrough()
    await webp.getByText(/^300 von 320$/).waitFor()
    await held.letThrough()
    await webp.getByText('Fertig: 320 Dateien bearbeitet.').waitFor()
    expect(held.calls).toBe(4)
  })

  test('a round that fails says so, and can be gone on with', async () => {
    await seedUnreadable('leer-3')
    const page = await on.open('/wartung', { expected: [/status of 400/] })
    const refused = { status: 400, json: { error: 'Das geht gerade nicht.' } }
    await page.route('**/maintenance/webp', call => call.fulfill(refused), { times: 1 })
    const webp = section(page, 'WebP-Fassungen')
    await webp.getByRole('button', { name: 'WebP ergänzen' }).click()
    await webp.getByRole('alert').filter({ hasText: 'Das geht gerade nicht.' }).waitFor()
    await webp.getByRole('button', { name: 'Fortsetzen' }).click()
    await webp.getByText('Fertig: 320 Dateien bearbeitet.').waitFor()
  })
})
