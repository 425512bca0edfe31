/**
 * Reasons for which the service or a command does not start: one sentence each, exit code 2, no stack trace.
 */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { openFolder } from '../support/folder.ts'
import { fill, mount, mountProblem, unmount } from '../support/mounts.ts'
import { startService } from '../support/service.ts'
import { GERMAN } from '../support/tools.ts'

setDefaultTimeout(180_000)

/**
 * Takes from root the capabilities to write anywhere and to listen on any port; other users do not have them.
 */
const ORDINARY =
  process.getuid?.() === 0
    ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search,-net_bind_service']
    : []

const temporary = await openFolder()
const folder = temporary.path
beforeAll(async () => {
  await writeFile(join(folder, 'file'), 'x')
  await mkdir(join(folder, 'shut'), { mode: 0o555 })
  await mkdir(join(folder, 'half', 'staging'), { recursive: true })
  await mkdir(join(folder, 'broken'), { mode: 0o700 })
  await writeFile(join(folder, 'broken', 'fundus.db'), 'no database'.repeat(1000), { mode: 0o600 })
  await mkdir(join(folder, 'newer'), { mode: 0o700 })
  using newer = new Database(join(folder, 'newer', 'fundus.db'))
  newer.run('create table migration (name text primary key, applied_at integer not null)')
  newer.run("insert into migration values ('9999-later', 1)")
  await chmod(join(folder, 'newer', 'fundus.db'), 0o600)
  await chmod(join(folder, 'half'), 0o555)
})
afterAll(async () => {
  await chmod(join(folder, 'half'), 0o755)
  await temporary[Symbol.asyncDispose]()
})

async function run(env: Record<string, string>, ...args: string[]) {
  const child = Bun.spawn([...ORDINARY, process.execPath, 'src/cli.ts', ...args], {
    cwd: resolve(import.meta.dir, '../..'),
    env: { ...GERMAN, PATH: process.env.PATH ?? '', HOST: '127.0.0.1', PORT: '0', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    // A process that starts in spite of the error must not run for ever.
    timeout: 30_000,
  })
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { code: await child.exited, stdout, stderr }
}

/** Returns the only sentence. */
async function refusalOf(env: Record<string, string>, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(env, ...args)
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr })
  expect(stderr).toMatch(/^fundus: \p{Lu}[^\n]+\.\n$/u)
  return stderr
}

const START = ['start', '--no-build']
const TOKEN = ['token', 'create', '--name', 'x']

describe('a data folder that cannot be used', () => {
  test.each([
    ['is a file', 'file', /ist eine Datei/],
    ['lies below a file', 'file/data', /eine Datei und kein Ordner/],
    ['may not be made', 'shut/data', /fehlen .*Rechte/],
    ['may not be written to', 'shut', /fehlen .*Rechte/],
    ['may not be written to, and was used before', 'half', /fehlen .*Rechte/],
    ['holds a database that is none', 'broken', /keine lesbare Datenbank/],
    ['holds a database of a newer version', 'newer', /neueren Version/],
  ])('%s', async (_, name, reason) => {
    const DATA_DIR = join(folder, name)
    // Without an instance a command reports only that: see no-instance.test.ts.
    for (const command of existsSync(join(DATA_DIR, 'fundus.db')) ? [START, TOKEN] : [START]) {
      const sentence = await refusalOf({ DATA_DIR }, ...command)
      expect(sentence).toMatch(reason)
      expect(sentence).toContain(DATA_DIR)
    }
  })

  const unmountable = mountProblem()
  const name = 'lies on a disk that is full by now'
  test.skipIf(unmountable !== null)(unmountable === null ? name : `${name}: ${unmountable}`, async () => {
    const place = join(folder, 'full')
    await mkdir(place)
    mount(place, 2)
    try {
      const DATA_DIR = join(place, 'data')
      await (await startService({ mode: 'embedded', dataDir: DATA_DIR, ownProcess: true }))[
        Symbol.asyncDispose
      ]()
      expect((await run({ DATA_DIR }, ...TOKEN)).code).toBe(0)
      await fill(join(place, 'ballast'), 2 * 2 ** 20)
      expect(await refusalOf({ DATA_DIR }, ...TOKEN)).toMatch(/Datenträger ist voll, bitte Platz schaffen/)
    } finally {
      unmount(place)
    }
  })
})

test.if(process.platform === 'linux')(
  'a data folder where the system lets nobody make one: a sentence, no stack',
  async () => {
    const sentence = await refusalOf({ DATA_DIR: '/proc/nix' }, ...START)
    expect(sentence).toContain(
      'Der Datenordner /proc/nix ist nicht benutzbar: dort lässt sich kein Ordner anlegen; einen anderen Ordner wählt DATA_DIR.',
    )
  },
)

describe('an address that cannot be listened on', () => {
  const dataDir = () => join(folder, 'data')

  test('a port that is taken: that it is, and how to choose another', async () => {
    const other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
    try {
      const env = { DATA_DIR: dataDir(), PORT: String(other.port) }
      const sentence = await refusalOf(env, ...START)
      expect(sentence).toMatch(new RegExp(`Port ${other.port} ist belegt.*PORT=\\d+`))
    } finally {
      await other.stop(true)
    }
  })

  test('a port that is not allowed is another sentence', async () => {
    const sentence = await refusalOf({ DATA_DIR: dataDir(), PORT: '81' }, ...START)
    expect(sentence).toMatch(/Port 81 darf dieses Benutzerkonto nicht lauschen.*PORT=\d+/)
  })

  test.each(['192.0.2.1', 'a b', 'nowhere.invalid'])(
    'an address that this machine has not, %s, is a third',
    async HOST => {
      const sentence = await refusalOf({ DATA_DIR: dataDir(), HOST }, ...START)
      expect(sentence).toContain(`Die Adresse ${HOST} gibt es auf diesem Rechner nicht`)
    },
  )
})
