/** When the service runs its jobs: the counters, the trash and the backup, as the contract says. */
import { afterEach, describe, expect, jest, test } from 'bun:test'
import { useTimeZone } from '../../test/support/time-zone.ts'
import { eventually } from '../../test/support/wait.ts'
import { DAY, HOUR, SECOND } from '../contract/values/units.ts'
import { lastEndedRun } from '../features/backup/run/backup.store.ts'
import { findByNr, putRow } from '../features/media/media.store.ts'
import { startJobs } from '../jobs/scheduler.ts'
import { createTestApp } from '../testing/app.ts'
import { openInstance } from '../testing/instance.ts'

afterEach(() => {
  jest.useRealTimers()
})

test('a retrieval stands in the database after 30 seconds and not before', async () => {
  await using instance = await openInstance()
  const { features, parts, job } = createTestApp(instance, Date.now)
  const file = {
    id: 'a',
    path: 'a.txt',
    object: 'files/x',
    size: 1,
    sha256: 'f',
    mime: 'text/plain',
    kind: 'dokumente' as const,
  }
  const rest = { token_id: null, created_at: 1, updated_at: 1, derived: 'done' as const }
  const nr = await instance.database.transaction(tx => putRow(tx, { ...file, ...rest }))
  const written = async () => (await findByNr(instance.database.read, nr))?.retrievals
  jest.useFakeTimers()
  const jobs = startJobs({ ...parts, jobs: [job('retrieval counters')] })
  features.counters.retrievals.count(nr)
  jest.advanceTimersByTime(30 * SECOND - 1)
  expect(await written()).toBe(0)
  jest.advanceTimersByTime(1)
  jest.useRealTimers()
  await eventually('it happens', async () => (await written()) === 1)
  await jobs.stop()
})

test('the trash is cleared at the start and an hour later, without anybody asking', async () => {
  let clock = Date.UTC(2026, 10, 16)
  await using instance = await openInstance()
  const { parts, features, job } = createTestApp(instance, () => clock)
  const entry = {
    media_nr: 1,
    retrievals: 0,
    deleted_by: 'admin',
    id: 'a',
    path: 'a.txt',
    object: 'trash/1~a.txt',
    size: 1,
  }
  const rest = {
    sha256: 'f',
    mime: 'text/plain',
    kind: 'dokumente' as const,
    token_id: null,
    created_at: 1,
    updated_at: 1,
  }
  const entries = () => instance.database.read.selectFrom('trash').select('nr').execute()
  jest.useFakeTimers()
  const jobs = startJobs({ ...parts, jobs: [job('trash')] })
  jest.useRealTimers()
  await eventually('it happens', async () => jobs.outcomes()[0]!.succeeded === 1)
  await instance.database.transaction(tx =>
    tx
      .insertInto('trash')
      .values({ ...entry, ...rest, deleted_at: clock })
      .execute(),
  )
  await jobs.stop()

  jest.useFakeTimers()
  const later = startJobs({ ...parts, jobs: [{ ...job('trash'), atStart: false } as never] })
  clock += 31 * DAY
  jest.advanceTimersByTime(HOUR - 1)
  expect(await entries()).toHaveLength(1)
  jest.advanceTimersByTime(1)
  jest.useRealTimers()
  await eventually('it happens', async () => (await entries()).length === 0)
  await later.stop()
  await features.files.discards.stop()
})

test('the backup runs at its time of day, once, and not before', async () => {
  let clock = new Date(2026, 10, 16, 5, 14, 59).getTime()
  await using instance = await openInstance()
  const { parts, job } = createTestApp(instance, () => clock, { SICHERUNG_UHRZEIT: '05:15' })
  const jobs = startJobs({ ...parts, jobs: [job('backup')], checkInterval: 1 })
  await Bun.sleep(100)
  expect(await lastEndedRun(instance.database.read)).toBeNull()
  clock += SECOND
  await eventually('it happens', async () => (await lastEndedRun(instance.database.read)) !== null)
  expect((await lastEndedRun(instance.database.read))!.report).toMatchObject({ ok: true, zeit: clock })
  await eventually('it happens', async () => jobs.outcomes()[0]!.succeeded === 1)
  clock += 23 * HOUR
  await Bun.sleep(100)
  expect(jobs.outcomes()[0]).toMatchObject({ succeeded: 1, failed: 0 })
  await jobs.stop()
})

