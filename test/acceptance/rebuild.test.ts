/** `fundus rebuild`: the index from the disk alone, every path and hash as before. */
import { Database } from 'bun:sqlite'
import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { copyFile, mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { bytesOf, read, remove, store } from '../support/api.ts'
import { ADMIN, ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { DATABASE_FILE, objectFiles, storedFiles } from '../support/data-folder.ts'
import { png } from '../support/pictures.ts'
import { type Service, startService } from '../support/service.ts'
import { restore, throwAway, trashOf } from '../support/trash.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(60_000)
const services: Service[] = []
afterEach(async () => {
  for (const service of services.splice(0)) await service[Symbol.asyncDispose]()
})
async function start(): Promise<Service> {
  const service = await startService({ env: ADMIN_ENV })
  services.push(service)
  return service
}

interface Exported {
  path: string
  size: number
  sha256: string
  mime: string
}
/** What the service says of every file, and what it really sends. */
async function inventory(service: Service, session: string) {
  const files = (await (await dash(service, 'export?format=json', { session })).json()) as Exported[]
  const sent: Record<string, string> = {}
  for (const { path, sha256, size, mime } of files) {
    const bytes = await bytesOf(await read(service, path))
    const hash = createHash('sha256').update(bytes).digest('hex')
    sent[path] = `${hash} ${hash === sha256} ${size === bytes.length} ${mime}`
  }
  return sent
}
async function trashed(service: Service, session: string) {
  const { eintraege } = await trashOf(service, session, '?anzahl=200')
  return eintraege.map(({ nr, path, size, mime }) => ({ nr, path, size, mime })).sort((a, b) => a.nr - b.nr)
}
async function loseDatabase(service: Service): Promise<void> {
  for (const name of await readdir(service.dataDir)) {
    if (name.startsWith(DATABASE_FILE)) await rm(join(service.dataDir, name))
  }
}
/** Objects have gone where their paths say. */
const settled = (service: Service) =>
  eventually(
    'objects have followed',
    () => {
      const database = new Database(join(service.dataDir, DATABASE_FILE), { readonly: true })
      try {
        const open = (sql: string) =>
          database.query<{ n: number }, []>(`select count(*) n from ${sql}`).get()!.n
        return (
          open('relocation') +
            open('discard') +
            open("media where derived = 'pending'") +
            open("trash where object not like 'trash/%'") ===
          0
        )
      } finally {
        database.close()
      }
    },
    20_000,
  )

test('a varied library comes back: every path, hash, type and trash entry', async () => {
  const service = await start()
  const token = await service.createToken('--may-delete')
  let session = await signIn(service)
  const text = (path: string) => store(service, token, path, `content of ${path}`)
  const paths = [
    'top.txt',
    'noextension',
    'dot.',
    'a/b/c/d/e/f/g/deep.txt',
    'Case/A.txt',
    'case/a.txt',
    'CASE/a.TXT',
    'con/nul.txt',
    'aux',
    'com1.tar.gz',
    'abc./x.txt',
    'x',
    'x/y.txt',
    'thumbs/x.webp.txt',
    `long/${'n'.repeat(190)}.txt`,
    'move/one.txt',
    'move/sub/two.txt',
    'rename/old.txt',
    'bin/first.txt',
    'bin/second.txt',
    'bin/back.txt',
    'again.txt',
    'gone.txt',
  ]
  await Promise.all(paths.map(text))
  await store(service, token, 'pictures/Red.PNG', await png({ tint: 'red' }))
  await store(service, token, 'pictures/green.png', await png({ tint: 'green' }))
  await store(service, token, 'again.txt', 'overwritten')
  await remove(service, token, 'gone.txt')
  const post = async (route: string, json: unknown) =>
    expect((await dash(service, route, { json, session })).status).toBe(200)
  await post('media/umbenennen', { pfad: 'rename/old.txt', name: 'New.md' })
  await post('folders/verschieben', { ordner: 'move', ziel: 'case' })
  await throwAway(service, session, 'bin/first.txt')
  await store(service, token, 'bin/first.txt', 'a second one at the same path')
  await throwAway(service, session, 'bin/first.txt', 'bin/second.txt', 'bin/back.txt')
  const back = (await trashOf(service, session)).eintraege.find(({ path }) => path === 'bin/back.txt')!
  await restore(service, session, back.nr)
  await settled(service)
  const before = await inventory(service, session)
  const trashBefore = await trashed(service, session)
  expect(Object.keys(before)).toHaveLength(paths.length + 2 - 3)
  expect(before).toHaveProperty(['case/move/sub/two.txt'])
  expect(before).toHaveProperty(['rename/New.md'])

  await service.stop()
  await loseDatabase(service)
  const { code, stdout, stderr } = await service.command('rebuild')
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain(`${Object.keys(before).length} Dateien und ${trashBefore.length} im Papierkorb`)
  expect(stdout).toContain('Nicht zurückgekommen')
  expect((await readdir(service.dataDir)).filter(name => name.startsWith(DATABASE_FILE))).toEqual([
    DATABASE_FILE,
  ])

  await service.restart()
  session = await signIn(service)
  expect(await inventory(service, session)).toEqual(before)
  expect(await trashed(service, session)).toEqual(trashBefore)
  // Previews and variants that lay there serve again, without being made anew.
  expect((await fetch(`${service.url}/t/pictures/Red.PNG.webp`)).status).toBe(200)
  const webp = await read(service, 'pictures/green.png', { Accept: 'image/webp' })
  expect(webp.headers.get('content-type')).toBe('image/webp')
  // The house goes on: what was thrown away can be restored, new numbers follow the old ones.
  const [first] = trashBefore
  await restore(service, session, first!.nr)
  expect(await (await read(service, 'bin/first.txt')).text()).toBe('content of bin/first.txt')
  const token2 = await service.createToken()
  await store(service, token2, 'after.txt', 'new')
  const [nr] = await throwAway(service, session, 'after.txt')
  expect(nr).toBeGreaterThan(Math.max(...trashBefore.map(entry => entry.nr)))
  const check = await service.command('check')
  expect([check.code, check.stdout]).toEqual([0, expect.stringContaining('Alles in Ordnung')])
})

describe('what a crash left', () => {
  test('of two objects for one path the newer wins; the other is named and stays; foreign files stay', async () => {
    const service = await start()
    const token = await service.createToken()
    await store(service, token, 'twice/a.txt', 'newer')
    await service.stop()
    const [object = ''] = await objectFiles(service.dataDir, 'twice/a.txt')
    const at = (name: string) => join(service.dataDir, name)
    const older = 'files/twice/a~0000000000000000.txt'
    await writeFile(at(older), 'older')
    await utimes(at(older), 1_600_000_000, 1_600_000_000)
    await writeFile(at('files/twice/notes.txt'), "an operator's own")
    await loseDatabase(service)
    const { stdout } = await service.command('rebuild', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      files: 1,
      trash: 0,
      rivalries: { count: 1, first: [{ path: 'twice/a.txt', kept: object, left: older }] },
      foreign: { count: 1, first: ['files/twice/notes.txt'] },
      aside: null,
    })
    await service.restart()
    expect(await (await read(service, 'twice/a.txt')).text()).toBe('newer')
    expect(await storedFiles(service.dataDir)).toContain(older)
  })

  test('two names of one file: the one it was given later', async () => {
    const service = await start()
    const token = await service.createToken()
    await store(service, token, 'was/here.txt', 'moved')
    await service.stop()
    const [object = ''] = await objectFiles(service.dataDir, 'was/here.txt')
    const id = /~([0-9a-z]{16})/.exec(object)![1]!
    const link = `files/is/now~${id}-abcdef.txt`
    const old = join(service.dataDir, object)
    await mkdir(dirname(join(service.dataDir, link)), { recursive: true })
    const { link: hardLink } = await import('node:fs/promises')
    await hardLink(old, join(service.dataDir, link))
    await loseDatabase(service)
    const { stdout } = await service.command('rebuild', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      files: 1,
      rivalries: { first: [{ kept: link, left: object }] },
    })
    await service.restart()
    expect((await read(service, 'was/here.txt')).status).toBe(404)
    expect(await (await read(service, 'is/now.txt')).text()).toBe('moved')
  })

  test('an interrupted run goes on: nothing is read twice, and what vanished meanwhile is not in it', async () => {
    const service = await start()
    const token = await service.createToken()
    await store(service, token, 'r/kept.txt', 'kept')
    await store(service, token, 'r/lost.txt', 'lost')
    await service.stop()
    // As an interruption right before the end leaves it: a complete index under its working name.
    const file = join(service.dataDir, DATABASE_FILE)
    await copyFile(file, `${file}.neu`)
    await loseDatabaseBut(service, `${DATABASE_FILE}.neu`)
    const mark = new Database(`${file}.neu`)
    mark.run("update media set sha256 = 'as read before', updated_at = updated_at")
    // The time of the bytes is what a run goes by; here the row has that of the upload.
    const { lstatSync } = await import('node:fs')
    for (const path of ['r/kept.txt', 'r/lost.txt']) {
      const [object = ''] = await objectFiles(service.dataDir, path)
      const { mtimeMs } = lstatSync(join(service.dataDir, object))
      mark.run('update media set updated_at = ? where path = ?', [Math.floor(mtimeMs), path])
    }
    mark.close()
    const [lost = ''] = await objectFiles(service.dataDir, 'r/lost.txt')
    await rm(join(service.dataDir, lost))
    const { code, stdout } = await service.command('rebuild', '--json')
    expect([code, JSON.parse(stdout).files]).toEqual([0, 1])
    const after = new Database(file, { readonly: true })
    expect(after.query('select path, sha256 from media').all()).toEqual([
      { path: 'r/kept.txt', sha256: 'as read before' },
    ])
    after.close()
  })
})

