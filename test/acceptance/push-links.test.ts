/** Links in a folder that `push` or `import` sends, lists with several pages, and wrong kinds of address. */
import { expect, test } from 'bun:test'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { runClient, writeFiles } from '../support/client.ts'
import { useFolder } from '../support/folder.ts'
import { startOldHost } from '../support/old-host.ts'
import { sharedService } from '../support/shared-service.ts'

const on = sharedService()
const home = await useFolder()
let made = 0

const client = (...args: string[]) =>
  runClient(args, { cwd: home, env: { FUNDUS_TOKEN: on.token, LC_ALL: 'C.UTF-8' } })
const statusOf = async (path: string) => (await fetch(`${on.service.url}/f/${path}`)).status

/** A folder with links of every kind inside, and private files beside it. */
async function linked(): Promise<{ folder: string; prefix: string }> {
  const prefix = `links-${++made}`
  const folder = join(home, prefix)
  await mkdir(folder)
  await writeFiles(folder, { 'real.txt': 'real', 'sub/below.txt': 'below' })
  await symlink('real.txt', join(folder, 'to-file.txt'))
  await symlink('sub', join(folder, 'to-folder'))
  await symlink('..', join(folder, 'sub', 'up'))
  await symlink('gone.txt', join(folder, 'broken.txt'))
  return { folder, prefix }
}

async function withSecret() {
  const { folder, prefix } = await linked()
  await writeFiles(home, { [`secret-${made}/passwd`]: 'secret' })
  await symlink(join(home, `secret-${made}`, 'passwd'), join(folder, 'passwd.txt'))
  await symlink(join(home, `secret-${made}`), join(folder, 'all'))
  return { folder, prefix }
}

const COMMANDS = [
  ['push', (folder: string, prefix: string) => ['push', folder, `${on.service.url}/${prefix}`]],
  [
    'import',
    (folder: string, prefix: string) => [
      ...['import', folder, `${on.service.url}/${prefix}`, '--journal', join(home, `${prefix}.jsonl`)],
    ],
  ],
] as const

test.each(COMMANDS)(
  '%s refuses a link that leads out of the folder, by name, and sends nothing',
  async (_, words) => {
    for (const more of [[], ['--links', 'follow']]) {
      const { folder, prefix } = await withSecret()
      const { code, stderr } = await client(...words(folder, prefix), ...more)
      expect(code).toBe(2)
      expect(stderr).toContain('Nothing was sent.')
      expect(stderr).toContain('passwd.txt: leads out of the folder')
      expect(stderr).toContain('all: leads out of the folder')
      expect(await statusOf(`${prefix}/real.txt`)).toBe(404)
    }
  },
)

test.each(COMMANDS)(
  '%s --skip-invalid and --links skip send the rest, never what a link leads out to',
  async (_, words) => {
    for (const more of [['--skip-invalid'], ['--links', 'skip'], ['--links', 'follow', '--skip-invalid']]) {
      const { folder, prefix } = await withSecret()
      expect((await client(...words(folder, prefix), ...more)).code).toBe(0)
      expect(await statusOf(`${prefix}/real.txt`)).toBe(200)
      for (const name of ['passwd.txt', 'all/passwd']) expect(await statusOf(`${prefix}/${name}`)).toBe(404)
    }
  },
)

test.each(COMMANDS)('%s leaves links inside the folder out and names each of them', async (_, words) => {
  const { folder, prefix } = await linked()
  const { code, stderr } = await client(...words(folder, prefix))
  expect(code).toBe(0)
  for (const line of [
    'to-file.txt: a link',
    'to-folder: a link',
    'broken.txt: leads nowhere',
    'sub/up: leads in a circle',
  ])
    expect(stderr).toContain(line)
  expect(await statusOf(`${prefix}/sub/below.txt`)).toBe(200)
  expect(await statusOf(`${prefix}/to-file.txt`)).toBe(404)
  expect((await client(...words(folder, `${prefix}-quiet`), '--links', 'skip')).stderr).not.toContain(
    'to-file.txt',
  )
})

test.each(COMMANDS)(
  '%s --links follow sends what they lead to; a broken one and a circle are named',
  async (_, words) => {
    const { folder, prefix } = await linked()
    const refused = await client(...words(folder, prefix), '--links', 'follow')
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('broken.txt: leads nowhere')
    expect((await client(...words(folder, prefix), '--links', 'follow', '--skip-invalid')).code).toBe(0)
    for (const name of ['to-file.txt', 'to-folder/below.txt', 'sub/below.txt'])
      expect([name, await statusOf(`${prefix}/${name}`)]).toEqual([name, 200])
  },
)