test('the retention rules run at 05:00, once, and not before', async () => {
  let clock = new Date(2026, 10, 16, 4, 59, 59).getTime()
  await using instance = await openInstance()
  const { parts, job } = createTestApp(instance, () => clock)
  const { database } = instance
  const file = { id: 'a', path: 'a.txt', object: 'files/x', size: 1, sha256: 'f', mime: 'text/plain' }
  const rest = { kind: 'dokumente' as const, token_id: null, created_at: 1, derived: 'done' as const }
  await database.transaction(async tx => {
    await putRow(tx, { ...file, ...rest, updated_at: clock - DAY })
    await tx
      .insertInto('retention_rule')
      .values({ nr: 0, folder: '', days: 1, start: 'hochgeladen' })
      .execute()
  })
  const trashedPaths = () => database.read.selectFrom('trash').select('path').execute()
  const jobs = startJobs({ ...parts, jobs: [job('retention')], checkInterval: 1 })
  await Bun.sleep(100)
  expect(await trashedPaths()).toEqual([])
  clock += SECOND
  await eventually('it happens', async () => (await trashedPaths()).length === 1)
  await eventually('it has ended', async () => jobs.outcomes()[0]!.succeeded === 1)
  clock += 23 * HOUR
  await Bun.sleep(100)
  expect(jobs.outcomes()[0]).toMatchObject({ succeeded: 1, failed: 0 })
  await jobs.stop()
})

describe('where the clocks change', () => {
  useTimeZone('Europe/Berlin')

  test('in the night in which 02:30 comes twice the backup runs at the first one, and once', async () => {
    let clock = Date.parse('2026-10-25T02:29:59+02:00')
    await using instance = await openInstance()
    const { parts, job } = createTestApp(instance, () => clock, { SICHERUNG_UHRZEIT: '02:30' })
    const jobs = startJobs({ ...parts, jobs: [job('backup')], checkInterval: 1 })
    const ran = () => jobs.outcomes()[0]!.succeeded
    clock += SECOND
    await eventually('the first 02:30', () => ran() === 1)
    const first = (await lastEndedRun(instance.database.read))!
    expect(first.report).toMatchObject({ ok: true, archiv: 'fundus-2026-10-25-023000.tar' })
    // The second occurrence, and the rest of this day of 25 hours.
    for (
      clock = Date.parse('2026-10-25T02:30:00+01:00');
      clock < first.report.zeit + 25 * HOUR;
      clock += HOUR
    ) {
      await Bun.sleep(20)
      expect(ran()).toBe(1)
    }
    clock = Date.parse('2026-10-26T02:30:00+01:00')
    await eventually('the next night', () => ran() === 2)
    await jobs.stop()
  })
})

test('a backup that failed counts as a failed run of its job', async () => {
  let clock = new Date(2026, 10, 16, 5, 14, 59).getTime()
  await using instance = await openInstance()
  const { parts, job } = createTestApp(instance, () => clock, {
    SICHERUNG_UHRZEIT: '05:15',
    SICHERUNG_ZIEL: '/dev/null/none',
  })
  const jobs = startJobs({ ...parts, jobs: [job('backup')], checkInterval: 1 })
  await Bun.sleep(20)
  clock += SECOND
  await eventually('the report', async () => (await lastEndedRun(instance.database.read)) !== null)
  expect((await lastEndedRun(instance.database.read))!.report).toMatchObject({ ok: false })
  await eventually('its end', () => jobs.outcomes()[0]!.lastRun !== null)
  expect(jobs.outcomes()[0]).toMatchObject({ succeeded: 0, failed: 1, lastSuccessAt: null })
  await jobs.stop()
})