async function loseDatabaseBut(service: Service, kept: string): Promise<void> {
  for (const name of await readdir(service.dataDir)) {
    if (name.startsWith(DATABASE_FILE) && name !== kept) await rm(join(service.dataDir, name))
  }
}

describe('what is refused, and what is kept', () => {
  test('not while a service runs, not over a database that holds files; nothing changes then', async () => {
    const service = await start()
    const token = await service.createToken()
    await store(service, token, 'a.txt', 'a')
    const running = await service.command('rebuild')
    expect([running.code, running.stderr]).toEqual([2, expect.stringContaining('in Gebrauch')])
    const PORT = String(service.port)
    const probed = Bun.spawn([process.execPath, 'src/cli.ts', 'rebuild'], {
      cwd: join(import.meta.dir, '../..'),
      env: {
        PATH: process.env.PATH ?? '',
        DATA_DIR: join(service.dataDir, 'elsewhere'),
        HOST: '127.0.0.1',
        PORT,
      },
      stderr: 'pipe',
    })
    expect([await probed.exited, await new Response(probed.stderr).text()]).toEqual([
      2,
      expect.stringContaining(`Auf Port ${PORT} antwortet ein Dienst`),
    ])
    await service.stop()
    const holding = await service.command('rebuild')
    expect([holding.code, holding.stderr]).toEqual([2, expect.stringContaining('enthält Dateien')])
    await service.restart()
    expect(await (await read(service, 'a.txt')).text()).toBe('a')
  })

  test('a folder without files of ours is a wrong DATA_DIR', async () => {
    const service = await start()
    await service.stop()
    await loseDatabase(service)
    const { code, stderr } = await service.command('rebuild')
    expect([code, stderr]).toEqual([2, expect.stringContaining('Stimmt DATA_DIR')])
  })

  test('a broken database is renamed, its bytes stay', async () => {
    const service = await start()
    const token = await service.createToken()
    await store(service, token, 'a.txt', 'a')
    await service.stop()
    await loseDatabase(service)
    await writeFile(join(service.dataDir, DATABASE_FILE), 'this was a database once')
    await writeFile(join(service.dataDir, `${DATABASE_FILE}-wal`), 'half')
    const { code, stdout } = await service.command('rebuild', '--json')
    const { aside, files } = JSON.parse(stdout)
    expect([code, files]).toEqual([0, 1])
    expect(await Bun.file(aside).text()).toBe('this was a database once')
    expect(await Bun.file(`${aside}-wal`).text()).toBe('half')
    await service.restart()
    expect(await (await read(service, 'a.txt')).text()).toBe('a')
  })

  test('an empty database is taken over with its accounts and settings', async () => {
    const service = await start()
    const token = await service.createToken()
    await store(service, token, 'a.txt', 'a')
    await service.stop()
    await loseDatabase(service)
    // Started once without noticing: a new, empty database with an account.
    await service.restart()
    await service.command('settings', 'set', 'DIENST', 'Neu')
    expect((await read(service, 'a.txt')).status).toBe(404)
    await service.stop()
    const { code, stdout } = await service.command('rebuild', '--json')
    expect([code, JSON.parse(stdout).aside]).toEqual([
      0,
      expect.stringContaining(`${DATABASE_FILE}.beiseite-`),
    ])
    await service.restart({ ADMIN_PASSWORD: '' })
    expect(await (await read(service, 'a.txt')).text()).toBe('a')
    await signIn(service, ADMIN)
    expect((await service.command('settings', 'get', 'DIENST')).stdout).toContain('Neu')
  })
})
