/**
 * Every sentence in an answer has a code beside it, so that a program or the dashboard can show it in its own
 * language.
 */
import { expect, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { store } from '../support/api.ts'
import { backUp, saveSettings } from '../support/backup.ts'
import { ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { objectFiles, writeObject } from '../support/data-folder.ts'
import { sharedService } from '../support/shared-service.ts'

const on = sharedService({ env: ADMIN_ENV })

async function post<T>(route: string, json: unknown): Promise<T> {
  const response = await dash(on.service, route, { session: await signIn(on.service), json })
  expect(response.status).toBe(200)
  return (await response.json()) as T
}

interface Check {
  was: string
  ok: boolean
  code?: string
  grund?: string
  hinweis?: string
}

test('checks of /status: a remark and a reason have a code, a check without a sentence has none', async () => {
  const { pruefungen } = (await (await fetch(`${on.service.url}/status`)).json()) as { pruefungen: Check[] }
  const told = { hinweis: 'Es gibt noch keine Sicherung.', code: 'check-backup-never' }
  expect(pruefungen.at(-1)).toEqual({ was: 'sicherung', ok: true, ...told })
  expect(pruefungen.slice(0, -1).filter(({ code }) => code !== undefined)).toEqual([])
})

test('refusals in lists: moving, deleting, restoring, search and replace', async () => {
  await store(on.service, on.token, 'codes/a.txt', 'a')
  await store(on.service, on.token, 'codes/b.txt', 'b')
  const moved = await post<{ abgelehnt: unknown[] }>('media/verschieben', {
    pfade: ['codes/a.txt'],
    ordner: 'codes',
  })
  expect(moved.abgelehnt).toMatchObject([{ pfad: 'codes/a.txt', code: 'already-there' }])
  const deleted = await post<{ abgelehnt: unknown[] }>('media/loeschen', { pfade: ['codes/nichts.txt'] })
  expect(deleted.abgelehnt).toMatchObject([{ code: 'file-absent' }])
  const restored = await post<{ abgelehnt: unknown[] }>('papierkorb/wiederherstellen', { nummern: [99_999] })
  expect(restored.abgelehnt).toMatchObject([{ nr: 99_999, code: 'trash-entry-absent' }])
  const replaced = await post<{ konflikte: unknown[] }>('media/ersetzen', {
    suche: 'a.txt',
    ersatz: 'b.txt',
  })
  expect(replaced.konflikte).toMatchObject([{ von: 'codes/a.txt', code: 'path-taken' }])
})

test('a refused upload of the dashboard', async () => {
  await store(on.service, on.token, 'codes/c.txt', 'c')
  const form = new FormData()
  form.append('ordner', 'codes')
  form.append('file', new File(['anders'], 'c.txt'))
  const response = await fetch(`${on.service.url}/api/dash/upload`, {
    method: 'POST',
    headers: { Cookie: `fundus_sitzung=${await signIn(on.service)}` },
    body: form,
  })
  expect(await response.json()).toMatchObject({ abgelehnt: [{ name: 'c.txt', code: 'path-taken' }] })
})

test('findings of the integrity check', async () => {
  await store(on.service, on.token, 'codes/heil.txt', 'heil')
  const [object = ''] = await objectFiles(on.service.dataDir, 'codes/heil.txt')
  await writeObject(on.service.dataDir, object, 'HEIL')
  const session = await signIn(on.service)
  await on.service.command('check')
  const { integritaet } = (await (await dash(on.service, 'uebersicht', { session })).json()) as {
    integritaet: { befunde: unknown[] }
  }
  expect(integritaet.befunde).toMatchObject([{ pfad: 'codes/heil.txt', code: 'finding-content' }])
  await writeObject(on.service.dataDir, object, 'heil')
})

test('a failed backup: one code for each sentence; a good one has none', async () => {
  const session = await signIn(on.service)
  await writeFile(join(on.service.dataDir, 'keinordner'), '')
  await saveSettings(on.service, session, { SICHERUNG_ZIEL: join(on.service.dataDir, 'keinordner') })
  expect(await backUp(on.service, session)).toMatchObject({
    ok: false,
    fehler_codes: ['backup-target-unusable'],
  })
  await saveSettings(on.service, session, { SICHERUNG_ZIEL: '' })
  expect(await backUp(on.service, session)).not.toHaveProperty('fehler_codes')
})
