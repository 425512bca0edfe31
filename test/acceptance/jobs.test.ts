/** Jobs of several processes on one data folder: a job that another process runs is left to it. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { store } from '../support/api.ts'
import { ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { objectFiles, onDatabase, removeObject } from '../support/data-folder.ts'
import { embeddedOnly, testWorkers } from '../support/modes.ts'
import { type Service, startService } from '../support/service.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(180_000)

/** Records a lease, like a process that is running the job or has just died. */
async function hold(service: Service, task: string, until: number): Promise<void> {
  await onDatabase(
    service.dataDir,
    `insert into lease (task, holder, until) values ('${task}', 'other', ${until})
     on conflict (task) do update set holder = excluded.holder, until = excluded.until`,
  )
}

async function runs(service: Service, job: string): Promise<Record<string, number>> {
  const text = await (await fetch(`${service.url}/metrics`)).text()
  const found = text.matchAll(
    new RegExp(`^fundus_job_runs_total\\{job="${job}",outcome="(\\w+)"\\} (\\d+)$`, 'gm'),
  )
  return Object.fromEntries([...found].map(([, outcome, count]) => [outcome!, Number(count)]))
}

test('a job whose task is held is left out, the others run; held too long it is free', async () => {
  await using service = await startService()
  await service.stop()
  await hold(service, 'trash', Date.now() + 60_000)
  await hold(service, 'relocations', Date.now() - 1)
  await service.restart()
  const processes = Number(testWorkers() ?? 1)
  const leftOut = { succeeded: 0, failed: 0, skipped: processes }
  // Another of two instances may answer each time, so a single request has to see everything.
  await eventually('the trash left out', async () => Bun.deepEquals(await runs(service, 'trash'), leftOut))
  await eventually('the others done', async () => (await runs(service, 'relocation list')).succeeded! > 0)
  expect(service.logs().filter(({ level }) => level === 'error')).toEqual([])
})

test('a sweep by hand does not run beside another one, and says so', async () => {
  await using service = await startService()
  await hold(service, 'sweep', Date.now() + 60_000)
  const refused = await service.command('sweep')
  expect([refused.code, refused.stdout]).toEqual([2, ''])
  expect(refused.stderr).toContain('Ein anderer Abgleich läuft gerade')
  await hold(service, 'sweep', 0)
  expect((await service.command('sweep')).code).toBe(0)
})

embeddedOnly.folder(
  'a run that cannot do everything counts as failed, although it goes on with the rest',
  async () => {
    await using service = await startService({ env: ADMIN_ENV })
    const token = await service.createToken()
    for (const name of ['lost.txt', 'there.txt']) await store(service, token, name, name)
    const [lost = ''] = await objectFiles(service.dataDir, 'lost.txt')
    await removeObject(service.dataDir, lost)
    const session = await signIn(service)
    for (const pfad of ['lost.txt', 'there.txt']) {
      const json = { pfad, name: `new-${pfad}` }
      expect((await dash(service, 'media/umbenennen', { session, json })).status).toBe(200)
    }
    await eventually(
      'the other follows',
      async () => (await objectFiles(service.dataDir, 'new-there.txt')).length > 0,
    )
    // The job runs first at startup.
    await service.restart()
    await eventually('the run', async () => {
      const { succeeded, failed } = await runs(service, 'relocation list')
      expect(succeeded).toBe(0)
      return failed! > 0
    })
  },
)
