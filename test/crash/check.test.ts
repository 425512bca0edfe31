/** Tests the checker itself: each of its checks is made to fail once. */
import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdir, truncate, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sha256 } from '../support/bytes.ts'
import { openFolder, realDisk } from '../support/folder.ts'
import { isWholeWebp, pngBody } from './bodies.ts'
import { checkAfterCrash, checkSweep } from './check.ts'
import { checkRows, ownership, readRows } from './disk.ts'
import { createModel } from './model.ts'
import { seededRandom } from './random.ts'

const CONTENT = new TextEncoder().encode('content of a file that must not be lost')
const OBJECT = 'files/a/one~k3.png'
const VARIANT = 'files/a/one~k3~w-aaaaaa.webp'
let folder: Awaited<ReturnType<typeof openFolder>>
let dataDir: string

const put = async (name: string, bytes: Uint8Array = CONTENT) => {
  await mkdir(dirname(join(dataDir, name)), { recursive: true })
  await writeFile(join(dataDir, name), bytes)
}

beforeEach(async () => {
  folder = await openFolder(realDisk())
  dataDir = folder.path
  using database = new Database(join(dataDir, 'fundus.db'))
  database.run(
    'create table media (path, object, size, sha256, variant_size, preview_size, variant_mark, preview_mark, token_id)',
  )
  database.run('create table token_usage (token_id, files, bytes)')
  const { length } = CONTENT
  const row = ['a/one.png', OBJECT, length, sha256(CONTENT), length, length, 'aaaaaa', 'bbbbbb', 'token']
  database.run('insert into media values (?, ?, ?, ?, ?, ?, ?, ?, ?)', row)
  database.run("insert into token_usage values ('token', 1, ?)", [length])
  for (const name of [OBJECT, VARIANT, 'thumbs/a/one~k3~t-bbbbbb.webp']) await put(name)
})
afterEach(() => folder[Symbol.asyncDispose]())

describe('disk and rows', () => {
  test('a whole object passes, with its variant and its preview', async () => {
    expect(await checkRows(dataDir, readRows(dataDir))).toEqual([])
    expect((await ownership(dataDir, readRows(dataDir))).leftovers).toEqual([])
  })

  test('a lost, a truncated and a changed object are reported', async () => {
    const report = async () => (await checkRows(dataDir, readRows(dataDir))).join()
    await writeFile(
      join(dataDir, OBJECT),
      CONTENT.map(byte => byte ^ 1),
    )
    expect(await report()).toContain('another hash')
    await truncate(join(dataDir, OBJECT), 5)
    expect(await report()).toContain('object has 5 bytes')
    await unlink(join(dataDir, OBJECT))
    expect(await report()).toContain('is gone')
    await truncate(join(dataDir, VARIANT), 5)
    expect(await report()).toContain(`${VARIANT} has 5 bytes`)
  })

  test('a sweep that takes too little, too much or leaves staged bytes is reported', async () => {
    await put('files/a/one~k9.png')
    await put('staging/half')
    const idle = await checkSweep(dataDir, async () => ({ removed: [], missing: [] }))
    expect(idle).toContain('sweep: files/a/one~k9.png is still there')
    expect(idle).toContain('sweep: staging/half is still staged')
    const greedy = await checkSweep(dataDir, async () => {
      for (const name of ['files/a/one~k9.png', 'staging/half', OBJECT]) await unlink(join(dataDir, name))
      return { removed: ['files/a/one~k9.png', OBJECT], missing: [] }
    })
    expect(greedy).toContain(`sweep: took ${OBJECT}, which a row owns`)
    expect(greedy).toContain(`row a/one.png: object ${OBJECT} is gone`)
  })
})

describe('model', () => {
  test('an answered upload excludes what came before it; one without answer excludes nothing', () => {
    const model = createModel()
    const look = () => [...model.acceptable('p', model.now(), model.now())]
    expect(look()).toEqual([null])
    model.acknowledge(model.begin('p', 'first'))
    expect(look()).toEqual(['first'])
    const open = model.begin('p', 'second')
    expect(look()).toEqual(['first', 'second'])
    model.acknowledge(model.begin('p', null))
    expect(look()).toEqual(['second', null])
    model.acknowledge(open)
    expect(look()).toEqual(['second', null])
    model.withdraw(model.begin('p', 'refused'))
    model.settle('p', 'second')
    expect(look()).toEqual(['second'])
  })

  test('a look may find what held at any moment of it, not what was over before', () => {
    const model = createModel()
    model.acknowledge(model.begin('p', 'first'))
    const from = model.now()
    model.acknowledge(model.begin('p', 'second'))
    model.acknowledge(model.begin('p', 'third'))
    expect([...model.acceptable('p', from, model.now())]).toEqual(['first', 'second', 'third'])
    expect([...model.acceptable('p', model.now(), model.now())]).toEqual(['third'])
  })
})

test('the check after a crash reports a lost, a foreign and a half-written file, and a wrong quota', async () => {
  let answer = () => new Response(CONTENT)
  using server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => answer() })
  const check = async () => {
    const model = createModel()
    model.acknowledge(model.begin('a/one.png', sha256(CONTENT)))
    return (await checkAfterCrash(server.url.origin, dataDir, model)).join('\n')
  }
  expect(await check()).toBe('')
  answer = () => new Response(null, { status: 404 })
  expect(await check()).toContain('a/one.png: lost')
  answer = () => new Response(CONTENT.subarray(0, 7))
  expect(await check()).toMatch(/a\/one\.png: [0-9a-f]{64}; acceptable: /)
  answer = () => new Response('{}', { status: 500 })
  expect(await check()).toContain('a/one.png: 500')
  using database = new Database(join(dataDir, 'fundus.db'))
  database.run('update token_usage set files = 2')
  expect(await check()).toContain('quota: recorded')
})

test('bodies are what they claim to be', () => {
  const random = seededRandom(1)
  expect(pngBody(random).sha256).not.toBe(pngBody(random).sha256)
  expect(isWholeWebp(CONTENT)).toBe(false)
  const webp = Buffer.from('RIFF\x08\0\0\0WEBPVP8 ', 'latin1')
  expect(isWholeWebp(webp)).toBe(true)
  expect(isWholeWebp(webp.subarray(0, 14))).toBe(false)
})
