/** `fundus push`: sends a folder to a running service, with an address and a token alone. */

import { describe, expect, test } from 'bun:test'
import { appendFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bytesOf, expectSameBytes, read, store } from '../support/api.ts'
import { randomBytes, sha256 } from '../support/bytes.ts'
import { runClient, startClient, writeFiles } from '../support/client.ts'
import { startCuttingProxy } from '../support/cutting-proxy.ts'
import { ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { onDatabase } from '../support/data-folder.ts'
import { useFolder } from '../support/folder.ts'
import { leftToLong } from '../support/left-out.ts'
import { readLuaTable } from '../support/lua.ts'
import { png } from '../support/pictures.ts'
import { sharedService } from '../support/shared-service.ts'
import { eventually } from '../support/wait.ts'

const on = sharedService({ env: ADMIN_ENV })
const home = await useFolder()
let made = 0

async function folderWith(files: Record<string, string | Uint8Array>): Promise<string> {
  const folder = join(home, `folder-${++made}`)
  await mkdir(folder)
  await writeFiles(folder, files)
  return folder
}

const push = (folder: string, prefix: string, ...options: string[]) =>
  runClient(['push', folder, `${on.service.url}/${prefix}`, ...options], {
    cwd: home,
    env: { FUNDUS_TOKEN: on.token },
  })

/** The history of paths below a folder, in no particular order. */
async function historyOf(prefix: string): Promise<{ was: string; pfad: string }[]> {
  const session = await signIn(on.service)
  const entries: { was: string; pfad: string }[] = []
  for (let page = 1; ; page++) {
    const response = await dash(on.service, `verlauf?pfad=${prefix}/&anzahl=200&seite=${page}`, { session })
    const { eintraege } = (await response.json()) as { eintraege: { was: string; pfad: string }[] }
    entries.push(...eintraege)
    if (eintraege.length < 200) return entries
  }
}

/** Includes uploads that send the same bytes again. */
const uploadsBelow = async (prefix: string) => (await historyOf(prefix)).length

describe('push', () => {
  test('uploads a folder with only an address and a token, in lower case, byte for byte; leaves nothing behind here', async () => {
    const picture = randomBytes(1, 300_000)
    const folder = await folderWith({
      'A/Bild.PNG': picture,
      'b.txt': 'hallo',
      'Thumbs.db': 'x',
      'A/.DS_Store': 'x',
    })

    const { code, stdout, stderr } = await startClient(['push', folder, `${on.service.url}/Erste`], {
      cwd: home,
      env: { FUNDUS_TOKEN: on.token },
    }).result
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('gesendet')
    expect(stdout).toMatch(/http:\/\/localhost:\d+\/f\/erste\/a\/bild\.png/)
    expect(stdout).toMatch(/Gesendet: 2 Dateien/)
    expectSameBytes(await bytesOf(await read(on.service, 'erste/a/bild.png')), picture)
    expect(await (await read(on.service, 'erste/b.txt')).text()).toBe('hallo')
    // Creates no data folder and no cache.
    expect((await readdir(home)).filter(name => name === 'data' || name === '.cache')).toEqual([])
  })

  test('again: what is there by its hash is not sent; what changed is; --keep leaves the other content', async () => {
    const folder = await folderWith({ 'a.txt': 'eins', 'b.txt': 'zwei' })
    await push(folder, 'again')
    const { code, stdout } = await push(folder, 'again')
    expect([code, await uploadsBelow('again')]).toEqual([0, 2])
    expect(stdout).toMatch(/schon da: 2/)
    await writeFiles(folder, { 'a.txt': 'neu' })
    expect((await push(folder, 'again', '--keep')).stdout).toMatch(/anderer Inhalt gelassen: 1/)
    expect(await (await read(on.service, 'again/a.txt')).text()).toBe('eins')
    expect((await push(folder, 'again')).stdout).toMatch(/ersetzt: 1/)
    expect(await (await read(on.service, 'again/a.txt')).text()).toBe('neu')
  })

  test('a file above 16 MB goes on where the line broke, and nothing of it is left', async () => {
    const MB = 1024 * 1024
    const film = randomBytes(9, 30 * MB)
    const folder = await folderWith({ 'film.bin': film })
    const port = () => Number(new URL(on.service.url).port)
    using proxy = startCuttingProxy(port, 20 * MB)
    const { code } = await runClient(['push', folder, `${proxy.url}/broken`], {
      cwd: home,
      env: { FUNDUS_TOKEN: on.token },
    })
    expect(code).toBe(0)
    // Another instance may answer before the one that was cut off has recorded all that it has received; then
    // more than the rest is sent again, and the line is cut once more.
    expect([1, 2]).toContain(proxy.cuts)
    expectSameBytes(await bytesOf(await read(on.service, 'broken/film.bin')), film)
    expect(await historyOf('broken')).toHaveLength(1)
    const left = 'select id from partial_upload where finished = 0'
    expect(await onDatabase(on.service.dataDir, left)).toEqual([])
  })

  test('--dry-run says what would be sent and sends nothing', async () => {
    const folder = await folderWith({ 'a.txt': 'eins', 'b.txt': 'zwei' })
    await store(on.service, on.token, 'dry/b.txt', 'zwei')
    const { code, stdout } = await push(folder, 'dry', '--dry-run')
    expect([code, await uploadsBelow('dry')]).toEqual([0, 1])
    expect(stdout).toMatch(/würde gesendet +.*\/f\/dry\/a\.txt/)
    expect(stdout).toMatch(/schon da: 1/)
    expect((await read(on.service, 'dry/a.txt')).status).toBe(404)
  })

  test('--output json and lua name every file with its address, also those that were there', async () => {
    const folder = await folderWith({ 'Sub/A.txt': 'eins', 'b.txt': 'zwei' })
    await push(folder, 'out')
    const { files, sent, present } = JSON.parse((await push(folder, 'out', '--output', 'json')).stdout)
    expect([sent, present]).toEqual([0, 2])
    expect(files[0]).toMatchObject({
      name: 'Sub/A.txt',
      path: 'out/sub/a.txt',
      status: 'present',
      sha256: sha256('eins'),
      url: expect.stringMatching(/\/f\/out\/sub\/a\.txt$/),
    })
    const lua = await readLuaTable((await push(folder, 'out', '--output', 'lua')).stdout)
    expect([...lua.keys()].sort()).toEqual(['b.txt', 'sub/a.txt'])
    expect(lua.get('b.txt')).toEndWith('/f/out/b.txt')
  })

  test('pictures that the service makes smaller are not sent again and again', async () => {
    const token = await on.tokenWith('--max-edge', '40')
    const folder = await folderWith({ 'gross.png': await png({ width: 100, height: 80 }) })
    const run = () => runClient(['push', folder, `${on.service.url}/small`, '--token', token], { cwd: home })
    expect((await run()).stdout).toMatch(/Gesendet: 1 Datei/)
    expect((await run()).stdout).toMatch(/schon da: 1/)
    expect(await uploadsBelow('small')).toBe(1)
  })

  leftToLong('killed with -9 and started again twice: nothing missing, nothing sent twice', async () => {
    const count = 240
    const contents = Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`n${at % 7}/${at}.bin`, randomBytes(at + 1, 20_000 + at)]),
    )
    const folder = await folderWith(contents)
    for (const part of [0.25, 0.6]) {
      const { child, result } = startClient(['push', folder, `${on.service.url}/killed`], {
        cwd: home,
        env: { FUNDUS_TOKEN: on.token },
      })
      const begun = await uploadsBelow('killed')
      await eventually(
        'part of it is there',
        async () => (await uploadsBelow('killed')) >= Math.max(begun + 1, count * part),
      )
      child.kill('SIGKILL')
      expect((await result).code).not.toBe(0)
    }
    const { code, stdout } = await push(folder, 'killed')
    expect(code).toBe(0)
    const history = await historyOf('killed')
    expect(history.map(({ was }) => was)).toEqual(Array(count).fill('hochgeladen'))
    expect(new Set(history.map(({ pfad }) => pfad)).size).toBe(count)
    expect(stdout).toMatch(/misslungen: 0/)
    for (const [name, content] of Object.entries(contents).slice(0, 20))
      expectSameBytes(await bytesOf(await read(on.service, `killed/${name}`)), content as Uint8Array)
  })

  test('429, 503 and an upload whose answer is lost are tried again, as late as asked; nothing is stored twice', async () => {
    const folder = await folderWith({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' })
    const seen: string[] = []
    // A proxy between command and service: refuses the first query and the first upload, and loses the answer
    // to the second.
    using proxy = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        const { pathname, search } = new URL(request.url)
        seen.push(`${pathname} ${request.headers.get('X-Path') ?? ''}`)
        const nth = seen.filter(each => each.startsWith(pathname)).length
        const later = { 'Retry-After': '0' }
        if (pathname === '/api/exists' && nth === 2) return new Response('', { status: 429, headers: later })
        if (pathname === '/api/upload' && nth === 1) return new Response('', { status: 503, headers: later })
        const { method, headers } = request
        const body = method === 'POST' ? await request.bytes() : null
        const answer = await fetch(`${on.service.url}${pathname}${search}`, { method, headers, body })
        const isLost = pathname === '/api/upload' && nth === 2
        return isLost ? new Response('', { status: 502, headers: later }) : answer
      },
    })
    const { code, stdout } = await runClient(
      ['push', folder, `http://127.0.0.1:${proxy.port}/retried`, '--parallel', '1'],
      { cwd: home, env: { FUNDUS_TOKEN: on.token } },
    )
    expect([code, stdout]).toEqual([0, expect.stringContaining('misslungen: 0')])
    expect((await historyOf('retried')).map(({ was }) => was)).toEqual(Array(3).fill('hochgeladen'))
    expect(seen.filter(each => each.startsWith('/api/upload')).map(each => each.split('/').at(-1))).toEqual([
      'a.txt',
      'a.txt',
      'b.txt',
      'c.txt',
    ])
  })

  test('a service that restarts meanwhile is waited for', async () => {
    const folder = await folderWith(
      Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`${at}.bin`, randomBytes(at + 1, 30_000)])),
    )
    // Without a fixed port the address would change with the restart.
    const target = `${on.service.url}/restart`
    const { result } = startClient(['push', folder, target, '--parallel', '2'], {
      cwd: home,
      env: { FUNDUS_TOKEN: on.token },
    })
    await eventually('it has begun', async () => (await uploadsBelow('restart')) > 5)
    await on.service.restart({ PORT: String(on.service.port) })
    const { code, stderr } = await result
    // The command reports its progress every few seconds, which shows only if the restart takes that long.
    expect([code, stderr.replace(/^Hochladen: .*\n/gm, '')]).toEqual([0, ''])
    expect(await uploadsBelow('restart')).toBe(120)
  })
})

