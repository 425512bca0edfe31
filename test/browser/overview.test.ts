/** The overview: the first steps of an empty service, then figures, chart, lists, backup and checks. */

import { describe, expect, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { store } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { leftToLong } from '../support/left-out.ts'
import { png } from '../support/pictures.ts'
import { setRetrievalDays, setRetrievals } from '../support/seed.ts'
import { eventually } from '../support/wait.ts'
import { axe, dashboardTest, PHONE } from './dashboard.ts'

const on = dashboardTest()

const figure = (page: Page, label: string) =>
  page.locator('dl > div', { has: page.getByText(label, { exact: true }) }).locator('dd')

describe('a service without a file', () => {
  test('begins with three steps; what is done has its tick', async () => {
    const page = await on.open('/', { viewport: PHONE })
    const steps = page.getByRole('main').locator('ol > li')
    await steps.first().waitFor()
    expect(await steps.count()).toBe(3)
    // The test support has created a token.
    await steps.nth(1).getByText('(erledigt)').waitFor()
    await axe(page)
    await steps.nth(2).getByRole('link', { name: 'Zu den Einstellungen' }).click()
    await page.waitForURL('**/einstellungen#adressen')
  })

  leftToLong('the first file takes their place', async () => {
    const page = await on.open('/')
    await page.getByText('Willkommen bei Fundus').waitFor()
    await store(on.service, on.token, 'clips/eins.txt', 'x'.repeat(1024))
    await page.getByRole('heading', { name: 'Abrufe pro Tag' }).waitFor()
    expect(await page.getByText('Willkommen bei Fundus').count()).toBe(0)
  })
})

describe('a service with files', () => {
  test('figures, chart and lists say what happened', async () => {
    await store(on.service, on.token, 'clips/eins.txt', 'x'.repeat(1024))
    await store(on.service, on.token, 'clips/zwei.txt', 'x'.repeat(512))
    await setRetrievals(on.service.dataDir, 'clips/eins.txt', 3)
    await setRetrievalDays(on.service.dataDir, [3])
    const page = await on.open('/')
    await figure(page, 'Dateien').waitFor()
    expect(await figure(page, 'Dateien').textContent()).toBe('2')
    expect(await figure(page, 'Belegt').textContent()).toBe('1,5 KB')
    expect(await figure(page, 'Abrufe in 7 Tagen').textContent()).toBe('3')
    expect(await figure(page, 'Freier Platz').textContent()).toMatch(/^[\d.,]+ [KMGT]Bvon [\d.,]+ [KMGT]B$/)

    const most = page.getByRole('region', { name: 'Am meisten abgerufen' })
    // Its name is there twice, once for screen readers.
    const [retrieved = '', ...others] = await most.getByRole('listitem').allTextContents()
    expect([retrieved, others]).toEqual([expect.stringMatching(/eins\.txt3 Abrufe · clips$/), []])
    const never = page.getByRole('region', { name: 'Nie abgerufen' })
    expect(await never.getByRole('heading').textContent()).toBe('Nie abgerufen1')
    expect(await never.getByRole('listitem').count()).toBe(1)
    await axe(page)
    const all = page.getByRole('link', { name: 'Alle zeigen: Am meisten abgerufen' })
    expect(await all.getAttribute('href')).toBe('/dateien?unterordner=1&sortierung=abrufe&richtung=ab')
  })

  test('a new picture gets its preview when the service has made it', async () => {
    await store(on.service, on.token, 'bilder/neu.png', await png())
    const url = `${on.service.url}/t/bilder/neu.png.webp`
    await eventually('the preview is made', async () => (await fetch(url)).status === 200)
    const page = await on.open('/anmelden')
    await page.addInitScript(`window.EventSource = class extends EventTarget {
      constructor() { super(); window.events = this }
      close() {}
    }`)
    // In the first answer, the preview is still to be made.
    await page.route(
      '**/api/dash/uebersicht',
      async route => {
        const response = await route.fetch()
        const body = (await response.text()).replace(/"vorschau":"[^"]+"/g, '"vorschau":null')
        await route.fulfill({ response, body })
      },
      { times: 1 },
    )
    await page.goto(on.service.url)
    const newest = page.getByRole('region', { name: 'Neueste' })
    await newest.getByText('neu.png').first().waitFor()
    expect(await newest.locator('img').count()).toBe(0)
    const event = `{ data: '{"pfad":"bilder/neu.png"}' }`
    await page.evaluate(`events.dispatchEvent(new MessageEvent('vorschau', ${event}))`)
    // Without the event, the page would request the overview again after a minute.
    await newest.locator('img').waitFor({ timeout: 30_000 })
  })

  leftToLong('the chart is walked through by keys and pointer, and is a table too', async () => {
    const page = await on.open('/', { scheme: 'dark' })
    const chart = page.getByRole('slider', { name: 'Abrufe pro Tag' })
    await chart.focus()
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/: 3 Abrufe$/)
    await page.keyboard.press('ArrowLeft')
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/: 0 Abrufe$/)
    const box = (await chart.boundingBox())!
    await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2)
    await page.getByText(/^\d{2}\.\d{2}\.\d{4}: 3 Abrufe$/).waitFor()
    await page.getByText('Als Tabelle').click()
    const rows = page.getByRole('table', { name: 'Abrufe pro Tag' }).getByRole('row')
    expect(await rows.count()).toBe(31)
    expect(await rows.nth(1).textContent()).toMatch(/3$/)
    await axe(page)
  })

  leftToLong('the last backup with its places and warnings, and the six checks', async () => {
    const page = await on.open('/')
    const backup = page.getByRole('region', { name: 'Letzte Sicherung' })
    await backup.getByText(/^Noch keine\./).waitFor()
    await page.getByRole('region', { name: 'Zustand' }).getByText('Datenbank').waitFor()
    const state = page.getByRole('region', { name: 'Zustand' })
    expect(await state.getByLabel('in Ordnung').count()).toBe(5)
    // No green tick beside „Es gibt noch keine Sicherung“.
    expect(await state.getByLabel('noch offen').count()).toBe(1)

    await dash(on.service, 'sicherung?warten=1', { session: on.session, method: 'POST' })
    await page.reload()
    await backup.getByText(/^Gelungen/).waitFor()
    await backup.getByText(/fundus-.*\.tar · .* · nur an einem Ort/).waitFor()
    await backup.getByText(/auf derselben Festplatte wie die Dateien/).waitFor()

    await rm(join(on.service.dataDir, 'sicherung'), { recursive: true })
    await page.reload()
    await backup.getByText(/fundus-.*\.tar · .* · an keinem Ort mehr/).waitFor()
  })

  leftToLong('English is a language of its own', async () => {
    const page = await on.open('/', { language: 'en' })
    await page.getByRole('heading', { name: 'Views per day' }).waitFor()
    expect(await page.locator('dl').textContent()).not.toMatch(/Datei|Belegt|Abruf|Platz|von/)
    const titles = await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents()
    expect(titles.map(title => title.replace(/\d+$/, ''))).toEqual([
      'Views per day',
      'Kinds',
      'Newest',
      'Most viewed',
      'Never viewed',
      'Last backup',
      'Status',
    ])
  })
})
