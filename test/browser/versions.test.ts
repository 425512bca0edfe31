/**
 * Earlier versions in a browser: replace a file, look at the earlier version, restore it; the trash shows the
 * reason of each entry.
 */
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { bytesOf, read, store } from '../support/api.ts'
import { openFolder } from '../support/folder.ts'
import { leftToLong } from '../support/left-out.ts'
import { png, tintOf } from '../support/pictures.ts'
import { throwAway, trashOf } from '../support/trash.ts'
import { eventually } from '../support/wait.ts'
import { axe, dashboardTest, PHONE } from './dashboard.ts'
import { chooseBy } from './drops.ts'

const on = dashboardTest()
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const tintAt = async (path: string) => tintOf(await bytesOf(await read(on.service, path)))

/** Chooses a picture of this tint in the browser's file dialog. */
async function replaceBy(page: Page, tint: 'green' | 'blue', name = 'other-name.png'): Promise<void> {
  await using folder = await openFolder()
  const file = join(folder.path, name)
  await Bun.write(file, await png({ tint }))
  await chooseBy(page, button(page, /^(Datei ersetzen|Replace this file)$/), file)
  await page
    .getByRole('status')
    .filter({ hasText: /^(Eine Datei hochgeladen|One file uploaded)$/ })
    .waitFor()
}

describe('earlier versions', () => {
  test('replaced at its address, looked at, downloaded, brought back, and that undone', async () => {
    // Upper case, which a dashboard upload would turn into lower case: here the address has to stay.
    const path = 'Art/Sign.png'
    await store(on.service, on.token, path, await png({ tint: 'red' }))
    const page = await on.open(`/dateien?ordner=Art&datei=${path}`)
    const details = page.getByRole('dialog', { name: 'Sign.png' })
    await details.getByText('Noch keine. Wird die Datei ersetzt').waitFor()
    await replaceBy(page, 'blue')
    expect(await tintAt(path)).toBe('blue')
    expect((await trashOf(on.service, on.session, `?pfad=${path}`)).gesamt).toBe(1)

    await details.getByText('Ersetzt von admin').waitFor()
    await axe(page)
    await details.getByRole('button', { name: /Fassung bis .* ansehen/ }).click()
    const look = page.getByRole('dialog', { name: /Fassung bis/ })
    const picture = look.getByRole('img', { name: 'Sign.png' })
    await eventually('the picture to be drawn', () =>
      picture.evaluate(img => (img as unknown as { naturalWidth: number }).naturalWidth === 320),
    )
    await axe(page)
    const saving = page.waitForEvent('download')
    await look.getByRole('link', { name: 'Herunterladen' }).click()
    const saved = await saving
    expect(saved.suggestedFilename()).toBe('Sign.png')
    await using folder = await openFolder()
    await saved.saveAs(join(folder.path, 'saved.png'))
    expect(await tintOf(await Bun.file(join(folder.path, 'saved.png')).bytes())).toBe('red')

    await look.getByRole('button', { name: 'Zurückholen' }).click()
    await page.getByText('„Sign.png“ hat wieder die frühere Fassung.').waitFor()
    expect(await tintAt(path)).toBe('red')
    await page.getByRole('button', { name: 'Rückgängig' }).click()
    await page.getByText('Rückgängig gemacht.').waitFor()
    expect(await tintAt(path)).toBe('blue')
    expect((await trashOf(on.service, on.session, `?pfad=${path}`)).gesamt).toBe(1)
  })

  leftToLong('an archive that is replaced by another is not unpacked', async () => {
    await store(on.service, on.token, 'packs/a.zip', 'the first archive')
    const page = await on.open('/dateien?ordner=packs&datei=packs/a.zip')
    await replaceBy(page, 'green', 'b.zip')
    expect(await tintAt('packs/a.zip')).toBe('green')
  })

  leftToLong('on a phone, in English', async () => {
    await store(on.service, on.token, 'phone/a.png', await png({ tint: 'red' }))
    const page = await on.open('/dateien?ordner=phone&datei=phone/a.png', { viewport: PHONE, language: 'en' })
    await replaceBy(page, 'green')
    await page.getByText('Replaced by admin').waitFor()
    await page.getByRole('button', { name: /Bring back the version until/ }).click()
    await page.getByText('“a.png” is the earlier version again.').waitFor()
    expect(await tintAt('phone/a.png')).toBe('red')
  })
})

leftToLong(
  'the trash says why it has what, filters by it, and exchanges a version with the file at its place',
  async () => {
    await store(on.service, on.token, 'why/deleted.png', await png())
    await throwAway(on.service, on.session, 'why/deleted.png')
    await store(on.service, on.token, 'why/a.png', await png({ tint: 'red' }))
    const open = await on.open('/dateien?ordner=why&datei=why/a.png')
    await replaceBy(open, 'green')
    const page = await on.open('/papierkorb')
    const row = (path: string) => page.getByRole('listitem').filter({ hasText: path })
    await row('why/deleted.png').getByText('gelöscht von admin').waitFor()
    await row('why/a.png').getByText('ersetzt von admin').waitFor()
    await axe(page)
    await page.getByLabel('Grund').selectOption('Ersetzt')
    await row('why/deleted.png').waitFor({ state: 'detached' })
    expect(await button(page, 'Papierkorb leeren').count()).toBe(0)
    await button(page, 'why/a.png wiederherstellen').click()
    await row('why/a.png').getByRole('alert').waitFor()
    expect(await tintAt('why/a.png')).toBe('green')
    await row('why/a.png').getByRole('button', { name: 'Austauschen' }).click()
    await page.getByText('1 Datei wiederhergestellt.').waitFor()
    expect(await tintAt('why/a.png')).toBe('red')
    await page.getByLabel('Grund').selectOption('Frist abgelaufen')
    await page.getByRole('heading', { name: 'Nichts aus diesem Grund' }).waitFor()
    await button(page, 'Alles zeigen').click()
    await row('why/deleted.png').waitFor()
  },
)