describe('names that break the path rules are told before anything is sent', () => {
  const names = { 'Über uns (1).txt': 'x', 'ok.txt': 'y', '_privat/a.txt': 'z', 'leer.txt': '' }

  test('nothing is sent, exit code 2, each name with its reason and the two ways out', async () => {
    const { code, stdout, stderr } = await push(await folderWith(names), 'names')
    expect([code, stdout, await uploadsBelow('names')]).toEqual([2, '', 0])
    for (const text of [
      'Über uns (1).txt: jeder Abschnitt beginnt',
      '_privat/a.txt',
      'leer.txt: die Datei ist leer',
    ])
      expect(stderr).toContain(text)
    expect(stderr).toContain('--clean-names')
    expect(stderr).toContain('--skip-invalid')
  })

  test('--skip-invalid leaves them; --clean-names makes them fit, as the dashboard does', async () => {
    const folder = await folderWith(names)
    const skipped = await push(folder, 'names-1', '--skip-invalid')
    expect([skipped.code, (await historyOf('names-1')).map(({ pfad }) => pfad)]).toEqual([
      0,
      ['names-1/ok.txt'],
    ])
    await rm(join(folder, 'leer.txt'))
    expect((await push(folder, 'names-2', '--clean-names')).code).toBe(0)
    expect((await historyOf('names-2')).map(({ pfad }) => pfad).sort()).toEqual([
      'names-2/ok.txt',
      'names-2/privat/a.txt',
      'names-2/ueber-uns-1.txt',
    ])
  })

  test('two names that become one path: neither replaces the other', async () => {
    const { code, stderr } = await push(await folderWith({ 'A.txt': '1', 'a.txt': '2' }), 'twins')
    expect([code, stderr]).toEqual([2, expect.stringContaining('ergäbe denselben Pfad wie „A.txt“')])
  })
})

