/** The third target of the backup: a bucket of an S3-compatible store, with and without encryption. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { read, store } from '../support/api.ts'
import { backUp, backupState, saveSettings } from '../support/backup.ts'
import { ADMIN_ENV, signIn } from '../support/dashboard.ts'
import { openFolder } from '../support/folder.ts'
import { leftToLong } from '../support/left-out.ts'
import { listBucket, signedFetch, useBuckets } from '../support/s3.ts'
import { startService } from '../support/service.ts'

setDefaultTimeout(300_000)
const freshBucket = useBuckets()
const PASSWORD = 'ein langes Passwort'

async function settingsOf(password: string) {
  const bucket = await freshBucket()
  const settings = {
    SICHERUNG_S3_ENDPOINT: bucket.endpoint,
    SICHERUNG_S3_BUCKET: bucket.bucket,
    SICHERUNG_S3_REGION: bucket.region,
    SICHERUNG_S3_ACCESS_KEY_ID: bucket.accessKeyId,
    SICHERUNG_S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
    SICHERUNG_S3_PRAEFIX: 'fundus',
    SICHERUNG_PASSWORT: password,
  }
  return { bucket, settings }
}

async function journey(password: string): Promise<void> {
  const { bucket, settings } = await settingsOf(password)
  await using service = await startService({ mode: 'embedded', env: ADMIN_ENV })
  const session = await signIn(service)
  const token = await service.createToken()
  await store(service, token, 'ordner/a.txt', 'eins')
  await store(service, token, 'b.txt', 'zwei')
  await saveSettings(service, session, settings)
  const first = await backUp(service, session)
  expect(first).toMatchObject({ ok: true, orte: 2 })
  const names = await listBucket(bucket)
  expect(names.every(name => name.startsWith('fundus/'))).toBe(true)
  expect(names.filter(name => /bestand\/..\/[0-9a-f]{64}/.test(name))).toHaveLength(2)
  expect(names.includes('fundus/schluessel.age')).toBe(password !== '')

  // The second run copies only new contents.
  await store(service, token, 'c.txt', 'drei')
  const second = await backUp(service, session)
  expect(second).toMatchObject({ ok: true, orte: 2 })
  const { archive, letzter } = await backupState(service, session)
  expect([letzter?.orte, archive.map(({ orte }) => orte)]).toEqual([2, [2, 2]])
  const doctor = await service.command('doctor')
  expect(doctor.stdout).toContain('nimmt Sicherungen an')
  expect(doctor.stdout).not.toContain(PASSWORD)

  await using elsewhere = await openFolder()
  const into = join(elsewhere.path, 'data')
  const restored = await service.command('restore', '--from', 's3', '--into', into)
  expect([restored.code, restored.stdout]).toEqual([0, expect.stringContaining('3 Dateien')])
  await using other = await startService({ mode: 'embedded', env: ADMIN_ENV, dataDir: into })
  for (const [path, text] of [
    ['ordner/a.txt', 'eins'],
    ['c.txt', 'drei'],
  ] as const)
    expect(await (await read(other, path)).text()).toBe(text)
}

test('saved, run, counted, restored into another folder', () => journey(''))

leftToLong('the same with a password', () => journey(PASSWORD))

test('a damaged content is refused by restore with the name of its file', async () => {
  const { bucket, settings } = await settingsOf('')
  await using service = await startService({ mode: 'embedded', env: { ...ADMIN_ENV, ...settings } })
  const token = await service.createToken()
  await store(service, token, 'a.txt', 'eins')
  expect(await backUp(service, await signIn(service))).toMatchObject({ ok: true, orte: 2 })
  const name = (await listBucket(bucket)).find(each => /[0-9a-f]{64}$/.test(each))!
  await signedFetch(bucket, `${bucket.endpoint}/${bucket.bucket}/${name}`, { method: 'PUT', body: 'EINS' })
  const refused = await service.command('restore', '--from', 's3', '--check-only')
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('a.txt')])
})

test('a bucket that cannot be used is a sentence; the archive is at the first target all the same', async () => {
  const { settings } = await settingsOf(PASSWORD)
  await using service = await startService({ mode: 'embedded', env: ADMIN_ENV })
  const session = await signIn(service)
  await saveSettings(service, session, { ...settings, SICHERUNG_S3_SECRET_ACCESS_KEY: 'falsch' })
  const report = await backUp(service, session)
  expect(report).toMatchObject({ ok: false, orte: 1, fehler_codes: ['backup-bucket-unusable'] })
  expect(report.fehler).toContain(settings.SICHERUNG_S3_BUCKET)
  expect(report.fehler).not.toContain('falsch')
  const doctor = await service.command('doctor')
  expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining(settings.SICHERUNG_S3_BUCKET)])

  await saveSettings(service, session, { SICHERUNG_S3_ACCESS_KEY_ID: '', SICHERUNG_S3_SECRET_ACCESS_KEY: '' })
  expect(await backUp(service, session)).toMatchObject({
    ok: false,
    fehler_codes: ['backup-bucket-incomplete'],
  })

  await saveSettings(service, session, { SICHERUNG_S3_ENDPOINT: '', SICHERUNG_S3_BUCKET: '' })
  expect(await backUp(service, session)).toMatchObject({ ok: true, orte: 1 })
  const nothing = await service.command('restore', '--from', 's3')
  expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining('SICHERUNG_S3_ENDPOINT')])
})
