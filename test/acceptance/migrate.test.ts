/** `fundus migrate`: from a data folder to PostgreSQL and an object store and back, also when interrupted. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SQL } from 'bun'
import { bytesOf, expectSameBytes, read, store } from '../support/api.ts'
import { randomBytes } from '../support/bytes.ts'
import { type ADMIN, ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { newPerson, setUpTotp, stepOf } from '../support/factors.ts'
import { openFolder } from '../support/folder.ts'
import { inherited } from '../support/host-client.ts'
import { portrait } from '../support/portrait.ts'
import { signedFetch } from '../support/s3.ts'
import { type Service, startService } from '../support/service.ts'
import { emptyPlace, type SharedPlace } from '../support/shared-place.ts'
import { eventually } from '../support/wait.ts'
import { expectWhole, fill } from '../support/whole-instance.ts'

setDefaultTimeout(240_000)
const ENV = { ...ADMIN_ENV, PUBLIC_URL: 'http://fundus.test', SICHERUNG_ZIEL: '/nowhere' }
const MANY = 80

async function envFile(folder: string, values: Record<string, string>): Promise<string> {
  const file = join(folder, 'ziel.env')
  await writeFile(
    file,
    Object.entries(values)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  )
  return file
}

/** Starts the command as a process and kills it as soon as the target has data. */
async function breakOff(
  service: Service,
  env: Record<string, string>,
  file: string,
  begun: () => Promise<boolean>,
): Promise<void> {
  const moving = Bun.spawn([process.execPath, 'src/cli.ts', 'migrate', '--to', file], {
    env: { ...inherited(), ...env, DATA_DIR: service.dataDir },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  await eventually('the copy has begun', begun)
  moving.kill('SIGKILL')
  await moving.exited
}

const objectsIn = async ({ bucket }: SharedPlace): Promise<number> => {
  const listed = await signedFetch(bucket, `${bucket.endpoint}/${bucket.bucket}?list-type=2&prefix=files/`)
  return (await listed.text()).split('<Key>').length - 1
}

/** 401: the code was checked, so the key of the instance was copied; without it the answer is 409. */
const wrongCode = async (service: Service, person: typeof ADMIN) => {
  const json = { schritt: await stepOf(service, person), code: '000000' }
  return (await dash(service, 'login/zweiter-faktor', { json })).status
}

test('both directions by migrate, broken off and resumed: everything is as before', async () => {
  const shared = await emptyPlace()
  await using temporary = await openFolder()
  await using service = await startService({ mode: 'embedded', env: ENV })
  const session = await signIn(service)
  const token = await fill(service, session)
  const person = await newPerson(service, session)
  await setUpTotp(service, person.session)
  for (let at = 0; at < MANY; at++) await store(service, token, `viele/${at}.bin`, randomBytes(at, 30_000))
  await service.restart()
  const before = await portrait(service, session)
  const file = await envFile(temporary.path, { ...shared.env, DATA_DIR: join(temporary.path, 'many') })

  const running = await service.command('migrate', '--to', file)
  expect([running.code, running.stderr]).toEqual([2, expect.stringContaining('bitte zuerst beenden')])
  await service.stop()
  const dry = await service.command('migrate', '--to', file, '--dry-run')
  expect([dry.code, dry.stdout]).toEqual([0, expect.stringContaining('87 Dateien')])
  expect(await objectsIn(shared)).toBe(0)

  await breakOff(service, ENV, file, async () => (await objectsIn(shared)) > 5)
  await using sql = new SQL(shared.databaseUrl, { max: 1 })
  expect(await sql.unsafe("select 1 from pg_namespace where nspname = 'fundus'")).toEqual([])
  const moved = await service.command('migrate', '--to', file)
  expect([moved.code, moved.stderr]).toEqual([0, expect.any(String)])
  expect(moved.stdout).toMatch(/87 Dateien.*\n\d+ davon hatte ein abgebrochener Lauf schon kopiert/)
  expect((await service.command('migrate', '--to', file)).stderr).toContain('liegt schon ein Bestand')

  const env = { ...ENV, ...shared.env }
  await using many = await startService({ mode: 'embedded', env })
  const there = await signIn(many)
  expect(await portrait(many, there)).toEqual(before)
  expect(await wrongCode(many, person)).toBe(401)
  const home = join(temporary.path, 'home')
  const back = await envFile(temporary.path, { DATA_DIR: home })
  expect((await many.command('migrate', '--to', back)).stderr).toContain('bitte zuerst beenden')
  await many.stop()
  const copied = async () => {
    const place = join(home, '.umzug.teil/files')
    const found = await readdir(place, { recursive: true, withFileTypes: true }).catch(() => [])
    return found.filter(entry => entry.isFile()).length > 5
  }
  await breakOff(many, env, back, copied)
  expect(await readdir(home)).not.toContain('files')
  const returned = await eventually('the connection of the killed command is gone', async () => {
    const result = await many.command('migrate', '--to', back)
    return result.code === 0 && result
  })
  expect(returned.stdout).toMatch(/87 Dateien.*\n\d+ davon hatte/)
  await using again = await startService({ mode: 'embedded', env: ENV, dataDir: home })
  const signedIn = await signIn(again)
  expect(await portrait(again, signedIn)).toEqual(before)
  expect(await wrongCode(again, person)).toBe(401)
  expectSameBytes(await bytesOf(await read(again, 'viele/7.bin')), randomBytes(7, 30_000))
  await expectWhole(again, signedIn, token)
  // The source is unchanged.
  await many.restart()
  await expectWhole(many, await signIn(many), token)
})

test('migrate refuses a target of the same kind, and a file that is not there', async () => {
  await using temporary = await openFolder()
  await using service = await startService({ mode: 'embedded' })
  await service.stop()
  const file = await envFile(temporary.path, { DATA_DIR: join(temporary.path, 'other') })
  const same = await service.command('migrate', '--to', file)
  expect([same.code, same.stderr]).toEqual([2, expect.stringContaining('dieselbe Betriebsart')])
  expect((await service.command('migrate', '--to', `${file}-gone`)).code).toBe(2)
  expect((await service.command('migrate')).code).toBe(2)
})