leftToLong(
  '--watch sends what is new and what changes, but nothing that is still being written',
  async () => {
    const folder = await folderWith({ 'first.txt': 'da' })
    const { child, result } = startClient(['push', folder, `${on.service.url}/watch`, '--watch'], {
      cwd: home,
      env: { FUNDUS_TOKEN: on.token },
    })
    try {
      const paths = async () => (await historyOf('watch')).map(({ was, pfad }) => `${was} ${pfad}`)
      await eventually('the first file', async () => (await paths()).includes('hochgeladen watch/first.txt'))
      const growing = join(folder, 'growing.txt')
      for (let line = 0; line < 25; line++) {
        await appendFile(growing, `line ${line}\n`)
        await Bun.sleep(100)
      }
      await writeFile(join(folder, 'first.txt'), 'neu')
      await eventually('the change', async () => (await paths()).includes('ueberschrieben watch/first.txt'))
      await eventually('the new file', async () => (await paths()).includes('hochgeladen watch/growing.txt'))
      expect(await (await read(on.service, 'watch/growing.txt')).text()).toEndWith('line 24\n')
      expect((await paths()).filter(path => path.endsWith('growing.txt'))).toHaveLength(1)
    } finally {
      child.kill('SIGTERM')
    }
    expect((await result).stdout).toContain('/f/watch/growing.txt')
  },
)

