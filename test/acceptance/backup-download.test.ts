/** Archives can be downloaded with a checksum, as a stream; no other file on the disk can. */
import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectError, expectSameBytes, store } from '../support/api.ts'
import { backUp, saveSettings, unpack } from '../support/backup.ts'
import { randomBytes } from '../support/bytes.ts'
import { ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { openFolder } from '../support/folder.ts'
import { sharedService } from '../support/shared-service.ts'

const on = sharedService({ env: ADMIN_ENV })
const sum = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test('an archive is downloaded with all contents, also from the second target alone; it restores by itself, and its checksum fits', async () => {
  const session = await signIn(on.service)
  await store(on.service, on.token, 'a/b.txt', 'aufgehoben')
  const second = join(on.service.dataDir, 'zweite-platte')
  await saveSettings(on.service, session, { SICHERUNG_ZWEITZIEL: second })
  const { archiv } = await backUp(on.service, session)
  await rm(join(on.service.dataDir, 'sicherung', archiv!))

  const answer = await dash(on.service, `sicherung/archiv/${archiv}`, { session })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-tar'])
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${archiv}"`)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const whole = await answer.bytes()
  expect(answer.headers.get('content-length')).toBe(String(whole.length))
  const checksum = await dash(on.service, `sicherung/archiv/${archiv}/pruefsumme`, { session })
  expect(await checksum.json()).toEqual({ sha256: sum(whole) })

  await using folder = await openFolder()
  const file = join(folder.path, 'geladen.tar')
  await writeFile(file, whole)
  const checked = await on.service.command('restore', file, '--check-only')
  expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('eine Datei')])
  unpack(file, folder.path)
  expect(await readFile(join(folder.path, 'dateien/a/b.txt'), 'utf8')).toBe('aufgehoben')
  const restored = await on.service.command('restore', file, '--into', join(folder.path, 'neu'))
  expect([restored.code, restored.stderr]).toEqual([0, expect.any(String)])
})

describe('a download that was cut off', () => {
  const ranged = (session: string, archiv: string, headers: Record<string, string>) =>
    dash(on.service, `sicherung/archiv/${archiv}`, { session, headers })

  test('goes on at any byte, as long as it is the same archive', async () => {
    const session = await signIn(on.service)
    for (let at = 0; at < 20; at++)
      await store(on.service, on.token, `r/${at}.bin`, randomBytes(at, 1 + at * 700))
    const { archiv } = await backUp(on.service, session)
    const answer = await ranged(session, archiv!, {})
    const etag = answer.headers.get('etag')!
    const whole = await answer.bytes()
    for (let at = 0; at < 60; at++) {
      const start = Math.floor((whole.length * at) / 60)
      const part = await ranged(session, archiv!, { Range: `bytes=${start}-`, 'If-Range': etag })
      expect([part.status, part.headers.get('content-range')]).toEqual([
        206,
        `bytes ${start}-${whole.length - 1}/${whole.length}`,
      ])
      expectSameBytes(await part.bytes(), whole.subarray(start))
    }
    const middle = await ranged(session, archiv!, { Range: 'bytes=65000-80000' })
    expectSameBytes(await middle.bytes(), whole.subarray(65_000, 80_001))
    expect((await ranged(session, archiv!, { Range: 'bytes=1-', 'If-Range': '"other"' })).status).toBe(200)
    await expectError(await ranged(session, archiv!, { Range: `bytes=${whole.length}-` }), 416)
  })

  test('because a content is damaged never ends like a whole one; without it the answer is an error', async () => {
    const session = await signIn(on.service)
    await store(on.service, on.token, 'kaputt.bin', randomBytes(99, 100_000))
    const { archiv } = await backUp(on.service, session)
    const name = new Bun.CryptoHasher('sha256').update(randomBytes(99, 100_000)).digest('hex')
    const damaged = (folder: string) => join(folder, 'bestand', name.slice(0, 2), name)
    const file = damaged(join(on.service.dataDir, 'sicherung'))
    const bytes = await readFile(file)
    bytes[50_000]! ^= 1
    await writeFile(file, bytes)
    await expect(ranged(session, archiv!, {}).then(answer => answer.bytes())).rejects.toThrow()
    await rm(file)
    await expectError(await ranged(session, archiv!, {}), 409)
  })
})

test('only archives, only with a session', async () => {
  const session = await signIn(on.service)
  const folder = join(on.service.dataDir, 'sicherung')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'geheim.txt'), 'x')
  const absent = 'fundus-2020-01-01-000000.tar'
  for (const name of [absent, 'geheim.txt', '..%2Ffundus.db', '%2e%2e%2ffundus.db', '']) {
    for (const rest of ['', '/pruefsumme'])
      await expectError(await dash(on.service, `sicherung/archiv/${name}${rest}`, { session }), 404)
  }
  const response = await dash(on.service, `sicherung/archiv/${absent}`, { session })
  expect(response.headers.get('x-fehler-code')).toBe('archive-absent')
})
