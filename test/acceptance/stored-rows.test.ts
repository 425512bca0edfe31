/**
 * Every reader trusts a row, so no type that a header cannot carry is stored; and if such a row exists, from
 * an earlier version, an archive or another program, the file loses its type but is still served.
 */
import { beforeAll, describe, expect, test } from 'bun:test'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expectError, read, store, upload } from '../support/api.ts'
import { backUp } from '../support/backup.ts'
import { BASE64_ROUTE, expectStored, file, post, postBase64 } from '../support/compat.ts'
import { ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { onDatabase } from '../support/data-folder.ts'
import { openFolder } from '../support/folder.ts'
import { sharedLibrary } from '../support/library.ts'
import { startService } from '../support/service.ts'

const on = sharedLibrary()

describe('a declared type that is none counts as undeclared', () => {
  const evil = ['image/png\r\nX-Evil: 1', 'image/\u0000png', 'bild/größe', 'image/€', 'image', 'a/b/c']

  test.each(evil)('in a data URL: %j', async type => {
    const text = `only text, ${type}`
    const base64 = `data:${type};base64,${Buffer.from(text).toString('base64')}`
    const { path } = await expectStored(
      await postBase64(on.service, on.token, { base64, filename: 'notiz.txt' }),
      BASE64_ROUTE,
    )
    const response = await read(on.service, path)
    expect([response.status, await response.text()]).toEqual([200, text])
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(response.headers.get('x-evil')).toBeNull()
  })

  test('the twin: a type that is one counts, parameters or not', async () => {
    for (const type of ['application/pdf', 'application/pdf; a="b"', 'application/pdf;codecs=a']) {
      const base64 = `data:${type};base64,${Buffer.from(`text, ${type}`).toString('base64')}`
      const { path } = await expectStored(await postBase64(on.service, on.token, { base64 }), BASE64_ROUTE)
      expect((await read(on.service, path)).headers.get('content-type')).toBe('application/pdf')
    }
  })

  test.each(['text/\u00e4', 'image', 'image/png/x', '<b>/x', `a/${'b'.repeat(300)}`])(
    'of a form part: %j',
    async type => {
      const part = file('file', `text, ${type}`, { filename: 'notiz.txt', type })
      const { path } = await expectStored(
        await post(on.service, '/api/v3/file', on.token, [part]),
        '/api/v3/file',
      )
      const response = await read(on.service, path)
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/plain; charset=utf-8',
      ])
    },
  )

  test.each(['image', 'image/png;', 'text/html\u00a0;a=b', 'a/b\t;c'])(
    'but X-Mime %j was meant to be one: 400',
    async mime => {
      await expectError(
        await upload(on.service, on.token, 'x', { 'X-Path': 'a.txt', 'X-Mime': mime }),
        400,
        /X-Mime/,
      )
    },
  )
})

describe('a row with a type that no header can carry', () => {
  const MIMES = ['image/png\r\nX-Evil: 1', 'text/\u20ac', '', 'unsinn']
  const path = (at: number) => `zeile/${at}.png`
  beforeAll(async () => {
    for (const [at, mime] of MIMES.entries()) {
      await store(on.service, on.token, path(at), `content ${at}`)
      await onDatabase(on.service.dataDir, `update media set mime = '${mime}' where path = '${path(at)}'`)
    }
  })

  test('is served as bytes to be saved, never with a 500', async () => {
    for (const at of MIMES.keys()) {
      for (const headers of [{}, { Range: 'bytes=0-2' }, { 'If-None-Match': '*' }]) {
        const response = await read(on.service, path(at), headers)
        expect(response.status).toBeWithin(200, 305)
        expect(response.headers.get('content-type')).toBe('application/octet-stream')
        expect(response.headers.get('content-disposition')).toMatch(/^attachment/)
        expect(response.headers.get('x-evil')).toBeNull()
      }
    }
  })

  test('comes back from a backup with the type of its name; the restore names it, and the others come too', async () => {
    await using folder = await openFolder()
    await store(on.service, on.token, 'zeile/gut.txt', 'x', { 'X-Mime': 'application/x-kept' })
    await onDatabase(on.service.dataDir, `update media set size = 999 where path = '${path(0)}'`)
    const { archiv } = await backUp(on.service, on.session)
    const into = join(folder.path, 'data')
    const moved = join(folder.path, 'archiv.tar')
    await rename(join(on.service.dataDir, 'sicherung', archiv!), moved)
    await rename(join(on.service.dataDir, 'sicherung/bestand'), join(folder.path, 'bestand'))
    const { code, stdout } = await on.service.command('restore', moved, '--into', into)
    expect(code).toBe(0)
    expect(stdout).toMatch(/stimmte der Eintrag in der Sicherung nicht/)
    for (const at of MIMES.keys()) expect(stdout).toContain(`  ${path(at)}\n`)
    expect(stdout).not.toContain('zeile/gut.txt')
    await using copy = await startService({ dataDir: into, mode: 'embedded' })
    for (const at of MIMES.keys()) {
      const response = await read(copy, path(at))
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
      expect(await response.text()).toBe(`content ${at}`)
    }
    expect((await read(copy, 'zeile/gut.txt')).headers.get('content-type')).toBe('application/x-kept')
  })
})

test('saved settings that cannot be used fall back with a logged sentence, and the start goes on', async () => {
  await using service = await startService({ env: { ...ADMIN_ENV, DIENST: 'Umgebung' } })
  const rows = ["('MAX_UPLOAD_MB', '-1')", "('DIENST', 'kein JSON')", "('SICHERUNG_BEHALTEN', '\"3\"')"]
  await onDatabase(service.dataDir, `insert into setting (name, value) values ${rows.join(', ')}`)
  await service.restart()
  const response = await dash(service, 'einstellungen', { session: await signIn(service) })
  expect(await response.json()).toMatchObject({
    MAX_UPLOAD_MB: { wert: 64, quelle: 'vorgabe' },
    DIENST: { wert: 'Umgebung', quelle: 'umgebung' },
    SICHERUNG_BEHALTEN: { wert: 3, quelle: 'gespeichert' },
  })
  const told = service.logs().flatMap(({ setting, sentence }) => (setting ? [[setting, sentence]] : []))
  expect(Object.fromEntries(told)).toEqual({
    MAX_UPLOAD_MB:
      'Die gespeicherte Einstellung MAX_UPLOAD_MB muss größer als null sein; es gilt die Vorgabe.',
    DIENST:
      'Die gespeicherte Einstellung DIENST ist unlesbar gespeichert; es gilt der Wert aus der Umgebung.',
  })
})
