/** Archives can be downloaded, streamed, with their checksum; nothing else of the disk can be. */
import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectError, store } from '../support/api.ts'
import { backUp, saveSettings } from '../support/backup.ts'
import { ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { sharedService } from '../support/shared-service.ts'

const on = sharedService({ env: ADMIN_ENV })
const sum = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test('an archive is downloaded as it lies there, also from the second target alone, and its checksum fits', async () => {
  const session = await signIn(on.service)
  await store(on.service, on.token, 'a/b.txt', 'aufgehoben')
  const second = join(on.service.dataDir, 'zweite-platte')
  await saveSettings(on.service, session, { SICHERUNG_ZWEITZIEL: second })
  const { archiv } = await backUp(on.service, session)
  const lying = await Bun.file(join(second, archiv!)).bytes()
  await rm(join(on.service.dataDir, 'sicherung', archiv!))

  const answer = await dash(on.service, `sicherung/archiv/${archiv}`, { session })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-tar'])
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${archiv}"`)
  expect(answer.headers.get('content-length')).toBe(String(lying.length))
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(sum(await answer.bytes())).toBe(sum(lying))

  const checksum = await dash(on.service, `sicherung/archiv/${archiv}/pruefsumme`, { session })
  expect(await checksum.json()).toEqual({ sha256: sum(lying) })
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
