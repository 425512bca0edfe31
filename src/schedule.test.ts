/** When the jobs of the whole service run: the counters, the trash and the backup by the clock of the specification. */
import { afterEach, expect, jest, test } from 'bun:test'
import { eventually } from '../test/support/wait.ts'
import { createFeatures, listJobs, withSharedParts } from './app.ts'
import { DAY, HOUR, MINUTE, SECOND } from './contract/units.ts'
import { DELAYS } from './delays.ts'
import { lastEnded } from './features/backup/backup.store.ts'
import { findByNr, putRow } from './features/media/media.store.ts'
import { createPasswords } from './features/session/passwords.ts'
import { createSettings } from './features/settings/settings.ts'
import { createRequestIds } from './http/request-id.ts'
import { newId } from './ids.ts'
import { startChild } from './images/child.ts'
import { startJobs } from './jobs/scheduler.ts'
import { type Instance, openInstance, STEADY_CLOCK } from './testing/instance.ts'
import { ALONE } from './workers/workers.ts'

afterEach(() => {
  jest.useRealTimers()
})

/** The service without its port; `now` is its clock. */
function appOn(instance: Instance, now: () => number, environment: Record<string, string> = {}) {
  const shared = withSharedParts({
    ...instance,
    settings: createSettings({ environment, port: 0, saved: instance.database }),
    ...{ newId, now, dataDir: instance.root, trustedProxies: [], webFiles: new Map(), quietPeriod: 1000 },
    ...{
      metricsToken: null,
      webhookIntern: false,
      preparedBytes: 0,
      keptFiles: 0,
      connections: { open: 0, limit: 0, refused: 0, closedIdle: 0 },
      ids: createRequestIds({ newId }),
      delays: DELAYS,
      workers: ALONE,
      passwords: createPasswords(Bun.password),
      startDecoder: startChild,
    },
    close: async () => {},
  })
  const parts = { ...shared, clockWatch: STEADY_CLOCK }
  const features = createFeatures(parts)
  const jobs = listJobs(parts, features)
  return { parts, features, jobs, job: (name: string) => jobs.find(each => each.name === name)! }
}

test('every job and how often it runs: counters every 30 seconds, the trash hourly', async () => {
  await using instance = await openInstance()
  const intervals = appOn(instance, Date.now).jobs.flatMap(job =>
    'every' in job ? [[job.name, job.every]] : [],
  )
  expect(Object.fromEntries(intervals)).toMatchObject({
    'retrieval counters': 30 * SECOND,
    trash: HOUR,
    archives: DAY,
    database: MINUTE,
  })
})

test('a retrieval stands in the database after 30 seconds and not before', async () => {
  await using instance = await openInstance()
  const { features, parts, job } = appOn(instance, Date.now)
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
  const { parts, features, job } = appOn(instance, () => clock)
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
  const { parts, job } = appOn(instance, () => clock, { SICHERUNG_UHRZEIT: '05:15' })
  const jobs = startJobs({ ...parts, jobs: [job('backup')], lookEvery: 1 })
  await Bun.sleep(100)
  expect(await lastEnded(instance.database.read)).toBeNull()
  clock += SECOND
  await eventually('it happens', async () => (await lastEnded(instance.database.read)) !== null)
  expect((await lastEnded(instance.database.read))!.report).toMatchObject({ ok: true, zeit: clock })
  await eventually('it happens', async () => jobs.outcomes()[0]!.succeeded === 1)
  clock += 23 * HOUR
  await Bun.sleep(100)
  expect(jobs.outcomes()[0]).toMatchObject({ succeeded: 1, failed: 0 })
  await jobs.stop()
})