describe('what goes wrong is a sentence that says what to do, never a stack', () => {
  const client = (args: string[], env: Record<string, string> = {}, input?: string) =>
    runClient(args, { cwd: home, env, ...(input !== undefined && { input }) })
  const expectSentence = (stderr: string, ...parts: string[]) => {
    for (const part of parts) expect(stderr).toContain(part)
    expect(stderr).toContain('fundus: ')
    expect(stderr).not.toMatch(/\bat .*\.ts:\d+/)
  }

  test.each([
    ['no token', {}, 2, ['--token', 'FUNDUS_TOKEN']],
    [
      'an unknown token',
      { FUNDUS_TOKEN: 'media_unbekannt' },
      1,
      ['Es fehlt ein gültiges Token', 'fundus token create'],
    ],
  ])('%s', async (_, env, code, parts) => {
    const folder = await folderWith({ 'a.txt': 'x' })
    const result = await client(['push', folder, on.service.url], env as Record<string, string>)
    expect(result.code).toBe(code)
    expectSentence(result.stderr, ...parts)
  })

  test('a prefix that the token does not have', async () => {
    const token = await on.tokenWith('--prefix', 'items')
    const folder = await folderWith({ 'a.txt': 'x', 'b.txt': 'y' })
    const { code, stderr } = await client(['push', folder, `${on.service.url}/other`, '--token', token])
    expect(code).toBe(1)
    expectSentence(stderr, 'nur unter „items/“ schreiben')
    // Both are being sent at the same time; either may be refused first.
    expect(stderr).toMatch(/other\/[ab]\.txt/)
    expect((await client(['push', folder, `${on.service.url}/items`, '--token', token])).code).toBe(0)
  })

  test('a quota that is used up ends the run; the summary says what is there', async () => {
    const token = await on.service.createToken('--quota', '15000')
    const folder = await folderWith(
      Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`${at}.bin`, randomBytes(at + 1, 4000)])),
    )
    const { code, stdout, stderr } = await client([
      'push',
      folder,
      `${on.service.url}/quota`,
      '--token',
      token,
    ])
    expect(code).toBe(1)
    expect(stdout).toMatch(/Gesendet: 3 Dateien/)
    expect(stderr).toContain('Das Kontingent dieses Tokens reicht nicht')
    expect(stderr).toContain('Kontingent erhöhen')
  })

  test('one file that is too large fails by itself; the others arrive', async () => {
    const token = await on.tokenWith('--max-file', '5000')
    const folder = await folderWith({ 'big.bin': randomBytes(1, 6000), 'small.bin': randomBytes(2, 4000) })
    const { code, stdout, stderr } = await client([
      'push',
      folder,
      `${on.service.url}/large`,
      '--token',
      token,
    ])
    expect(code).toBe(1)
    expect(stdout).toMatch(/misslungen +big\.bin: Die Datei ist größer/)
    expect(stdout).toMatch(/Gesendet: 1 Datei,.*misslungen: 1/)
    expectSentence(stderr, 'Eine Datei ist nicht angekommen')
  })

  test.each([
    ['a host where nobody listens', 'http://127.0.0.1:9', 1, ['http://127.0.0.1:9 ist nicht erreichbar']],
    ['a name that does not exist', 'https://gibt-es-nicht.invalid', 1, ['ist nicht erreichbar']],
    ['another scheme', 'ftp://example.org', 2, ['https://media.example.org/bilder']],
    ['a folder that breaks the rules', 'http://127.0.0.1:9/_x', 2, ['der Ordner „_x“ ist ungültig']],
  ])('%s', async (_, target, code, parts) => {
    const folder = await folderWith({ 'a.txt': 'x' })
    const result = await client(['push', folder, target], { FUNDUS_TOKEN: 'media_x' })
    expect(result.code).toBe(code)
    expectSentence(result.stderr, ...parts)
  })

  test.each([
    ['a folder that is not there', ['push', './nirgends', 'http://127.0.0.1:9'], 'Den Ordner'],
    ['a file in place of a folder', ['push', import.meta.path, 'http://127.0.0.1:9'], 'Den Ordner'],
    ['no target', ['push', '.'], 'Es fehlt das Ziel'],
    ['a number that is none', ['push', '.', 'http://127.0.0.1:9', '--parallel', 'viele'], '--parallel'],
    [
      'an output that is not known',
      ['push', '.', 'http://127.0.0.1:9', '--output', 'xml'],
      'text, json, lua',
    ],
  ])('%s', async (_, args, part) => {
    const { code, stderr } = await client(args, { FUNDUS_TOKEN: 'media_x' })
    expect(code).toBe(2)
    expectSentence(stderr, part)
  })

  test('an address that is no Fundus', async () => {
    using other = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => new Response('<p>Hello', { status: 404 }),
    })
    const folder = await folderWith({ 'a.txt': 'x' })
    const { code, stderr } = await client(['push', folder, `http://127.0.0.1:${other.port}`], {
      FUNDUS_TOKEN: 'x',
    })
    expect(code).toBe(1)
    expectSentence(stderr, 'nicht wie ein Fundus')
  })
})
