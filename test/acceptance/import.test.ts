/** `fundus import`: files of another host into a running service, and the table of old and new addresses. */
import { describe, expect, test } from 'bun:test'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { read, store } from '../support/api.ts'
import { randomBytes, sha256 } from '../support/bytes.ts'
import { runClient, startClient, writeFiles } from '../support/client.ts'
import { ADMIN, ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { openFolder } from '../support/folder.ts'
import { startOldHost } from '../support/old-host.ts'
import { startService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'
import { eventually } from '../support/wait.ts'
import { zip } from '../support/zip.ts'

const on = sharedService({ env: ADMIN_ENV })

/** The default journal, in the folder in which the command is started. */
const JOURNAL = 'fundus-import.jsonl'

interface Row {
  from: string
  to?: string
  path: string
  status: string
  why?: string
}

/** A folder for each test, with sources and the journal. */
async function place() {
  const folder = await openFolder()
  const target = (prefix: string) => `${on.service.url}/${prefix}`
  const pace = ['--per-second', '1000']
  const options = { cwd: folder.path, env: { FUNDUS_TOKEN: on.token } }
  return {
    folder: folder.path,
    run: (source: string, prefix: string, ...more: string[]) =>
      runClient(
        [
          'import',
          source.startsWith('http') ? source : join(folder.path, source),
          target(prefix),
          '--journal',
          join(folder.path, JOURNAL),
          ...pace,
          ...more,
        ],
        options,
      ),
    start: (source: string, prefix: string, ...more: string[]) =>
      startClient(['import', source, target(prefix), ...pace, ...more], options),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

const textOf = async (path: string) => (await read(on.service, path)).text()

async function uploadsBelow(prefix: string): Promise<string[]> {
  const session = await signIn(on.service)
  const response = await dash(on.service, `verlauf?pfad=${prefix}/&anzahl=200`, { session })
  const { eintraege } = (await response.json()) as { eintraege: { was: string; pfad: string }[] }
  return eintraege.map(({ was, pfad }) => `${was} ${pfad}`)
}

describe('a list of addresses', () => {
  test('100 addresses with failures (404, slow, 503 then ok): names kept, a table, and each failure with its reason', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [`img/${at}.txt`, `content ${at}`]),
    )
    using old = startOldHost(files, { 'img/7.txt': 'absent', 'img/8.txt': 'slow', 'img/9.txt': 'busy' })
    await using here = await place()
    const list = Object.keys(files).map(name => `${old.url}/${name}`)
    await writeFile(join(here.folder, 'list.txt'), `# old pictures\n${list.join('\r\n')}\n${list[0]}\n`)

    const { code, stdout, stderr } = await here.start('list.txt', 'hundred', '--output', 'json').result
    expect(code).toBe(1)
    const rows = JSON.parse(stdout) as Row[]
    expect(rows).toHaveLength(100)
    expect(rows.filter(({ status }) => status === 'failed')).toEqual([
      {
        from: list[7]!,
        path: 'hundred/img/7.txt',
        status: 'failed',
        why: 'Die Quelle antwortet mit dem Status 404.',
      },
    ])
    expect(stderr).toContain(`${list[7]}: Die Quelle antwortet mit dem Status 404.`)
    expect(rows[8]).toMatchObject({ from: list[8]!, to: expect.stringMatching(/\/f\/hundred\/img\/8\.txt$/) })
    for (const at of [0, 8, 9, 99]) expect(await textOf(`hundred/img/${at}.txt`)).toBe(`content ${at}`)
    expect((await uploadsBelow('hundred')).length).toBe(99)

    // Again: finished files are neither fetched nor sent; failed ones are tried once more.
    old.asked.length = 0
    expect((await here.run('list.txt', 'hundred')).code).toBe(1)
    expect(old.asked).toEqual(['img/7.txt'])
    expect((await uploadsBelow('hundred')).length).toBe(99)
    expect((await readdir(here.folder)).filter(name => name !== '.bun').sort()).toEqual([JOURNAL, 'list.txt'])
  })

  test('killed with -9 and started again twice: nothing missing, nothing sent twice', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 120 }, (_, at) => [`${at}.bin`, randomBytes(at + 1, 9000)]),
    )
    using old = startOldHost(files)
    await using here = await place()
    await writeFile(
      join(here.folder, 'list'),
      Object.keys(files)
        .map(name => `${old.url}/${name}`)
        .join('\n'),
    )
    for (const part of [20, 60]) {
      const { child, result } = here.start('list', 'stopped', '--per-second', '150')
      await eventually('part of it is there', async () => (await uploadsBelow('stopped')).length >= part)
      child.kill('SIGKILL')
      await result
    }
    const { code } = await here.run('list', 'stopped')
    expect(code).toBe(0)
    const uploads = await uploadsBelow('stopped')
    expect(uploads.toSorted()).toEqual(
      Object.keys(files)
        .map(name => `hochgeladen stopped/${name}`)
        .toSorted(),
    )
    // At most the files that were being transferred at the kill are fetched twice.
    expect(old.asked.length).toBeLessThanOrEqual(120 + 2 * 4)
  })

  test('from standard input, with paths of their own; a name without an extension keeps the type of its source', async () => {
    using old = startOldHost({ 'a/Logo.txt': 'x', 'b/logo.txt': 'y', plain: 'z' })
    await using here = await place()
    const list = `${old.url}/a/Logo.txt neu/eins.txt\n${old.url}/b/logo.txt\tneu/zwei.txt\n${old.url}/plain\n`
    const result = await runClient(
      ['import', '-', `${on.service.url}/stdin`, '--output', 'csv', '--journal', join(here.folder, JOURNAL)],
      {
        cwd: here.folder,
        env: { FUNDUS_TOKEN: on.token },
        input: list,
      },
    )
    expect([result.code, result.stderr]).toEqual([0, ''])
    expect(result.stdout.split('\r\n')[0]).toBe('\uFEFFalt;neu;pfad')
    expect(result.stdout).toContain(`${old.url}/a/Logo.txt;`)
    expect([await textOf('stdin/neu/eins.txt'), await textOf('stdin/neu/zwei.txt')]).toEqual(['x', 'y'])
    expect((await read(on.service, 'stdin/plain')).headers.get('Content-Type')).toBe(
      'text/plain; charset=utf-8',
    )
  })

  test('names that cannot be paths, and two that would be one: told before anything is fetched', async () => {
    using old = startOldHost({ 'a b.txt': 'x', 'x/l.txt': 'y', 'y/l.txt': 'z' })
    await using here = await place()
    await writeFile(
      join(here.folder, 'list'),
      ['a%20b.txt', 'x/l.txt', 'y/l.txt'].map(name => `${old.url}/${name}`).join('\n'),
    )
    const flat = await here.run('list', 'names', '--flat')
    expect([flat.code, old.asked]).toEqual([2, []])
    for (const text of ['a%20b.txt: jeder Abschnitt', 'ergäbe denselben Pfad', '--clean-names'])
      expect(flat.stderr).toContain(text)
    expect((await here.run('list', 'names', '--clean-names')).code).toBe(0)
    expect((await uploadsBelow('names')).toSorted()).toEqual([
      'hochgeladen names/a-b.txt',
      'hochgeladen names/x/l.txt',
      'hochgeladen names/y/l.txt',
    ])
  })

  test('--dry-run fetches and sends nothing, and writes no journal', async () => {
    using old = startOldHost({ 'a.txt': 'x' })
    await using here = await place()
    await writeFile(join(here.folder, 'list'), `${old.url}/a.txt`)
    const { code, stdout } = await here.run('list', 'dry', '--dry-run')
    expect([code, old.asked, await uploadsBelow('dry')]).toEqual([0, [], []])
    expect(stdout).toContain(`${old.url}/a.txt → `)
    expect(await readdir(here.folder)).not.toContain(JOURNAL)
  })

  test('--per-second holds the pace', async () => {
    using old = startOldHost(Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`${at}.txt`, `${at}`])))
    await using here = await place()
    await writeFile(
      join(here.folder, 'list'),
      Array.from({ length: 6 }, (_, at) => `${old.url}/${at}.txt`).join('\n'),
    )
    const begun = Date.now()
    expect((await here.run('list', 'pace', '--per-second', '5')).code).toBe(0)
    // Six requests at five per second: five gaps of 200 ms.
    expect(Date.now() - begun).toBeGreaterThanOrEqual(1000)
  })
})

