/**
 * Commands that root runs beside a service of another user: the files that they create belong to the owner of
 * the data folder.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, chownSync, mkdirSync } from 'node:fs'
import { chmod, chown, cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { store } from '../support/api.ts'
import { commandProcess } from '../support/command.ts'
import { openFolder } from '../support/folder.ts'
import { isOrdinaryRun, leftToLong } from '../support/left-out.ts'
import { startService } from '../support/service.ts'
import { LOCALE } from '../support/tools.ts'

setDefaultTimeout(180_000)

/** A user without a name and without rights. */
const USER = 41_213
const AS_USER = ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups']

/**
 * Whether another user can run the program: not if the checkout is in a folder that only root may read, such
 * as /root.
 */
const isReachable = () =>
  Bun.spawnSync([...AS_USER, 'test', '-r', resolve(import.meta.dir, '../../src/cli.ts')]).exitCode === 0
const asRoot = test.skipIf(process.getuid?.() !== 0 || !isReachable())

async function openHome() {
  const folder = await openFolder()
  await chmod(folder.path, 0o755)
  const dataDir = join(folder.path, 'data')
  mkdirSync(dataDir)
  chownSync(dataDir, USER, USER)
  chmodSync(dataDir, 0o700)
  return { dataDir, path: folder.path, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
}

const start = (dataDir: string) =>
  startService({ mode: 'embedded', dataDir, wrapper: AS_USER, env: { ...LOCALE, HOME: dataDir } })

const rootRuns = (dataDir: string, ...args: string[]) =>
  commandProcess(args, { env: { ...LOCALE, PATH: process.env.PATH!, DATA_DIR: dataDir, PORT: '0' } })

async function notOwned(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const paths = [root, ...entries.map(entry => join(entry.parentPath, entry.name))]
  const found: string[] = []
  for (const path of paths) if ((await stat(path)).uid !== USER) found.push(path)
  return found
}

const asRootInLong = isOrdinaryRun ? leftToLong : asRoot

asRootInLong('backup, restore and rebuild by root leave nothing that the service cannot use', async () => {
  await using home = await openHome()
  const { dataDir } = home
  {
    await using service = await start(dataDir)
    const { stdout } = await rootRuns(dataDir, 'token', 'create', '--name', 'x')
    await store(service, stdout.trim().split('\n').at(-1)!, 'a/b.txt', 'hello')
  }
  const backup = await rootRuns(dataDir, 'backup')
  expect(backup).toMatchObject({ code: 0 })
  expect(await notOwned(dataDir)).toEqual([])

  // Only root can read the folder of the backup, which suffices for the archive itself.
  const archive = join(home.path, 'for-root', 'archive.tar')
  await mkdir(join(home.path, 'for-root'), { mode: 0o700 })
  const made = backup.stdout.split(': ')[0]!
  await cp(dirname(made), dirname(archive), { recursive: true })
  await rename(join(dirname(archive), basename(made)), archive)
  await chown(archive, 0, 0)
  await chmod(archive, 0o600)
  const denied = await rootRuns(dataDir, 'restore', archive, '--force')
  expect(denied).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`chmod -R a+rX ${dirname(archive)}`),
  })
  await Bun.$`chmod -R a+rX ${dirname(archive)}`
  await chmod(archive, 0o600)
  expect(await rootRuns(dataDir, 'restore', archive, '--force')).toMatchObject({ code: 0 })
  expect(await notOwned(dataDir)).toEqual([])

  for (const name of ['fundus.db', 'fundus.db-wal', 'fundus.db-shm'])
    await rm(join(dataDir, name), { force: true })
  expect(await rootRuns(dataDir, 'rebuild')).toMatchObject({ code: 0 })
  expect(await notOwned(dataDir)).toEqual([])
  {
    await using service = await start(dataDir)
    expect(await (await fetch(`${service.url}/f/a/b.txt`)).text()).toBe('hello')
  }
})

asRoot('a start that cannot use a file names it and its owner', async () => {
  await using home = await openHome()
  const { dataDir } = home
  await (await start(dataDir))[Symbol.asyncDispose]()
  await mkdir(join(dataDir, 'files'), { mode: 0o700 })
  await chown(join(dataDir, 'files'), USER, USER)
  for (const name of ['fundus.db', 'files']) {
    const path = join(dataDir, name)
    const { mode } = await stat(path)
    await chown(path, 0, 0)
    await expect(start(dataDir)).rejects.toThrow(
      `cannot be used: ${path} belongs to the user root, and ${USER} may not read and write it.`,
    )
    await chown(path, USER, USER)
    await chmod(path, mode & 0o777)
  }
  await (await start(dataDir))[Symbol.asyncDispose]()
})

asRoot('the folder of the backups that belongs to root is told in the log of the start', async () => {
  await using home = await openHome()
  await mkdir(join(home.dataDir, 'sicherung'), { mode: 0o700 })
  await using service = await start(home.dataDir)
  expect(service.logs()).toContainEqual(
    expect.objectContaining({ level: 'warn', path: join(home.dataDir, 'sicherung'), owner: 'root' }),
  )
})
