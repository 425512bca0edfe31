/** What `fundus restore` refuses, without changing anything. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { read, store } from '../support/api.ts'
import { backUp, contentsIn, namesIn } from '../support/backup.ts'
import { randomBytes } from '../support/bytes.ts'
import { ADMIN_ENV, signIn } from '../support/dashboard.ts'
import { storedFiles } from '../support/data-folder.ts'
import { useFolder } from '../support/folder.ts'
import { isShared } from '../support/modes.ts'
import { fill, mount, mountProblem, unmount } from '../support/mounts.ts'
import { type Service, startService } from '../support/service.ts'

setDefaultTimeout(180_000)
let service: Service
const folder = await useFolder()
let archive: string
beforeAll(async () => {
  service = await startService({ env: ADMIN_ENV })
  await store(service, await service.createToken(), 'ordner/a.bin', randomBytes(1, 5000))
  const { archiv } = await backUp(service, await signIn(service))
  archive = join(folder, 'archiv.tar')
  await rename(join(service.dataDir, 'sicherung', archiv!), archive)
  await rename(join(service.dataDir, 'sicherung/bestand'), join(folder, 'bestand'))
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})
const restore = (...args: string[]) => service.command('restore', ...args)

async function expectRefused(args: string[], about: RegExp, code = 2): Promise<void> {
  const before = await storedFiles(service.dataDir)
  const result = await restore(...args)
  expect([result.code, result.stdout]).toEqual([code, ''])
  expect(result.stderr).toMatch(/^fundus: \P{Cc}+\.\n$/u)
  expect(result.stderr).toMatch(about)
  expect(await storedFiles(service.dataDir)).toEqual(before)
}

test('onto an instance that has something, without --force', () =>
  // On PostgreSQL the running service is noticed before that.
  expectRefused([archive], isShared() ? /arbeitet gerade ein Dienst/ : /liegt schon ein Bestand/))

test('while a service runs on it, even with --force', () =>
  expectRefused([archive, '--force'], /arbeitet gerade ein Dienst/))

const problem = mountProblem()
const name = 'onto a disk without room, which is known before the archive is read'
test.skipIf(problem !== null)(problem === null ? name : `${name}: ${problem}`, async () => {
  const full = join(folder, 'full')
  await mkdir(full)
  mount(full, 1)
  try {
    await fill(join(full, 'ballast'), 1024 * 1024)
    // This archive is broken too, but nothing has read it yet.
    const broken = join(folder, 'broken.tar')
    await writeFile(broken, (await readFile(archive)).fill('x', 70_000))
    const place = join(full, 'not', 'there')
    await expectRefused(
      [broken, '--into', place],
      /reicht der Platz nicht.* braucht .*, in .* sind .* frei/,
      1,
    )
    expect(await namesIn(full)).toEqual(['ballast'])
  } finally {
    unmount(full)
  }
})

test.each([
  [[], /fehlt der Name des Archivs/],
  [['a.tar', 'b.tar'], /„b\.tar“ ist zu viel/],
])('called with %j', (args, about) => expectRefused(args, about))

describe('an archive that is', () => {
  const refusalOf = async (change: (bytes: Buffer) => Buffer): Promise<string[]> => {
    const file = join(folder, 'changed.tar')
    await writeFile(file, change(await readFile(archive)))
    return [file, '--into', join(folder, 'never')]
  }
  const flip = (find: string, offset = 0) =>
    refusalOf(bytes => {
      bytes[bytes.indexOf(find) + offset]! ^= 1
      return bytes
    })

  test.each([
    ['broken in the list of files', () => flip('dateien.sha256\0', 530), /„dateien\.sha256“/, 1],
    ['broken in a table', () => flip('"sha256":"', 20), /„datenbank\/media\.jsonl“/, 1],
    ['broken in the list', () => flip('pruefsummen.sha256', 530), /„manifest\.json“/, 1],
    ['cut off', () => refusalOf(bytes => bytes.subarray(0, bytes.length - 5000)), /abgeschnitten/, 1],
    ['too long', () => refusalOf(bytes => Buffer.concat([bytes, Buffer.from('more')])), /Hinter dem Ende/, 1],
    ['no archive', () => refusalOf(() => Buffer.from('hello')), /kein Archiv von Fundus/, 1],
    ['not there', async () => [join(folder, 'nowhere.tar')], /es gibt es nicht/, 2],
  ] as const)('%s', async (_, args, about, code) => {
    await expectRefused([...(await args())], about, code)
    expect(await namesIn(join(folder, 'never'))).toEqual([])
  })
})

describe('contents that are', () => {
  const content = async () => (await contentsIn(folder))[0]!
  const args = (...more: string[]) => [archive, '--into', join(folder, 'never'), ...more]

  test('broken, by the name of the file', async () => {
    const file = await content()
    const bytes = await readFile(file)
    const broken = Buffer.from(bytes)
    broken[700]! ^= 1
    await writeFile(file, broken)
    await expectRefused(args(), /„dateien\/ordner\/a\.bin“ \(bestand\/.*Prüfsumme/, 1)
    await expectRefused(args('--nur-pruefen'), /„dateien\/ordner\/a\.bin“/, 1)
    await writeFile(file, bytes)
  })

  test('missing, by the name of the file; without all of them by the folder', async () => {
    const file = await content()
    await rename(file, `${file}.away`)
    await expectRefused(args(), /„dateien\/ordner\/a\.bin“ .*fehlt/, 1)
    await rename(`${file}.away`, file)
    await rename(join(folder, 'bestand'), join(folder, 'elsewhere'))
    await expectRefused(args(), /archiv\.tar fehlt der Ordner „bestand“/)
    await rename(join(folder, 'elsewhere'), join(folder, 'bestand'))
    expect(await namesIn(join(folder, 'never'))).toEqual([])
  })
})

test('a folder without archives', () =>
  expectRefused([join(folder, 'bestand')], /kein Archiv einer Sicherung/))

test('--nur-pruefen says what is in it, and touches nothing', async () => {
  const before = await storedFiles(service.dataDir)
  const { code, stdout } = await restore(archive, '--nur-pruefen')
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/unversehrt: eine Datei, 0 im Papierkorb, zusammen 4,88 KB/),
  ])
  expect(await storedFiles(service.dataDir)).toEqual(before)
})

test('--into a folder that is not there; once more with --force, which keeps what was there', async () => {
  const into = join(folder, 'new', 'place')
  expect((await restore(archive, '--into', into)).code).toBe(0)
  expect((await restore(archive, '--into', into)).stderr).toMatch(/liegt schon ein Bestand/)
  await mkdir(join(into, 'sicherung'))
  await writeFile(join(into, 'sicherung', 'fundus-2026-01-01-000000.tar'), 'x')
  const { code, stdout } = await restore(archive, '--into', into, '--force')
  expect(code).toBe(0)
  const before = (await namesIn(into)).filter(name => name.startsWith('vorher-'))
  expect(before).toHaveLength(1)
  expect(stdout).toContain(before[0]!)
  expect(await namesIn(join(into, before[0]!))).toEqual([
    'files',
    'fundus.db',
    'partial',
    'staging',
    'thumbs',
    'trash',
  ])
  expect(await namesIn(join(into, 'sicherung'))).toHaveLength(1)
  await using copy = await startService({ dataDir: into, mode: 'embedded' })
  expect((await read(copy, 'ordner/a.bin')).status).toBe(200)
})

test('onto a folder in which a service was started once and nothing stored', async () => {
  await using empty = await startService()
  await empty.stop()
  expect((await empty.command('restore', archive)).code).toBe(0)
  await empty.restart()
  expect((await read(empty, 'ordner/a.bin')).status).toBe(200)
})
