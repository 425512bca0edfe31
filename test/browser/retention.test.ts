/**
 * The retention page: a rule is tried, saved, run, and undone from the history; the due date of a file in its
 * details.
 */
import { beforeAll, expect, test } from 'bun:test'
import { store } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { onDatabase } from '../support/data-folder.ts'
import { leftToLong } from '../support/left-out.ts'
import { png } from '../support/pictures.ts'
import { trashOf } from '../support/trash.ts'
import { eventually } from '../support/wait.ts'
import { axe, dashboardTest, PHONE } from './dashboard.ts'

const on = dashboardTest()
const DAY = 24 * 60 * 60 * 1000

beforeAll(async () => {
  for (const name of ['a', 'b', 'c']) await store(on.service, on.token, `handy/${name}.png`, await png())
  await store(on.service, on.token, 'handy/neu.png', await png())
  // A page that was opened before the preview was made does not show it.
  await eventually('the preview', async () => (await fetch(`${on.service.url}/t/handy/a.png.webp`)).ok)
  await onDatabase(
    on.service.dataDir,
    `update media set updated_at = updated_at - ${40 * DAY} where path like 'handy/_.png'`,
  )
})

const savedRules = async () =>
  ((await (await dash(on.service, 'fristen', { session: on.session })).json()) as { regeln: unknown[] })
    .regeln
const inTrash = async () => (await trashOf(on.service, on.session)).eintraege.map(({ path }) => path).sort()

test('a rule is tried, saved and run; one click in the history brings everything back', async () => {
  const page = await on.open('/fristen')
  await page.getByText('Noch keine Fristen').waitFor()
  await page.getByRole('button', { name: 'Frist hinzufügen' }).click()
  await page.getByRole('combobox', { name: 'Ordner' }).fill('han')
  await page.getByRole('option', { name: 'handy', exact: true }).click()
  await page.getByText('Noch nicht gespeichert').waitFor()

  await page.getByRole('button', { name: 'Probelauf' }).click()
  const trial = page.getByRole('region', { name: 'Ergebnis des Probelaufs' })
  await trial.getByText(/Jetzt gingen 3 Dateien in den Papierkorb/).waitFor()
  const examples = page.getByRole('list', { name: 'Beispiele' })
  expect(await examples.getByRole('link').count()).toBe(3)
  await examples.getByRole('link', { name: 'a.png' }).locator('img').waitFor()
  // Only saved rules can be run, and the trial has saved and moved nothing.
  expect(await trial.getByRole('button', { name: 'Jetzt ausführen' }).isDisabled()).toBe(true)
  expect([await savedRules(), await inTrash()]).toEqual([[], []])

  await page.getByRole('button', { name: 'Speichern' }).click()
  await page.getByText(/Wirkt als Nächstes am/).waitFor()
  expect(await savedRules()).toEqual([{ ordner: 'handy', tage: 30, ab: 'hochgeladen' }])
  await axe(page)

  await trial.getByRole('button', { name: 'Jetzt ausführen' }).click()
  await page.getByText(/3 Dateien liegen jetzt im Papierkorb/).waitFor()
  expect(await inTrash()).toEqual(['handy/a.png', 'handy/b.png', 'handy/c.png'])

  await page.getByRole('link', { name: 'Im Verlauf ansehen und zurücknehmen' }).click()
  await page.getByRole('button', { name: /3 Dateien in den Papierkorb gelegt.*Frist für „handy“/ }).click()
  await page.getByRole('button', { name: 'Rückgängig' }).click()
  await eventually('everything is back', async () => (await inTrash()).length === 0)
  expect(await (await fetch(`${on.service.url}/f/handy/a.png`)).ok).toBe(true)
})

leftToLong('wrong fields say what is wrong beside them; nothing is sent', async () => {
  const page = await on.open('/wartung')
  await page.getByRole('link', { name: 'Fristen' }).first().click()
  await page.getByRole('button', { name: 'Frist hinzufügen' }).click()
  const rule = page.getByRole('listitem', { name: 'Frist für „Alle Dateien“' })
  await rule.getByRole('textbox', { name: 'Tage' }).fill('0')
  await rule.getByRole('combobox', { name: 'Ordner' }).fill('handy')
  const before = await savedRules()
  await page.getByRole('button', { name: 'Speichern' }).click()
  await page.getByText('Für diesen Ordner gibt es schon eine Frist.').waitFor()
  await page.getByText('Eine ganze Zahl von 1 bis 36.500.').waitFor()
  expect(await savedRules()).toEqual(before)
  // The way back does not ask, and keeps what was entered.
  await page.goBack()
  await page.goForward()
  expect(await page.getByRole('textbox', { name: 'Tage' }).last().inputValue()).toBe('0')
  // Leaving the page asks for confirmation.
  await page.getByRole('link', { name: 'Papierkorb' }).first().click()
  await page.getByRole('dialog').getByText('Die geänderten Fristen gehen verloren.').waitFor()
  await page.getByRole('button', { name: 'Verwerfen' }).click()
  await page.getByRole('heading', { name: 'Papierkorb', exact: true }).waitFor()
})

leftToLong('the details of a file say when it ends and why', async () => {
  const page = await on.open('/dateien?ordner=handy&datei=handy/neu.png')
  const details = page.getByRole('dialog')
  await details.getByText('30 Tage nach dem Hochladen, Frist für „handy“').waitFor()
  await details.getByText('Endet', { exact: true }).waitFor()
})

leftToLong('in English, on a phone: an exempt folder, and a trash that is too small', async () => {
  const cap = (value: number | null) =>
    dash(on.service, 'einstellungen', {
      method: 'PUT',
      json: { PAPIERKORB_MAX_MB: value },
      session: on.session,
    })
  await cap(0.0001)
  await onDatabase(
    on.service.dataDir,
    `update media set updated_at = updated_at - ${40 * DAY}, restored_at = null where path like 'handy/_.png'`,
  )
  const page = await on.open('/fristen', { language: 'en', viewport: PHONE })
  await page.getByRole('button', { name: 'Add a rule' }).click()
  const rule = page.getByRole('listitem', { name: 'Rule for “All files”' })
  await rule.getByRole('combobox', { name: 'Counted from' }).selectOption('Never ends')
  await rule.getByRole('combobox', { name: 'Folder' }).fill('keep')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Files here stay').waitFor()
  await page.getByRole('button', { name: 'Trial run' }).click()
  await page.getByText(/The trash holds .* too large, and within an hour/).waitFor()
  await axe(page)
  expect(await savedRules()).toContainEqual({ ordner: 'keep', tage: null })
  await cap(null)
})
