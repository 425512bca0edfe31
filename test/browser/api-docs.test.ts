/**
 * `/api/docs` in a real browser: readable without any other host, in English, and every operation can be
 * tried.
 */
import { expect, test } from 'bun:test'
import { axe, dashboardTest } from './dashboard.ts'

const on = dashboardTest()

test('try it: uploads, asks, and calls a route of the dashboard with the session; nothing comes from elsewhere', async () => {
  const page = await on.open('/api/docs?sprache=en', { expected: [/favicon/, /status of 400/] })
  const asked: string[] = []
  page.on('request', request => asked.push(new URL(request.url()).origin))
  const operation = (method: string, path: string) =>
    page
      .locator('details')
      .filter({ has: page.locator('summary', { hasText: `${method} ${path}` }) })
      .first()
  const send = async (method: string, path: string, fill: Record<string, string>) => {
    const one = operation(method, path)
    await one.locator('summary').click()
    for (const [name, value] of Object.entries(fill)) await one.locator(`[name="${name}"]`).fill(value)
    return one
  }
  await page.getByLabel('Token for this page').fill(on.token)

  const upload = await send('POST', '/api/upload', { 'X-Path': 'docs/tried.txt' })
  await upload
    .locator('input[type=file]')
    .setInputFiles({ name: 'tried.txt', mimeType: 'text/plain', buffer: Buffer.from('tried') })
  await upload.getByRole('button', { name: 'Send' }).click()
  await upload.getByText('"path": "docs/tried.txt"').waitFor()
  await axe(page)

  const exists = await send('GET', '/api/exists', { pfad: 'docs/tried.txt' })
  await exists.getByRole('button', { name: 'Send' }).click()
  await exists.getByText('"exists": true').waitFor()

  const me = await send('GET', '/api/dash/ich', {})
  await me.getByRole('button', { name: 'Send' }).click()
  await me.getByText('"benutzer": "admin"').waitFor()

  const rename = await send('POST', '/api/dash/media/umbenennen', {})
  await rename.locator('textarea').fill('{"pfad": "docs/tried.txt", "name": "a b"}')
  await rename.getByRole('button', { name: 'Send' }).click()
  await rename.getByText(/^400 /).waitFor()
  expect(new Set(asked)).toEqual(new Set([on.service.url]))
})
