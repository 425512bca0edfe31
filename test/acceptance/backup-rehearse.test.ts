/** `fundus backup --rehearse` rehearses a restore of the newest archive; the outcome is shown everywhere. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { store } from '../support/api.ts'
import { backUp, backupState } from '../support/backup.ts'
import { randomBytes } from '../support/bytes.ts'
import { startClient } from '../support/client.ts'
import { ADMIN_ENV, signIn } from '../support/dashboard.ts'
import { type Service, startService } from '../support/service.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(180_000)
let service: Service
let session: string
beforeAll(async () => {
  service = await startService({ env: ADMIN_ENV })
  session = await signIn(service)
  const token = await service.createToken()
  for (const seed of [1, 2, 3]) await store(service, token, `ordner/${seed}.bin`, randomBytes(seed, 5000))
})
afterAll(() => service[Symbol.asyncDispose]())

const rehearse = (...args: string[]) => service.command('backup', '--rehearse', ...args)

test('without an archive it fails; with one it succeeds, and the page says so', async () => {
  const early = await rehearse()
  expect([early.code, early.stderr]).toEqual([1, expect.stringMatching(/noch kein Archiv/)])
  const { archiv } = await backUp(service, session)
  const { code, stdout } = await rehearse()
  expect([code, stdout]).toEqual([0, expect.stringContaining(`${archiv} aus `)])
  expect(stdout).toContain('3 von 3 Dateien')
  const { probe } = await backupState(service, session)
  expect(probe).toMatchObject({ ok: true, archiv, dateien: 3, stichprobe: 3 })
})

test('a failed one is told by report, page and doctor, until one succeeds', async () => {
  const target = join(service.dataDir, 'sicherung')
  const [folder] = (await readdir(join(target, 'bestand'))).filter(name => name.length === 2)
  const [content] = await readdir(join(target, 'bestand', folder!))
  const file = join(target, 'bestand', folder!, content!)
  const bytes = await readFile(file)
  await writeFile(file, randomBytes(9, bytes.length))
  const failed = await rehearse('--json')
  expect(failed.code).toBe(1)
  expect(JSON.parse(failed.stdout)).toMatchObject({ ok: false, fehler_codes: ['rehearsal-content-differs'] })
  expect((await backupState(service, session)).probe).toMatchObject({ ok: false })
  expect((await service.command('doctor')).stdout).toMatch(
    /Probe der Wiederherstellung ist misslungen: .*ordner/,
  )

  await writeFile(file, bytes)
  expect((await rehearse()).code).toBe(0)
  expect((await service.command('doctor')).stdout).toMatch(/Probe der Wiederherstellung gelang/)
})

test('a killed one leaves nothing after the next start', async () => {
  const staging = join(service.dataDir, 'staging')
  const { child, result } = startClient(['backup', '--rehearse'], { cwd: service.dataDir, env: service.env })
  const isThere = async () => {
    const names = await readdir(staging, { recursive: true }).catch(() => [])
    return names.some(name => /(^|[\\/])probe-[^\\/]*$/.test(name))
  }
  await eventually('the folder of the rehearsal', isThere)
  child.kill('SIGKILL')
  await result
  expect(await isThere()).toBe(true)
  await service.restart()
  await eventually('its removal', async () => !(await isThere()))
})
