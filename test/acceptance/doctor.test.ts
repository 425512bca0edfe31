/**
 * `fundus doctor`: examines the machine and the instance, says what to do, and exits with 1 if something is
 * wrong.
 */
import { expect, test } from 'bun:test'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { commandProcess } from '../support/command.ts'
import { ADMIN_ENV } from '../support/dashboard.ts'
import { onDatabase } from '../support/data-folder.ts'
import { openFolder } from '../support/folder.ts'
import { commandHost } from '../support/host-client.ts'
import { embeddedOnly } from '../support/modes.ts'
import { freePort } from '../support/ports.ts'
import { startService } from '../support/service.ts'

const HOUR = 3_600_000
const CHECKS = ['Laufzeit', 'Platz', 'Rechte', 'Uhr', 'Port', 'Adresse', 'ffmpeg', 'Sicherung']

interface Finding {
  check: string
  state: 'ok' | 'hint' | 'wrong'
  sentence: string
}

async function doctor(env: Record<string, string>) {
  const { code, stdout, stderr } = await commandProcess(['doctor', '--json'], { env })
  const findings: Finding[] = JSON.parse(stdout)
  const of = (check: string) => findings.find(each => each.check === check)
  return { code, stderr, findings, of }
}

embeddedOnly.defaults(
  'a sound machine beside the running service: every check is told, exit code 0',
  async () => {
    const PORT = String(freePort())
    await using service = await startService({ env: { ...ADMIN_ENV, PORT }, ownProcess: true })
    const { code, stdout, stderr } = await commandProcess(['doctor'], { env: service.env })
    expect({ code, stderr, stdout }).toEqual({ code: 0, stderr: '', stdout })
    for (const check of CHECKS) expect(stdout).toMatch(new RegExp(`^ *(gut|Hinweis) +${check} `, 'm'))
    expect(stdout).toContain(`Port ${PORT}`)
    expect(stdout).toContain('Fundus läuft dort')
    const env = { ...service.env, LC_ALL: 'en_US.UTF-8' }
    const english = await (await commandHost()).command({ args: ['doctor'], env, input: '' })
    expect(english).toMatchObject({ code: 0, stdout: expect.stringContaining('Fundus is running there') })

    // A failed backup and one that is too old are faults, with advice.
    const backup = await service.command('backup')
    expect(backup.code).toBe(0)
    expect((await doctor(service.env)).of('Backup')).toMatchObject({ state: 'ok' })
    const old = Date.now() - 27 * HOUR
    await onDatabase(service.dataDir, `update backup set report = json_set(report, '$.zeit', ${old})`)
    const aged = await doctor(service.env)
    expect(aged).toMatchObject({ code: 1 })
    expect(aged.of('Backup')).toMatchObject({
      state: 'wrong',
      sentence: expect.stringContaining('fundus backup'),
    })
  },
)

embeddedOnly.oneProcess('the port of the running service is found, whatever PORT says here', async () => {
  await using service = await startService({ ownProcess: true })
  const { port } = new URL(service.url)
  const { PORT: _, ...env } = service.env
  const { of } = await doctor({ ...env, LC_ALL: 'C.UTF-8' })
  expect(of('Port')).toEqual({
    check: 'Port',
    state: 'ok',
    sentence: `Port ${port}: Fundus is running there.`,
  })
})

embeddedOnly.oneProcess('a service that runs but does not answer is wrong', async () => {
  await using service = await startService({ ownProcess: true, env: { WORKERS: '1' } })
  const { port } = new URL(service.url)
  process.kill(service.pid, 'SIGSTOP')
  try {
    const { code, of } = await doctor({ ...service.env, LC_ALL: 'C.UTF-8' })
    expect(code).toBe(1)
    expect(of('Port')).toMatchObject({
      state: 'wrong',
      sentence: expect.stringContaining(`Port ${port}: Fundus is running there but does not answer`),
    })
  } finally {
    process.kill(service.pid, 'SIGCONT')
  }
})

test('a folder without an instance is looked at and left as it is', async () => {
  await using folder = await openFolder()
  const { code, of } = await doctor({ DATA_DIR: folder.path, PORT: String(freePort()) })
  expect({ code, rights: of('Rights')?.state, port: of('Port')?.state }).toEqual({
    code: 0,
    rights: 'ok',
    port: 'ok',
  })
  expect(of('Backup')).toMatchObject({ state: 'hint' })
  expect(await readdir(folder.path)).toEqual([])
})

test('a port that another program has, and a data folder that is a file: wrong, with what to do', async () => {
  await using folder = await openFolder()
  await writeFile(join(folder.path, 'file'), '')
  using other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('something else') })
  const env = { DATA_DIR: join(folder.path, 'file'), HOST: '127.0.0.1', PORT: String(other.port) }
  const { code, of } = await doctor(env)
  expect(code).toBe(1)
  expect(of('Port')).toMatchObject({ state: 'wrong', sentence: expect.stringMatching(/PORT=\d+/) })
  expect(of('Rights')).toMatchObject({ state: 'wrong', sentence: expect.stringContaining('DATA_DIR') })
  // The address may be a stored setting, which cannot be read.
  expect(of('Address')).toBeUndefined()
})

test('a database that does not answer is wrong; nothing is claimed about the address saved in it', async () => {
  await using folder = await openFolder()
  const nowhere = `127.0.0.1:${freePort()}`
  const { code, of } = await doctor({
    ...{
      DATA_DIR: folder.path,
      PORT: String(freePort()),
      DATABASE_URL: `postgres://fundus@${nowhere}/fundus`,
    },
    ...{ S3_ENDPOINT: `http://${nowhere}`, S3_BUCKET: 'fundus', S3_REGION: 'here' },
    ...{ S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' },
  })
  expect({ code, instance: of('Instance')?.state, address: of('Address') }).toEqual({
    ...{ code: 1, instance: 'wrong', address: undefined },
  })
})

test('a proxy that answers out of its cache is wrong; without TRUST_PROXY there is a hint', async () => {
  await using folder = await openFolder()
  const answers = (headers: Record<string, string>) =>
    Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => Response.json({ ok: true }, { headers }) })
  using caching = answers({ 'X-Cache': 'HIT' })
  using plain = answers({})
  const behind = (port: number | undefined) =>
    doctor({ DATA_DIR: folder.path, PORT: String(freePort()), PUBLIC_URL: `http://127.0.0.1:${port}` })
  const cached = await behind(caching.port)
  expect(cached.code).toBe(1)
  expect(cached.of('Proxy')).toMatchObject({
    state: 'wrong',
    sentence: expect.stringContaining('/api/, /f/'),
  })
  const uncached = await behind(plain.port)
  expect(uncached.code).toBe(0)
  expect(uncached.of('Proxy')).toMatchObject({
    state: 'hint',
    sentence: expect.stringContaining('TRUST_PROXY'),
  })
})
