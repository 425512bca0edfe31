/**
 * A service that is started while `fundus restore` or `fundus rebuild` is running must not write to what is
 * being replaced.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readlinkSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { read, store } from '../support/api.ts'
import { backUp, namesIn } from '../support/backup.ts'
import { randomBytes } from '../support/bytes.ts'
import { ADMIN_ENV, signIn } from '../support/dashboard.ts'
import { DATABASE_FILE, removeDatabase } from '../support/data-folder.ts'
import { openFolder } from '../support/folder.ts'
import { startService } from '../support/service.ts'
import { GERMAN } from '../support/tools.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(180_000)

const statusOf = async (service: { url: string }, path: string) =>
  (await fetch(`${service.url}/f/${path}`)).status

/** The processes that have the database file in this folder open. */
function usersOf(dataDir: string): string[] {
  const file = join(dataDir, DATABASE_FILE)
  return readdirSync('/proc').filter(pid => {
    try {
      return readdirSync(`/proc/${pid}/fd`).some(fd => readlinkSync(`/proc/${pid}/fd/${fd}`) === file)
    } catch {
      return false
    }
  })
}

/**
 * Stops the command (SIGSTOP) as soon as `isUnderWay`, starts a service on the same folder, and resumes the
 * command once the service has opened the database or is waiting for it.
 */
async function startBeside(args: string[], dataDir: string, isUnderWay: () => Promise<boolean>) {
  const child = Bun.spawn([process.execPath, 'src/cli.ts', ...args], {
    cwd: join(import.meta.dir, '../..'),
    env: { ...GERMAN, PATH: process.env.PATH ?? '', DATA_DIR: dataDir, PORT: '0' },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  try {
    while (child.exitCode === null && !(await isUnderWay())) await Bun.sleep(1)
    child.kill('SIGSTOP')
    const before = usersOf(dataDir)
    const starting = startService({ dataDir, ownProcess: true })
    await eventually('the service has the database open', () => usersOf(dataDir).length > before.length)
    child.kill('SIGCONT')
    const code = await child.exited
    expect([code, await new Response(child.stderr).text()]).toEqual([0, expect.any(String)])
    return await starting
  } finally {
    child.kill('SIGKILL')
  }
}

async function withFiles(count: number) {
  const service = await startService({ env: ADMIN_ENV })
  const token = await service.createToken()
  for (let at = 0; at < count; at++) await store(service, token, `alt/${at}.bin`, randomBytes(at, 20_000))
  return { service, token }
}

test('a restore keeps the old database to itself until the new one is in its place', async () => {
  const { service, token } = await withFiles(100)
  await using _ = service
  const { archiv } = await backUp(service, await signIn(service))
  await using folder = await openFolder()
  const archive = join(folder.path, archiv!)
  await rename(join(service.dataDir, 'sicherung', archiv!), archive)
  await rename(join(service.dataDir, 'sicherung/bestand'), join(folder.path, 'bestand'))
  await store(service, token, 'nach-der-sicherung.txt', 'x')
  await service.stop()

  const making = async () => (await namesIn(service.dataDir)).some(name => name.endsWith('.teil'))
  await using started = await startBeside(['restore', archive, '--force'], service.dataDir, making)
  expect([await statusOf(started, 'alt/7.bin'), await statusOf(started, 'nach-der-sicherung.txt')]).toEqual([
    200, 404,
  ])
  await store(started, token, 'danach.txt', 'stored after the restore')
  await started.restart()
  expect(await (await read(started, 'danach.txt')).text()).toBe('stored after the restore')
  expect((await started.command('check')).code).toBe(0)
})

test('a rebuild keeps the place of a lost database to itself until the new one is there', async () => {
  const { service } = await withFiles(100)
  await using _ = service
  await service.stop()
  await removeDatabase(service.dataDir)
  const making = async () => (await namesIn(service.dataDir)).some(name => /\.(neu|teil)$/.test(name))
  await using started = await startBeside(['rebuild'], service.dataDir, making)
  expect(await statusOf(started, 'alt/7.bin')).toBe(200)
  await store(started, await started.createToken(), 'danach.txt', 'stored after the rebuild')
  await started.restart()
  expect(await (await read(started, 'danach.txt')).text()).toBe('stored after the rebuild')
  expect((await started.command('check')).code).toBe(0)
})
