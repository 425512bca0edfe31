/**
 * A clock that was ahead and then corrected, or wrong for a single start: nothing is locked, skipped or
 * removed because of it.
 */
import { describe, expect, test } from 'bun:test'
import { read, store } from '../support/api.ts'
import { backUp } from '../support/backup.ts'
import { ADMIN_ENV, isSignedIn, signIn } from '../support/dashboard.ts'
import { onDatabase } from '../support/data-folder.ts'
import { type Service, startService } from '../support/service.ts'
import { throwAway, trashOf } from '../support/trash.ts'
import { eventually } from '../support/wait.ts'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR
const YEAR = 365 * DAY

interface Status {
  stand: string
  pruefungen: { was: string; ok: boolean; code?: string }[]
}
const statusOf = async (service: Service) => (await (await fetch(`${service.url}/status`)).json()) as Status
const checkOf = async (service: Service, was: string) =>
  (await statusOf(service)).pruefungen.find(check => check.was === was)

describe('a clock that was ahead', () => {
  test.each([
    ['two hours', 2 * HOUR],
    ['a year', YEAR],
  ])('by %s locks nobody out after it was corrected', async (_, clockAhead) => {
    await using service = await startService({ env: ADMIN_ENV, clockAhead })
    await signIn(service)
    await service.restart(undefined, { clockAhead: 0 })
    const session = await signIn(service)
    expect(await isSignedIn(service, session)).toBe(true)
  })

  test('a session begun with it does not last longer than one begun now', async () => {
    await using service = await startService({ env: ADMIN_ENV, clockAhead: YEAR })
    await signIn(service)
    await service.restart(undefined, { clockAhead: 0 })
    const latest = async () =>
      (await onDatabase<{ at: number }>(service.dataDir, 'select max(expires_at) as at from session'))[0]!.at
    await eventually('the session to be shortened', async () => (await latest()) <= Date.now() + 30 * DAY)
  })

  test('a backup made with it does not count as the last one', async () => {
    await using service = await startService({ env: ADMIN_ENV, clockAhead: YEAR })
    expect((await backUp(service, await signIn(service))).ok).toBe(true)
    expect(await checkOf(service, 'sicherung')).toMatchObject({ ok: true })
    await service.restart(undefined, { clockAhead: 0 })
    expect(await checkOf(service, 'sicherung')).toMatchObject({ ok: false, code: 'check-backup-ahead' })
    const doctor = await service.command('doctor')
    expect(doctor.stdout).toContain('trägt ein Datum in der Zukunft')
    expect((await backUp(service, await signIn(service))).ok).toBe(true)
  })
})

test('one start with a clock that is wrong removes nothing from the trash, and status and doctor say so', async () => {
  await using service = await startService({ env: ADMIN_ENV })
  const session = await signIn(service)
  await store(service, await service.createToken(), 'kept/a.txt', 'kept')
  await throwAway(service, session, 'kept/a.txt')
  expect(await checkOf(service, 'datenbank')).toEqual({ was: 'datenbank', ok: true })

  await service.restart(undefined, { clockAhead: 40 * DAY })
  await eventually('the clean-up', async () =>
    service.logs().some(({ message }) => String(message).includes('the clock has jumped')),
  )
  expect(await checkOf(service, 'datenbank')).toMatchObject({ ok: true, code: 'check-clock-jumped' })

  await service.restart(undefined, { clockAhead: 0 })
  const doctor = await service.command('doctor')
  expect(doctor.stdout).toContain('nichts wegen seines Alters entfernt')
  const { eintraege } = await trashOf(service, await signIn(service))
  expect(eintraege.map(({ path }) => path)).toEqual(['kept/a.txt'])
})

test('a clock a year behind: people sign in, files are stored, backups count; set right again, nothing is lost', async () => {
  await using service = await startService({ env: ADMIN_ENV })
  const token = await service.createToken()
  const session = await signIn(service)
  await store(service, token, 'kept/a.txt', 'kept')
  await store(service, token, 'kept/thrown.txt', 'thrown')
  await throwAway(service, session, 'kept/thrown.txt')
  expect((await backUp(service, session)).ok).toBe(true)

  await service.restart(undefined, { clockAhead: -YEAR })
  const behind = await read(service, 'kept/a.txt')
  expect(await behind.text()).toBe('kept')
  expect(Date.parse(behind.headers.get('last-modified')!)).toBeLessThanOrEqual(Date.now() - YEAR)
  const again = await signIn(service)
  await store(service, token, 'behind/b.txt', 'stored behind')
  await store(service, token, 'kept/a.txt', 'overwritten behind')
  expect((await backUp(service, again)).ok).toBe(true)
  expect(await checkOf(service, 'sicherung')).toMatchObject({ ok: true })
  await eventually('the clean-up', () =>
    service.logs().some(({ message }) => String(message).includes('the clock has jumped')),
  )

  await service.restart(undefined, { clockAhead: 0 })
  const now = await signIn(service)
  expect(await (await read(service, 'kept/a.txt')).text()).toBe('overwritten behind')
  expect(await (await read(service, 'behind/b.txt')).text()).toBe('stored behind')
  expect((await trashOf(service, now)).eintraege.map(({ path }) => path)).toEqual(['kept/thrown.txt'])
  expect((await service.command('check')).code).toBe(0)
})
