/** `GET /status`: six checks, three states. Each check is made to fail for its own reason. */

import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectError, remove, store } from '../support/api.ts'
import { leavesNothing, objectFiles, onDatabase, removeObject, writeObject } from '../support/data-folder.ts'
import { openFolder } from '../support/folder.ts'
import { testWorkers } from '../support/modes.ts'
import { fill, mount, mountProblem, mountReadOnly, unmount } from '../support/mounts.ts'
import { atInstance, type Service, startService } from '../support/service.ts'

setDefaultTimeout(180_000)
const KB = 1024
const HOUR = 3_600_000
const DAY = 24 * HOUR
const CHECKS = ['datenbank', 'platte', 'ausliefern', 'bestand', 'platz', 'sicherung']

interface Answer {
  dienst: string
  ok: boolean
  stand: string
  seit: number
  pruefungen: { was: string; ok: boolean; grund?: string; hinweis?: string }[]
  error?: string
}

/** Requests the status and checks everything that is true of every answer. */
async function ask(service: Service, query = ''): Promise<Answer & { status: number }> {
  const response = await fetch(`${service.url}/status${query}`)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expect(response.headers.get('cache-control')).toBe('no-store')
  const answer = (await response.json()) as Answer
  const keys = ['dienst', 'ok', 'stand', 'seit', 'pruefungen', ...(response.status === 503 ? ['error'] : [])]
  expect(Object.keys(answer)).toEqual(keys)
  const code = answer.stand === 'gestoert' ? 'status-disturbed' : 'status-impaired'
  expect(response.headers.get('x-fehler-code')).toBe(response.status === 503 ? code : null)
  expect(answer.pruefungen.map(({ was }) => was)).toEqual(CHECKS)
  expect(Number.isInteger(answer.seit)).toBe(true)
  expect(answer.ok).toBe(answer.stand === 'gesund')
  for (const { ok, grund } of answer.pruefungen) expect(grund === undefined).toBe(ok)
  // The uptime is the only number.
  const { seit, ...rest } = answer
  expect(JSON.stringify(rest)).not.toMatch(/\d/)
  expect(JSON.stringify(rest)).not.toMatch(/\/|\\\\|media|secret|Spielserver|admin/)
  return { ...answer, status: response.status }
}
const failing = ({ pruefungen }: Answer) => pruefungen.filter(({ ok }) => !ok).map(({ was }) => was)
const reason = ({ pruefungen }: Answer, was: string) => pruefungen.find(each => each.was === was)?.grund ?? ''

/** A running service with one file of a token, whose status was not requested yet. */
async function startWithFile(
  options: Parameters<typeof startService>[0] = {},
): Promise<Service & { token: string }> {
  const service = await startService(options)
  const token = await service.createToken('--name', 'Spielserver', '--may-delete')
  await store(service, token, 'secret/file.txt', 'content of it')
  return Object.assign(Object.create(service) as Service, { token })
}

