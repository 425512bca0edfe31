/** `fundus rebuild`: the index from the disk alone, with every path and hash as before. */
import { Database } from 'bun:sqlite'
import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { answered, bytesOf, read, remove, store } from '../support/api.ts'
import { ADMIN, ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { DATABASE_FILE, removeDatabase } from '../support/data-folder.ts'
import { codeOf, newPerson, setUpTotp, stepOf } from '../support/factors.ts'
import { openFolder } from '../support/folder.ts'
import { png } from '../support/pictures.ts'
import { type Service, startService } from '../support/service.ts'
import { GERMAN } from '../support/tools.ts'
import { restore, throwAway, trashOf } from '../support/trash.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(180_000)
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
/** What the service lists for every file, and what it really sends. */
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
async function trashEntries(service: Service, session: string) {
  const { eintraege } = await trashOf(service, session, '?anzahl=200')
  return eintraege.map(({ nr, path, size, mime }) => ({ nr, path, size, mime })).sort((a, b) => a.nr - b.nr)
}
/** Waits until objects have followed their paths. */
const untilSettled = (service: Service) =>
  eventually('objects have followed', () => {
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
  })

async function rebuildIn(dataDir: string, port: string) {
  const child = Bun.spawn([process.execPath, 'src/cli.ts', 'rebuild'], {
    cwd: join(import.meta.dir, '../..'),
    env: { ...GERMAN, PATH: process.env.PATH ?? '', DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: port },
    stderr: 'pipe',
  })
  return { code: await child.exited, stderr: await new Response(child.stderr).text() }
}

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
  await post('media/umbenennen', { pfad: 'rename/old.txt', name: 'New.txt' })
  await post('folders/verschieben', { ordner: 'move', ziel: 'case' })
  await throwAway(service, session, 'bin/first.txt')
  await store(service, token, 'bin/first.txt', 'a second one at the same path')
  await throwAway(service, session, 'bin/first.txt', 'bin/second.txt', 'bin/back.txt')
  const back = (await trashOf(service, session)).eintraege.find(({ path }) => path === 'bin/back.txt')!
  await restore(service, session, back.nr)
  await untilSettled(service)
  const before = await inventory(service, session)
  const trashBefore = await trashEntries(service, session)
  expect(Object.keys(before)).toHaveLength(paths.length + 2 - 3)
  expect(before).toHaveProperty(['case/move/sub/two.txt'])
  expect(before).toHaveProperty(['rename/New.txt'])

  await service.stop()
  await removeDatabase(service.dataDir)
  const { code, stdout, stderr } = await service.command('rebuild')
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain(`${Object.keys(before).length} Dateien und ${trashBefore.length} im Papierkorb`)
  // Existing previews and variants are kept.
  expect(stdout).not.toContain('macht der Dienst')
  expect(stdout).toContain('Nicht zurückgekommen')
  expect((await readdir(service.dataDir)).filter(name => name.startsWith(DATABASE_FILE))).toEqual([
    DATABASE_FILE,
  ])

  await service.restart()
  session = await signIn(service)
  expect(await inventory(service, session)).toEqual(before)
  expect(await trashEntries(service, session)).toEqual(trashBefore)
  expect((await fetch(`${service.url}/t/pictures/Red.PNG.webp`)).status).toBe(200)
  const webp = await read(service, 'pictures/green.png', { Accept: 'image/webp' })
  expect(webp.headers.get('content-type')).toBe('image/webp')
  // The service keeps working: deleted files can be restored, and new numbers follow the old ones.
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

describe('what is refused, and what is kept', () => {
  test('not while a service runs, not over a database that holds files; nothing changes then', async () => {
    const service = await start()
    const token = await service.createToken()
    await store(service, token, 'a.txt', 'a')
    const running = await service.command('rebuild')
    expect([running.code, running.stderr]).toEqual([2, expect.stringContaining('in Gebrauch')])
    await using folder = await openFolder()
    const probed = await rebuildIn(folder.path, String(service.port))
    expect([probed.code, probed.stderr]).toEqual([2, expect.stringContaining('antwortet ein Dienst')])
    await service.stop()
    const holding = await service.command('rebuild')
    expect([holding.code, holding.stderr]).toEqual([2, expect.stringContaining('enthält Dateien')])
    await service.restart()
    expect(await (await read(service, 'a.txt')).text()).toBe('a')
  })

  test('a folder without files of ours is a wrong DATA_DIR', async () => {
    await using folder = await openFolder()
    const { code, stderr } = await rebuildIn(folder.path, '0')
    expect([code, stderr]).toEqual([2, expect.stringContaining('Stimmt DATA_DIR')])
  })

  test('a broken database is renamed with its bytes, an empty one is taken over with its accounts', async () => {
    const service = await start()
    const token = await service.createToken()
    await store(service, token, 'a.txt', 'a')
    await service.stop()
    await removeDatabase(service.dataDir)
    const file = join(service.dataDir, DATABASE_FILE)
    await writeFile(file, 'this was a database once')
    await writeFile(`${file}-wal`, 'half')
    // A file that cannot be read would be lost silently: nothing is replaced until the operator agrees.
    const bad = join(service.dataDir, 'files/bad~0123456789abcdef.txt')
    await symlink(service.dataDir, bad)
    const unread = await service.command('rebuild')
    expect([unread.code, unread.stdout]).toEqual([
      1,
      expect.stringContaining('files/bad~0123456789abcdef.txt'),
    ])
    expect(await Bun.file(file).text()).toBe('this was a database once')
    const without = await service.command('rebuild', '--auslassen', '--json')
    expect(JSON.parse(without.stdout)).toMatchObject({ done: true, files: 1, unreadable: { count: 1 } })
    await rm(bad)
    await rename(JSON.parse(without.stdout).aside, file)
    await rename(`${JSON.parse(without.stdout).aside}-wal`, `${file}-wal`)
    const broken = await service.command('rebuild', '--json')
    const { aside, files } = JSON.parse(broken.stdout)
    expect([broken.code, files]).toEqual([0, 1])
    expect([await Bun.file(aside).text(), await Bun.file(`${aside}-wal`).text()]).toEqual([
      'this was a database once',
      'half',
    ])

    // The database is lost and the service was started without noticing: there is a new, empty one with an
    // account.
    await removeDatabase(service.dataDir)
    await service.restart()
    await service.command('settings', 'set', 'DIENST', 'Neu')
    const session = await signIn(service, ADMIN)
    const rights = { rolle: 'ansicht', ordner: ['items'] }
    const person = await newPerson(service, session, rights)
    const { secret } = await setUpTotp(service, person.session)
    const { adresse } = await answered<{ adresse: string }>(
      await dash(service, 'einladungen', { json: rights, session }),
    )
    expect((await read(service, 'a.txt')).status).toBe(404)
    await service.stop()
    const empty = await service.command('rebuild', '--json')
    expect([empty.code, JSON.parse(empty.stdout).aside]).toEqual([
      0,
      expect.stringContaining(`${DATABASE_FILE}.beiseite-`),
    ])
    await service.restart({ ADMIN_PASSWORD: '' })
    expect(await (await read(service, 'a.txt')).text()).toBe('a')
    await signIn(service, ADMIN)
    expect((await service.command('settings', 'get', 'DIENST')).stdout).toContain('Neu')
    const step = { schritt: await stepOf(service, person), code: codeOf(secret, 1) }
    expect((await dash(service, 'login/zweiter-faktor', { json: step })).status).toBe(200)
    expect(await answered(await dash(service, 'ich', { session: person.session }))).toMatchObject(rights)
    const guest = { ...ADMIN, benutzer: 'invited', code: adresse.split('#code=')[1] }
    expect((await dash(service, 'einladung', { json: guest })).status).toBe(200)
  })
})