test('another value of --links is refused', async () => {
  const { folder, prefix } = await linked()
  const { code, stderr } = await client('push', folder, `${on.service.url}/${prefix}`, '--links', 'all')
  expect([code, stderr]).toEqual([2, 'fundus: --links knows only follow, skip.\n'])
})

test('a stop by quota names what is left', async () => {
  const folder = join(home, 'quota')
  await writeFiles(
    folder,
    Object.fromEntries(['a', 'b', 'c', 'd'].map(name => [`${name}.txt`, name.repeat(600)])),
  )
  const token = await on.service.createToken('--quota', '1000')
  const { code, stderr } = await client(
    'push',
    folder,
    `${on.service.url}/q`,
    '--token',
    token,
    '--parallel',
    '1',
  )
  expect(code).toBe(1)
  expect(stderr).toMatch(/Not there yet: 3\n {2}b\.txt\n {2}c\.txt\n {2}d\.txt\n/)
  expect(stderr).toContain('quota')
})

/** A host whose list has pages of two files each; `pageOf` returns how it announces the next page. */
function pagedHost(pageOf: (page: number, url: string) => object) {
  const names = ['a', 'b', 'c', 'd', 'e']
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname, searchParams, origin } = new URL(request.url)
      if (pathname !== '/list') return new Response(`content of ${pathname}`)
      const page = Number(searchParams.get('page') ?? '1')
      const data = names.slice(2 * page - 2, 2 * page).map(name => ({ url: `${origin}/${name}.txt` }))
      return Response.json({ data, ...pageOf(page, `${origin}/list`) })
    },
  })
  return { url: `http://127.0.0.1:${server.port}/list`, [Symbol.dispose]: () => void server.stop(true) }
}

const importFrom = (source: string, prefix: string) =>
  client(...['import', source, `${on.service.url}/${prefix}`, '--journal', join(home, `${prefix}.jsonl`)])

test.each<[string, (page: number, url: string) => object]>([
  ['next', (page, url) => ({ next: page < 3 ? `${url}?page=${page + 1}` : null })],
  [
    'pagination.next, relative',
    page => ({ pagination: { total: 5, next: page < 3 ? `?page=${page + 1}` : null } }),
  ],
  [
    'links.next.href',
    (page, url) => ({ links: page < 3 ? { next: { href: `${url}?page=${page + 1}` } } : {} }),
  ],
])('a list that names its next page is read to the end: %s', async (name, pageOf) => {
  using host = pagedHost(pageOf)
  const prefix = `paged-${name.replace(/[^a-z]/g, '')}`
  expect(await importFrom(host.url, prefix)).toMatchObject({ code: 0 })
  for (const file of ['a', 'c', 'e']) expect(await statusOf(`${prefix}/${file}.txt`)).toBe(200)
})

test('a list that says it has more, without saying where, is told and ends with 1', async () => {
  using host = pagedHost(() => ({ pagination: { page: 1, per_page: 2, total: 5 } }))
  const { code, stdout, stderr } = await importFrom(host.url, 'first-page')
  expect(code).toBe(1)
  expect(stdout).toContain('/first-page/b.txt')
  expect(stderr).toContain('The list announces 5 files, but had only 2')
})

test('a next page on another host is not asked: the key is for the first one', async () => {
  using other = startOldHost({ list: '[]' })
  using host = pagedHost(() => ({ total: 5, next: `${other.url}/list` }))
  expect((await importFrom(host.url, 'foreign')).code).toBe(1)
  expect(other.asked).toEqual([])
})

test('https:// to a port without TLS is a sentence, for the target and for the source', async () => {
  const folder = join(home, 'plain')
  await writeFiles(folder, { 'a.txt': 'a' })
  const address = on.service.url.replace('http:', 'https:')
  const pushed = await client('push', folder, `${address}/x`)
  expect([pushed.code, pushed.stderr]).toEqual([1, expect.stringContaining(`${address} does not speak TLS`)])
  using host = pagedHost(() => ({}))
  const brought = await importFrom(host.url.replace('http:', 'https:'), 'plain')
  expect([brought.code, brought.stderr]).toEqual([1, expect.stringContaining('does not speak TLS')])
})
