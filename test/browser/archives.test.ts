/**
 * The backup page: archives are downloaded with their checksum, and the page explains what a restore does.
 */
import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { backUp } from '../support/backup.ts'
import { dash } from '../support/dashboard.ts'
import { axe, dashboardTest, PHONE } from './dashboard.ts'

const on = dashboardTest()

test('an archive is downloaded under its name, its checksum can be read, and the restore is explained', async () => {
  const { archiv } = await backUp(on.service, on.session)
  const whole = await dash(on.service, `sicherung/archiv/${archiv}`, { session: on.session })
  const sha256 = createHash('sha256')
    .update(await whole.bytes())
    .digest('hex')

  const page = await on.open('/wartung/sicherung')
  const started = page.waitForEvent('download')
  await page.getByRole('link', { name: `${archiv} herunterladen` }).click()
  const download = await started
  expect(download.suggestedFilename()).toBe(archiv!)
  await download.cancel()

  await page.getByRole('button', { name: `Prüfsumme von ${archiv} berechnen` }).click()
  await page.getByText(sha256).waitFor()
  await page.getByText('setzt alles auf den Stand des Archivs').waitFor()
  await page.getByText('unter den neuesten, neuestes vollständiges').first().waitFor()
  await page.getByText(/belegt · .* frei · der letzte Lauf hat .* kopiert/).waitFor()
  await axe(page)

  const phone = await on.open('/wartung/sicherung', { viewport: PHONE, language: 'en' })
  await phone.getByRole('link', { name: `Download ${archiv}` }).waitFor()
  await phone.getByText('Restoring sets everything back').waitFor()
  expect(await phone.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
})
