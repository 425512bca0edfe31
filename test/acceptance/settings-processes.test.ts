/**
 * Several processes on one data folder: a change takes effect at once in all of them, whichever process makes
 * it.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { read, store } from '../support/api.ts'
import { ADMIN_ENV, dash, processWithInput, signIn } from '../support/dashboard.ts'
import { startService } from '../support/service.ts'

setDefaultTimeout(180_000)

test('a change through one service is in force in the other with the next request', async () => {
  await using one = await startService({ env: ADMIN_ENV })
  await using two = await startService({ dataDir: one.dataDir })
  const token = await one.createToken()
  const session = await signIn(one)
  for (let round = 0; round < 20; round++) {
    const [from, other] = round % 2 ? [two, one] : [one, two]
    const json = { PUBLIC_URL: `https://round-${round}.example.org` }
    expect((await dash(from, 'einstellungen', { method: 'PUT', json, session })).status).toBe(200)
    expect((await store(other, token, 'a.txt', 'a')).url).toBe(`${json.PUBLIC_URL}/f/a.txt`)
  }
})

test('FILES_HOST on the way of every file: busy readers of the other process see it at once', async () => {
  await using one = await startService({ env: ADMIN_ENV })
  await using two = await startService({ dataDir: one.dataDir })
  const session = await signIn(one)
  await store(one, await one.createToken(), 'a.txt', 'a')
  let busy = true
  const crowd = Array.from({ length: 8 }, async () => {
    while (busy) await (await read(two, 'a.txt')).arrayBuffer()
  })
  try {
    for (const [host, status] of [
      ['files.test', 404],
      ['', 200],
      ['files.test', 404],
      ['', 200],
    ] as const) {
      const json = { FILES_HOST: host }
      expect((await dash(one, 'einstellungen', { method: 'PUT', json, session })).status).toBe(200)
      expect((await read(two, 'a.txt')).status).toBe(status)
    }
  } finally {
    busy = false
    await Promise.all(crowd)
  }
})

test('fundus settings: list, get, set, unset beside the running service', async () => {
  await using service = await startService({ env: { ...ADMIN_ENV, DIENST: 'Umgebung' } })
  const session = await signIn(service)
  const wert = async (name: string) => {
    const all = (await (await dash(service, 'einstellungen', { session })).json()) as Record<
      string,
      { wert: unknown; gesetzt?: boolean }
    >
    return all[name]?.wert ?? all[name]?.gesetzt
  }
  expect(await service.commandProcess('settings', 'set', 'MAX_UPLOAD_MB', '1,5')).toMatchObject({ code: 0 })
  expect(await wert('MAX_UPLOAD_MB')).toBe(1.5)
  expect((await service.command('settings', 'get', 'max_upload_mb')).stdout).toBe('1.5\n')
  expect((await service.command('settings', 'set', 'WEBHOOK_ANLAESSE', 'platte,upload')).code).toBe(0)
  expect(await wert('WEBHOOK_ANLAESSE')).toEqual(['platte', 'upload'])

  const secret = 'https://discord.com/api/webhooks/1/very-secret'
  expect(
    (await processWithInput(service, `${secret}\n`, 'settings', 'set', 'WEBHOOK_URL', '--stdin')).code,
  ).toBe(0)
  expect(await wert('WEBHOOK_URL')).toBe(true)
  const list = (await service.command('settings', 'list')).stdout
  expect(list).toMatch(/^MAX_UPLOAD_MB +gespeichert +1\.5$/m)
  expect(list).toMatch(/^DIENST +umgebung +Umgebung$/m)
  expect(list).toMatch(/^SICHERUNG_BEHALTEN +vorgabe +14$/m)
  expect(list).not.toContain('very-secret')
  expect((await service.command('settings', 'get', 'WEBHOOK_URL')).stdout.trim()).toBe(secret)

  expect((await service.command('settings', 'unset', 'MAX_UPLOAD_MB')).code).toBe(0)
  expect(await wert('MAX_UPLOAD_MB')).toBe(64)

  for (const [args, about] of [
    [['set', 'MAX_UPLOAD_MB', 'viel'], /MAX_UPLOAD_MB muss eine Zahl/],
    [['set', 'MAX_UPLOAD_MB'], /fehlt der Wert/],
    [['set', 'NICHTS', '1'], /gibt es nicht/],
    [['get'], /fehlt der Name/],
    [['unset', 'NICHTS'], /gibt es nicht/],
  ] as const) {
    const { code, stderr } = await service.command('settings', ...args)
    expect([code, stderr]).toEqual([2, expect.stringMatching(about)])
  }
  const { eintraege } = (await (await dash(service, 'verwaltung', { session })).json()) as {
    eintraege: { wer: string }[]
  }
  expect(eintraege[0]?.wer).toBe('Kommandozeile')
})

test('saved settings outlive a restart and win over a changed environment', async () => {
  await using service = await startService({ env: { ...ADMIN_ENV, DIENST: 'Alt' } })
  const session = await signIn(service)
  await dash(service, 'einstellungen', { method: 'PUT', json: { DIENST: 'Gespeichert' }, session })
  await service.restart({ DIENST: 'Neu' })
  const answer = await (await dash(service, 'einstellungen', { session })).json()
  expect(answer).toMatchObject({ DIENST: { wert: 'Gespeichert', quelle: 'gespeichert' } })
})