describe('other sources', () => {
  test('a folder, with the address its files used to have; SQL out of a template', async () => {
    await using here = await place()
    await writeFiles(join(here.folder, 'www'), { 'img/Logo #1?.txt': 'x', "o'neil.txt": 'y' })
    const { code, stdout } = await here.run(
      'www',
      'folder',
      '--clean-names',
      '--old-base',
      'https://alt.example/pub/',
      '--output',
      'sql',
      '--sql',
      "UPDATE items SET bild = '{neu}' WHERE bild = '{alt}';",
    )
    expect(code).toBe(0)
    const [first, second] = stdout.trim().split('\n')
    expect(first).toMatch(
      /^UPDATE items SET bild = 'http:\/\/localhost:\d+\/f\/folder\/img\/logo-1\.txt' WHERE bild = 'https:\/\/alt\.example\/pub\/img\/Logo%20%231%3F\.txt';$/,
    )
    expect(second).toContain("WHERE bild = 'https://alt.example/pub/o''neil.txt';")
  })

  test('a ZIP', async () => {
    await using here = await place()
    const content = randomBytes(5, 50_000)
    await writeFile(
      join(here.folder, 'old.zip'),
      zip([
        { name: 'a/B.bin', content, method: 8 },
        { name: 'c.txt', content: 'c' },
        { name: '__MACOSX/c.txt', content: 'x' },
      ]),
    )
    const { code, stdout } = await here.run('old.zip', 'zip', '--output', 'json')
    expect(code).toBe(0)
    expect((JSON.parse(stdout) as Row[]).map(({ from, path }) => [from, path])).toEqual([
      ['a/B.bin', 'zip/a/b.bin'],
      ['c.txt', 'zip/c.txt'],
    ])
    expect(sha256(new Uint8Array(await (await read(on.service, 'zip/a/b.bin')).arrayBuffer()))).toBe(
      sha256(content),
    )
    await writeFile(join(here.folder, 'broken.zip'), 'PK no')
    const broken = await here.run('broken.zip', 'zip')
    expect([broken.code, broken.stderr]).toEqual([2, expect.stringContaining('kein ZIP')])
  })

  test('another Fundus: by its export with a login, and by the file of its export', async () => {
    await using other = await startService({ env: ADMIN_ENV })
    const token = await other.createToken()
    await store(other, token, 'bilder/a.txt', 'A')
    await store(other, token, 'bilder/b.txt', 'B')
    await using here = await place()
    const login = { FUNDUS_TOKEN: on.token, FUNDUS_PASSWORD: ADMIN.passwort }
    const target = `${on.service.url}/other`
    const journal = ['--journal', join(here.folder, JOURNAL)]
    const { code, stdout } = await runClient(
      ['import', other.url, target, '--user', ADMIN.benutzer, '--output', 'json', ...journal],
      { cwd: here.folder, env: login },
    )
    expect(code).toBe(0)
    expect((JSON.parse(stdout) as Row[]).map(({ path }) => path)).toEqual([
      'other/bilder/a.txt',
      'other/bilder/b.txt',
    ])
    expect(await textOf('other/bilder/b.txt')).toBe('B')

    const wrong = await runClient(['import', other.url, target, '--user', 'admin', ...journal], {
      cwd: here.folder,
      env: { ...login, FUNDUS_PASSWORD: 'falsch falsch' },
    })
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('--user und das Passwort')])

    const session = await signIn(other)
    const exported = await (await dash(other, 'export?format=json', { session })).text()
    await writeFile(
      join(here.folder, 'export.json'),
      exported.replaceAll('http://localhost', 'http://127.0.0.1'),
    )
    expect(
      (await here.run('export.json', 'other-file', '--journal', join(here.folder, 'second.jsonl'))).code,
    ).toBe(0)
    expect(await textOf('other-file/bilder/a.txt')).toBe('A')
  })

  test('the listing of another host, fetched with its key: addresses with names, in a list somewhere inside', async () => {
    using old = startOldHost({ 'team/xyz.txt': 'x', 'team/abc.txt': 'y' })
    using listing = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: request =>
        request.headers.get('Authorization') === 'key'
          ? Response.json({
              status: 'ok',
              data: [
                { id: '1', url: `${old.url}/team/xyz.txt`, filename: 'Beweis.txt', path: 'berichte' },
                { id: '2', url: `${old.url}/team/abc.txt` },
              ],
            })
          : new Response('no', { status: 401 }),
    })
    await using here = await place()
    const address = `http://127.0.0.1:${listing.port}/api/list`
    const { code } = await here.run(address, 'paid', '--header', 'Authorization: key')
    expect(code).toBe(0)
    expect((await uploadsBelow('paid')).toSorted()).toEqual([
      'hochgeladen paid/berichte/beweis.txt',
      'hochgeladen paid/team/abc.txt',
    ])
    const refused = await here.run(address, 'paid')
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Status 401')])
  })
})