describe('all is well', () => {
  test('gesund, 200, also strictly; and nothing is left in the folder', async () => {
    await using service = await startWithFile()
    await leavesNothing(service.dataDir, async () => {
      const answer = await ask(service)
      expect(answer).toMatchObject({ status: 200, dienst: 'Fundus', ok: true, stand: 'gesund' })
      expect(failing(answer)).toEqual([])
      expect(answer.pruefungen.at(-1)?.hinweis).toBe('Es gibt noch keine Sicherung.')
      expect((await ask(service, '?streng=1')).status).toBe(200)
    })
  })

  test('on an empty instance, and after the last file was deleted; HEAD, another method', async () => {
    await using service = await startService()
    const head = await fetch(`${service.url}/status`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    await expectError(await fetch(`${service.url}/status`, { method: 'POST' }), 405)
    expect((await ask(service)).stand).toBe('gesund')
    await service.restart()
    const token = await service.createToken('--may-delete')
    await store(service, token, 'a.txt', 'x')
    expect((await remove(service, token, 'a.txt')).status).toBe(200)
    expect((await ask(service)).stand).toBe('gesund')
  })
})

describe('gestoert, 503: a core check fails', () => {
  test('datenbank: the table is gone', async () => {
    await using service = await startWithFile()
    await onDatabase(service.dataDir, 'drop table media')
    const answer = await ask(service)
    expect(answer).toMatchObject({ status: 503, stand: 'gestoert', error: 'Der Dienst ist gestört.' })
    expect(failing(answer)).toContain('datenbank')
    expect(reason(answer, 'datenbank')).toMatch(/Datenbank/)
    expect(failing(answer)).not.toContain('platte')
  })

  test('platte: nothing can be written', async () => {
    await using service = await startWithFile()
    await rm(join(service.dataDir, 'staging'), { recursive: true })
    const answer = await ask(atInstance(service, 0))
    expect(answer).toMatchObject({ status: 503, stand: 'gestoert' })
    expect(failing(answer)).toEqual(['platte'])
    await mkdir(join(service.dataDir, 'staging'))
  })

  const unmountable = mountProblem()
  const name = 'platte: the data folder is read-only (bind mount)'
  test.skipIf(unmountable !== null)(unmountable === null ? name : `${name}: ${unmountable}`, async () => {
    await using service = await startWithFile()
    mountReadOnly(service.dataDir)
    try {
      const answer = await ask(atInstance(service, 0))
      expect(answer).toMatchObject({ status: 503, stand: 'gestoert' })
      expect(failing(answer)).toEqual(['platte'])
      expect(reason(answer, 'platte')).toMatch(/schreiben/)
    } finally {
      unmount(service.dataDir)
    }
  })

  test('ausliefern: the object is shortened, then gone', async () => {
    await using service = await startWithFile()
    const [object] = await objectFiles(service.dataDir, 'secret/file.txt')
    await writeObject(service.dataDir, object!, 'conte')
    const shortened = await ask(service)
    expect(shortened).toMatchObject({ status: 503, stand: 'gestoert' })
    expect(failing(shortened)).toEqual(['ausliefern'])
    expect(reason(shortened, 'ausliefern')).toMatch(/Größe/)
    await removeObject(service.dataDir, object!)
    await service.restart()
    const gone = await ask(service)
    expect(failing(gone)).toEqual(['ausliefern'])
    expect(reason(gone, 'ausliefern')).toMatch(/fehlt/)
  })

  test('bestand: the rows are gone while the files are there', async () => {
    await using service = await startWithFile()
    await onDatabase(service.dataDir, 'delete from media')
    const answer = await ask(atInstance(service, 0))
    expect(answer).toMatchObject({ status: 503, stand: 'gestoert' })
    expect(failing(answer)).toEqual(['bestand'])
    // The other worker receives the answer a moment later; until then it would run the checks itself.
    if (testWorkers() !== null) await Bun.sleep(1000)
    // The checks do not run again within ten seconds, not even for strict or concurrent requests.
    await onDatabase(service.dataDir, 'drop table media')
    const repeated = await Promise.all(
      ['', '?streng=1', '?streng=0'].map(query => ask(atInstance(service, 0), query)),
    )
    for (const one of repeated) expect(one).toEqual(answer)
  })
})

/** Only `1` and `true` are strict, and any query gets an answer. */
const LENIENT = ['?streng', '?streng=', '?streng=0', '?streng=false', '?streng=ja', '?streng=11', '?STRENG=1']

describe('beeintraechtigt, 200, strictly 503', () => {
  async function expectImpaired(service: Service, was: string): Promise<Answer> {
    const answer = await ask(service)
    expect(failing(answer)).toEqual([was])
    expect(answer).toMatchObject({ status: 200, ok: false, stand: 'beeintraechtigt' })
    const strict = await ask(service, '?streng=1')
    expect(strict).toMatchObject({
      status: 503,
      stand: 'beeintraechtigt',
      error: expect.stringMatching(/\.$/),
    })
    expect(strict.pruefungen).toEqual(answer.pruefungen)
    expect((await ask(service, '?streng=true')).status).toBe(503)
    for (const query of LENIENT) expect([query, (await ask(service, query)).status]).toEqual([query, 200])
    return answer
  }

  test('sicherung: none in the first 26 hours, the last one old, the last one failed', async () => {
    await using folder = await openFolder()
    const second = folder.path
    await using service = await startWithFile({ env: { SICHERUNG_ZWEITZIEL: second } })
    await onDatabase(service.dataDir, `update migration set applied_at = applied_at - ${2 * DAY}`)
    expect(reason(await expectImpaired(service, 'sicherung'), 'sicherung')).toMatch(/noch keine Sicherung/)

    expect((await service.command('backup')).code).toBe(0)
    const [last] = await onDatabase<{ report: string }>(service.dataDir, 'select report from backup')
    const report = JSON.parse(last!.report) as { zeit: number }
    const old = JSON.stringify({ ...report, zeit: report.zeit - 26 * HOUR }).replaceAll("'", "''")
    await onDatabase(service.dataDir, `update backup set report = '${old}'`)
    await service.restart()
    expect((await expectImpaired(service, 'sicherung')).pruefungen.at(-1)).toMatchObject({
      grund: 'Die letzte Sicherung ist zu lange her.',
      hinweis: 'Das letzte Archiv liegt an zwei Orten.',
    })

    await rm(second, { recursive: true })
    await writeFile(second, 'a file in its place')
    expect((await service.command('backup')).code).toBe(1)
    await service.restart()
    expect((await expectImpaired(service, 'sicherung')).pruefungen.at(-1)).toMatchObject({
      grund: 'Die letzte Sicherung ist fehlgeschlagen.',
      hinweis: 'Das letzte Archiv liegt nur an einem Ort.',
    })
    await rm(second)
  })

  const unmountable = mountProblem()
  const name = 'platz: 95 % used (tmpfs)'
  test.skipIf(unmountable !== null)(unmountable === null ? name : `${name}: ${unmountable}`, async () => {
    await using folder = await openFolder()
    const dataDir = folder.path
    // Too small for a reserve.
    mount(dataDir, 30)
    try {
      await using service = await startWithFile({ dataDir })
      const first = atInstance(service, 0)
      await fill(join(dataDir, 'ballast'), 28.6 * KB * KB)
      expect(reason(await expectImpaired(first, 'platz'), 'platz')).toMatch(/fast voll/)

      // The disk is completely full: now the disk check fails too, and that is a core check.
      await service.restart()
      await fill(join(dataDir, 'last-bytes'), 40 * KB * KB)
      const full = await ask(first)
      expect(full).toMatchObject({ status: 503, stand: 'gestoert' })
      // The embedded database is on that disk too.
      expect(failing(full).filter(was => was !== 'datenbank')).toEqual(['platte', 'platz'])
      expect(reason(full, 'platte')).toMatch(/kein Platz/)
      await rm(join(dataDir, 'last-bytes'))
    } finally {
      unmount(dataDir)
    }
  })
})
