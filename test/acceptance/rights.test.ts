/**
 * Permissions of stored files: only the owner can read what the service and its commands create, whatever the
 * umask; files that others can read are closed.
 */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chmod, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { read, store, upload } from '../support/api.ts'
import { archivesIn, backUp } from '../support/backup.ts'
import { ADMIN_ENV, signIn } from '../support/dashboard.ts'
import { DATABASE_FILE, stagedFiles } from '../support/data-folder.ts'
import { useFolder } from '../support/folder.ts'
import { png } from '../support/pictures.ts'
import { startService } from '../support/service.ts'
import { GERMAN } from '../support/tools.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(180_000)

const WIDE_OPEN = ['sh', '-c', 'umask 000; exec "$@"', 'sh']

const folder = await useFolder()

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

/** Everything below `root` to which group or others have any access, and the total number of entries. */
async function openBelow(root: string): Promise<{ open: string[]; files: number }> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const paths = [root, ...entries.map(entry => join(entry.parentPath, entry.name))]
  const open: string[] = []
  for (const path of paths) {
    // The service keeps running, so a file may have been renamed or removed meanwhile.
    const mode = await modeOf(path).catch(() => '')
    if (!/^(?:[67]00)?$/.test(mode)) open.push(`${mode} ${path}`)
  }
  return { open, files: entries.filter(entry => entry.isFile()).length }
}

const where = () => ({
  dataDir: join(folder, 'new', 'data'),
  first: join(folder, 'first'),
  second: join(folder, 'second'),
})
const env = () => ({ ...ADMIN_ENV, SICHERUNG_ZIEL: where().first, SICHERUNG_ZWEITZIEL: where().second })
const open = () => startService({ dataDir: where().dataDir, env: env(), wrapper: WIDE_OPEN })
const toldOf = (lines: Record<string, unknown>[]) =>
  lines.filter(line => /open to other users/.test(String(line.message))).flatMap(line => line.paths)

describe('under umask 000', () => {
  test('data folder, database, objects, previews, staged files and archives are for the service alone', async () => {
    const { dataDir, first, second } = where()
    await using service = await open()
    const token = await service.createToken()
    await store(service, token, 'a/b/picture.png', await png())
    await eventually('the preview', async () => (await fetch(`${service.url}/t/a/b/picture.png.webp`)).ok)
    const body = new TransformStream<Uint8Array, Uint8Array>()
    const writer = body.writable.getWriter()
    const slow = upload(service, token, body.readable, { 'X-Path': 'slow.bin' })
    await writer.write(new Uint8Array(100_000))
    await eventually('a staged file', async () => (await stagedFiles(dataDir)).length > 0)
    const seen = await openBelow(dataDir)
    await writer.close()
    expect((await slow).status).toBe(200)
    expect(seen.open).toEqual([])
    // Three files of the database, the picture, preview, variant and a staged file.
    expect(seen.files).toBeGreaterThanOrEqual(7)
    expect(await backUp(service, await signIn(service))).toMatchObject({ ok: true, zweit: true })
    expect((await openBelow(first)).open).toEqual([])
    expect((await openBelow(second)).open).toEqual([])
    expect(toldOf(service.logs())).toEqual([])
  })

  test('so is what restore and rebuild make', async () => {
    const { dataDir, first } = where()
    const [archive] = await archivesIn(first)
    const run = async (into: string, ...args: string[]) => {
      const child = Bun.spawn([...WIDE_OPEN, process.execPath, 'src/cli.ts', ...args], {
        cwd: resolve(import.meta.dir, '../..'),
        env: { ...GERMAN, PATH: process.env.PATH ?? '', DATA_DIR: into, PORT: '0' },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      expect([await child.exited, await child.stderr.text()]).toEqual([0, ''])
      const { open, files } = await openBelow(into)
      expect([open, files > 1]).toEqual([[], true])
    }
    await run(join(folder, 'restored'), 'restore', join(first, archive!), '--into', join(folder, 'restored'))
    await rm(join(dataDir, DATABASE_FILE))
    await run(dataDir, 'rebuild')
  })
})

test('an installation that was open is closed at the start and told once; folders of others stay as they are', async () => {
  const { dataDir, first, second } = where()
  for (const place of [dataDir, first, second]) {
    const entries = await readdir(place, { recursive: true, withFileTypes: true })
    await chmod(place, 0o755)
    for (const entry of entries)
      await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644)
  }
  await mkdir(join(dataDir, 'not-ours'))
  await chmod(join(dataDir, 'not-ours'), 0o755)
  await using service = await open()
  const database = join(dataDir, DATABASE_FILE)
  const closed = [dataDir, join(dataDir, 'files'), join(dataDir, 'staging'), database]
  for (const path of closed)
    expect([path, await modeOf(path)]).toEqual([path, /db$/.test(path) ? '600' : '700'])
  expect(await Promise.all([`${database}-wal`, `${database}-shm`].map(modeOf))).toEqual(['600', '600'])
  expect(toldOf(service.logs())).toEqual(expect.arrayContaining(closed))
  for (const place of [first, second]) {
    const archive = join(place, (await archivesIn(place))[0]!)
    await eventually('the archive is closed', async () => (await modeOf(archive)) === '600')
    await eventually('the log tells so', () => toldOf(service.logs()).includes(archive))
    expect(await modeOf(place)).toBe('755')
  }
  expect(await modeOf(join(dataDir, 'not-ours'))).toBe('755')
  expect((await read(service, 'a/b/picture.png')).status).toBe(200)
  const told = toldOf(service.logs()).length
  await service.restart()
  await eventually('its jobs have run', async () => (await fetch(`${service.url}/metrics`)).ok)
  expect(toldOf(service.logs())).toHaveLength(told)
})

test('a folder of others that was named by mistake stays open to them; what is made in it does not', async () => {
  const dataDir = join(folder, 'shared')
  await mkdir(join(dataDir, 'not-ours'), { recursive: true })
  for (const path of [dataDir, join(dataDir, 'not-ours')]) await chmod(path, 0o755)
  await using service = await startService({ dataDir, env: ADMIN_ENV, wrapper: WIDE_OPEN })
  expect(await modeOf(dataDir)).toBe('755')
  expect(service.logs().map(line => line.message)).toContainEqual(expect.stringContaining('other things lie'))
  const open = (await openBelow(dataDir)).open.map(line => line.split(' ')[1])
  expect(open).toEqual([dataDir, join(dataDir, 'not-ours')])
})