describe('what goes wrong is a sentence that says what to do', () => {
  test('other content under the path stays, unless --overwrite', async () => {
    using old = startOldHost({ 'a.txt': 'neu' })
    await using here = await place()
    await writeFile(join(here.folder, 'list'), `${old.url}/a.txt`)
    await store(on.service, on.token, 'taken/a.txt', 'alt')
    const { code, stderr } = await here.run('list', 'taken')
    expect([code, stderr]).toEqual([1, expect.stringContaining('--overwrite')])
    expect(await textOf('taken/a.txt')).toBe('alt')
    expect((await here.run('list', 'taken', '--overwrite')).code).toBe(0)
    expect(await textOf('taken/a.txt')).toBe('neu')
  })

  test('a source that sends something else than its list says: nothing of it is stored', async () => {
    using old = startOldHost({ 'a.txt': 'something else' })
    await using here = await place()
    const listing = [{ url: `${old.url}/a.txt`, path: 'a.txt', sha256: sha256('as listed') }]
    await writeFile(join(here.folder, 'list.json'), JSON.stringify(listing))
    const { code, stderr } = await here.run('list.json', 'differs')
    expect([code, stderr]).toEqual([1, expect.stringContaining('andere Prüfsumme')])
    expect(await uploadsBelow('differs')).toEqual([])
  })

  test('a target that is busy for a moment is asked again, also when nothing is sent', async () => {
    let asked = 0
    using busy = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () =>
        ++asked === 2
          ? new Response('', { status: 503, headers: { 'Retry-After': '0' } })
          : Response.json({ exists: false, path: 'a.txt', url: 'http://neu/f/a.txt' }),
    })
    await using here = await place()
    await writeFile(join(here.folder, 'list'), 'http://127.0.0.1:9/a.txt')
    const { code, stdout } = await runClient(
      ['import', join(here.folder, 'list'), `http://127.0.0.1:${busy.port}`, '--dry-run'],
      { cwd: here.folder, env: { FUNDUS_TOKEN: 'x' } },
    )
    expect([code, stdout]).toEqual([0, 'http://127.0.0.1:9/a.txt → http://neu/f/a.txt\n'])
  })

  test('a journal of another target is not continued', async () => {
    using old = startOldHost({ 'a.txt': 'x' })
    await using here = await place()
    await writeFile(join(here.folder, 'list'), `${old.url}/a.txt`)
    expect((await here.run('list', 'one')).code).toBe(0)
    const { code, stderr } = await here.run('list', 'two')
    expect([code, stderr]).toEqual([2, expect.stringContaining('--journal')])
    expect(await readFile(join(here.folder, JOURNAL), 'utf8')).toContain('one')
  })

  test.each([
    ['a source that is not there', ['import', 'nirgends.txt', 'http://127.0.0.1:9'], 2, 'nirgends.txt'],
    ['no source', ['import'], 2, 'Es fehlt die Quelle'],
    ['no target', ['import', '-'], 2, 'Es fehlt das Ziel'],
    ['a line that is no address', ['import', '-', 'http://127.0.0.1:9'], 2, 'Zeile 1'],
    ['an unknown token', ['import', '-', ''], 1, 'Es fehlt ein gültiges Token'],
  ])('%s', async (_, args, code, part) => {
    await using here = await place()
    const journal = ['--journal', join(here.folder, JOURNAL)]
    const words = [...args.map(word => (word === '' ? on.service.url : word)), ...journal]
    const input = args.includes('') ? 'http://127.0.0.1:9/a.txt' : 'kein Link'
    const result = await runClient(words, { cwd: here.folder, env: { FUNDUS_TOKEN: 'media_x' }, input })
    expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(part)])
    expect(result.stderr).not.toMatch(/\bat .*\.ts:\d+/)
  })
})
