/**
 * Share links in a browser: created and revoked in the dashboard, read by somebody without account or
 * JavaScript.
 */

import { beforeAll, describe, expect, test } from 'bun:test'
import { expectError, read, store } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { leftToLong } from '../support/left-out.ts'
import { media } from '../support/media.ts'
import { png } from '../support/pictures.ts'
import { type Share, share } from '../support/shares.ts'
import { eventually } from '../support/wait.ts'
import { axe, dashboardTest, PHONE } from './dashboard.ts'

const on = dashboardTest()

beforeAll(async () => {
  await store(on.service, on.token, 'album/hafen.png', await png())
  await store(on.service, on.token, 'album/tone.mp3', media('tone.mp3'))
  await store(on.service, on.token, 'album/waffen/axt.txt', '12345')
  await store(on.service, on.token, 'other/x.txt', 'x')
  // The public page has no script, so it requests a preview only once.
  await eventually('the preview', async () => (await fetch(`${on.service.url}/t/album/hafen.png.webp`)).ok)
})

const links = async () =>
  (await (await dash(on.service, 'freigaben', { session: on.session })).json()) as Share[]

describe('making a link', () => {
  test('of a folder that is picked; a stranger without JavaScript reads it', async () => {
    const page = await on.open('/freigaben')
    await page.getByText('Noch nichts freigegeben').waitFor()
    await page.getByRole('button', { name: 'Ordner freigeben' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/veröffentlicht die Liste, nicht den Inhalt/).waitFor()
    await dialog.getByRole('combobox', { name: 'Ordner' }).fill('alb')
    await page.getByRole('option', { name: 'album', exact: true }).click()
    await dialog.getByRole('button', { name: 'Link erstellen' }).click()
    const address = await dialog.getByRole('link', { name: 'Ansehen' }).getAttribute('href')
    expect((await links()).map(({ url, ordner }) => ({ url, ordner }))).toEqual([
      { url: address!, ordner: 'album' },
    ])

    const stranger = await on.open(new URL(address!).pathname, {
      signedOut: true,
      context: { javaScriptEnabled: false },
      // The test support tries to store something on each page, but a stored file is sandboxed.
      expected: [/sandboxed/],
    })
    expect(await stranger.getByRole('heading', { level: 1 }).textContent()).toBe('Ordner „album“')
    await stranger.getByRole('link', { name: /hafen\.png/ }).waitFor()
    await stranger.getByRole('heading', { name: /^waffen/ }).waitFor()
    const [answer] = await Promise.all([
      stranger.waitForResponse('**/f/album/waffen/axt.txt'),
      stranger.getByRole('link', { name: /axt\.txt/ }).click(),
    ])
    expect(answer.status()).toBe(200)
  })

  leftToLong('a folder that is not there: the sentence at the field, and what was typed stays', async () => {
    const page = await on.open('/freigaben?neu=nirgends', { expected: [/status of 404/] })
    const before = (await links()).length
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Link erstellen' }).click()
    await dialog.locator('.mantine-InputWrapper-error', { hasText: /Ordner/ }).waitFor()
    const field = dialog.getByRole('combobox', { name: 'Ordner' })
    expect(await field.inputValue()).toBe('nirgends')
    await field.fill('')
    await field.press('Enter')
    await dialog.getByText('Bitte einen Ordner wählen.').waitFor()
    await axe(page)
    expect(await links()).toHaveLength(before)
  })
})

leftToLong('withdrawing says that the files stay, and then the link opens nothing', async () => {
  const { schluessel } = await share(on.service, on.session, 'other')
  const page = await on.open('/freigaben', { scheme: 'dark' })
  await axe(page)
  await page.getByRole('button', { name: 'Link auf „other“ widerrufen' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/Die Dateien bleiben öffentlich/).waitFor()
  await dialog.getByRole('button', { name: 'Widerrufen' }).click()
  await page.getByText('Der Link ist widerrufen.').waitFor()
  await expectError(await fetch(`${on.service.url}/s/${schluessel}`), 404)
  expect((await read(on.service, 'other/x.txt')).status).toBe(200)
  expect((await links()).some(link => link.schluessel === schluessel)).toBe(false)
})

describe('the page of a stranger', () => {
  leftToLong.each(['light', 'dark'] as const)(
    'in %s, on a phone: nothing is wide, faint or without a name',
    async scheme => {
      const { schluessel } = await share(on.service, on.session, 'album')
      const page = await on.open(`/s/${schluessel}`, { signedOut: true, scheme, viewport: PHONE })
      await axe(page)
      await eventually('the preview is drawn', () => page.evaluate('document.images[0]?.naturalWidth > 0'))
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    },
  )
})
