/** Messages to the chat webhook are really sent and awaited, with a shorter quiet period. */

import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { store, upload } from '../support/api.ts'
import { CHAT_SECRET, openChat } from '../support/chat.ts'
import { ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { openFolder } from '../support/folder.ts'
import { leftToLong } from '../support/left-out.ts'
import { fill, mount, mountProblem, unmount } from '../support/mounts.ts'
import { startService } from '../support/service.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(180_000)
const QUIET = { FUNDUS_TEST_QUIET_MS: '500' }
const KB = 1024

const compat = (url: string, token: string) => {
  const form = new FormData()
  form.set('file', new File(['compat'], 'x.txt', { type: 'text/plain' }))
  return fetch(`${url}/api/v3/file`, { method: 'POST', headers: { Authorization: token }, body: form })
}

describe('upload', () => {
  test('one message after a quiet while: count, size, senders, first five paths; then the next one', async () => {
    using chat = openChat()
    // Longer than any pause between two of these uploads on a busy machine.
    const env = { FUNDUS_TEST_QUIET_MS: '2000', WEBHOOK_URL: chat.url }
    await using service = await startService({ env })
    const server = await service.createToken('--name', 'Spielserver')
    const bot = await service.createToken('--name', '@everyone _Bot_')
    for (let at = 1; at <= 4; at++) await store(service, server, `items/${at}.bin`, new Uint8Array(KB))
    // Overwriting counts as an upload, and so do the compatibility routes, equal content included.
    await store(service, server, 'items/1.bin', new Uint8Array(2 * KB))
    expect((await compat(service.url, bot)).status).toBe(200)
    expect((await compat(service.url, bot)).status).toBe(200)
    // Refused uploads do not count.
    expect(
      (await upload(service, server, 'x', { 'X-Path': 'items/1.bin', 'X-Overwrite': 'false' })).status,
    ).toBe(409)

    await chat.count(1)
    await store(service, server, 'items/later.bin', 'x')
    const [first, second] = await chat.count(2)
    expect(chat.received).toHaveLength(2)
    expect(first?.text.split('\n')).toEqual([
      'Fundus: 7 Dateien hochgeladen, zusammen 6,01 KB, von Spielserver, @\u200beveryone `_Bot_`',
      '• items/1.bin',
      '• items/2.bin',
      '• items/3.bin',
      '• items/4.bin',
      '• items/1.bin',
      '… und 2 weitere',
    ])
    expect(first?.body.allowed_mentions).toEqual({ parse: [] })
    expect(second?.text).toStartWith('Fundus: 1 Datei hochgeladen, zusammen 1 Byte, von Spielserver\n')
  })

  test('neither dashboard uploads nor restoring from the trash nor deleting send anything', async () => {
    using chat = openChat()
    await using service = await startService({ env: { ...QUIET, ...ADMIN_ENV, WEBHOOK_URL: chat.url } })
    const token = await service.createToken('--may-delete')
    const session = await signIn(service)
    const form = new FormData()
    form.set('file', new File(['by hand'], 'hand.txt'))
    const cookie = { Cookie: `fundus_sitzung=${session}` }
    const stored = await fetch(`${service.url}/api/dash/upload`, {
      method: 'POST',
      body: form,
      headers: cookie,
    })
    expect(((await stored.json()) as { gespeichert: unknown[] }).gespeichert).toHaveLength(1)
    await dash(service, 'media/loeschen', { json: { pfade: ['hand.txt'] }, session })
    const restored = await dash(service, 'papierkorb/wiederherstellen', { json: { nummern: [1] }, session })
    expect(((await restored.json()) as { wiederhergestellt: unknown[] }).wiederhergestellt).toHaveLength(1)
    await store(service, token, 'by-token.txt', 'x')
    await chat.count(1)
    expect(chat.received.map(({ text }) => text)).toEqual([
      'Fundus: 1 Datei hochgeladen, zusammen 1 Byte, von test\n• by-token.txt',
    ])
  })

  leftToLong('survives SIGKILL: overdue at the next start, one message', async () => {
    using chat = openChat()
    const env = { FUNDUS_TEST_QUIET_MS: '1000', WEBHOOK_URL: chat.url }
    await using service = await startService({ ownProcess: true, env })
    const token = await service.createToken()
    await store(service, token, 'kept/1.txt', 'x')
    await store(service, token, 'kept/2.txt', 'x')
    await service.kill9()
    expect(chat.received).toEqual([])
    await service.restart()
    await chat.count(1)
    expect(chat.received.map(({ text }) => text.split('\n')[0])).toEqual([
      'Fundus: 2 Dateien hochgeladen, zusammen 2 Byte, von test',
    ])
  })

  test('the address hangs, fails, or names itself: uploads go on, and nothing of it is written anywhere', async () => {
    using chat = openChat()
    const held = Promise.withResolvers<string>()
    chat.answerWith(async () => new Response(await held.promise, { status: 500 }))
    await using service = await startService({ env: { ...QUIET, ...ADMIN_ENV, LOG_LEVEL: 'debug' } })
    const session = await signIn(service)
    const saved = { WEBHOOK_URL: chat.url, WEBHOOK_ANLAESSE: ['upload'] }
    await dash(service, 'einstellungen', { method: 'PUT', json: saved, session })
    const token = await service.createToken()
    await store(service, token, 'a.txt', 'x')
    const [message] = await chat.count(1)
    await store(service, token, 'while-it-hangs.txt', 'x')
    held.resolve(`Cannot POST ${message?.path}`)
    await eventually('a line about it', () => service.output().includes('could not be sent yet'))
    const history = await (await dash(service, 'verlauf/export?was=verwaltung', { session })).text()
    expect(history).toContain('WEBHOOK_URL')
    for (const text of [history, service.output()]) {
      expect(text).not.toContain(CHAT_SECRET)
      expect(text).not.toContain(chat.origin)
    }
  })

  test('switched off: nothing is sent, until it is switched on', async () => {
    using chat = openChat()
    const env = { ...QUIET, ...ADMIN_ENV, WEBHOOK_URL: chat.url, WEBHOOK_ANLAESSE: 'sicherung,platte' }
    await using service = await startService({ env })
    const token = await service.createToken()
    const session = await signIn(service)
    await store(service, token, 'off.txt', 'x')
    await dash(service, 'einstellungen', { method: 'PUT', json: { WEBHOOK_ANLAESSE: ['upload'] }, session })
    await store(service, token, 'on.txt', 'x')
    await chat.count(1)
    expect(chat.received.map(({ text }) => text.split('\n').slice(1))).toEqual([['• on.txt']])
  })
})

describe('platte', () => {
  const unmountable = mountProblem()
  const name = 'a disk above 90 % is told of once, also over a restart (tmpfs)'
  test.skipIf(unmountable !== null)(unmountable === null ? name : `${name}: ${unmountable}`, async () => {
    using chat = openChat()
    await using folder = await openFolder()
    const dataDir = folder.path
    mount(dataDir, 20)
    try {
      await fill(join(dataDir, 'ballast'), 18.2 * KB * KB)
      await using service = await startService({
        dataDir,
        // A second process would need more room.
        env: { WEBHOOK_URL: `${chat.origin}/hooks/x`, WORKERS: '1' },
      })
      await chat.count(1)
      expect(chat.received[0]?.body).toEqual({
        text: expect.stringMatching(/^Fundus: Die Platte (von \S+ )?wird voll: 9[0-4] % sind belegt\.$/),
      })
      await service.restart()
      await rm(join(dataDir, 'ballast'))
      await service.restart()
      await chat.count(2)
      // Even if another instance has a disk with free space.
      expect(chat.received.map(({ text }) => text.slice(0, 18))).toEqual([
        'Fundus: Die Platte',
        'Fundus: Auf der Pl',
      ])
    } finally {
      unmount(dataDir)
    }
  })
})
