/** `GET /api/exists` in both forms, `DELETE /api/media/<pfad>`. */
import { describe, expect, test } from 'bun:test'
import { expectError, read, remove, store } from '../support/api.ts'
import { randomBytes, sha256 } from '../support/bytes.ts'
import { objectFiles, storedFiles } from '../support/data-folder.ts'
import { sharedService } from '../support/shared-service.ts'
import { eventually } from '../support/wait.ts'

const on = sharedService()

function ask(target: string): Promise<Response> {
  return fetch(`${on.service.url}${target}`, { headers: { Authorization: `Bearer ${on.token}` } })
}

describe.each([
  ['query form', (path: string) => `/api/exists?pfad=${encodeURIComponent(path)}`],
  ['older form', (path: string) => `/api/exists/${path}`],
])('exists, %s', (_, target) => {
  test('present: exactly these keys, with the truth in them', async () => {
    const started = Date.now()
    const bytes = randomBytes(1, 777)
    const stored = await store(on.service, on.token, 'Ex/a.PNG', bytes)
    const response = await ask(target('Ex/a.PNG'))
    expect(response.status).toBe(200)
    const body = (await response.json()) as { updated_at: number }
    expect<unknown>(body).toEqual({
      exists: true,
      path: 'Ex/a.PNG',
      url: stored.url,
      size: 777,
      sha256: sha256(bytes),
      updated_at: expect.any(Number),
    })
    expect(Number.isInteger(body.updated_at)).toBe(true)
    expect(body.updated_at).toBeWithin(started - 1000, Date.now() + 1000)
  })

  test('absent: 200 with exactly exists, path and url', async () => {
    const response = await ask(target('Ex/absent.png'))
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      exists: false,
      path: 'Ex/absent.png',
      url: `http://localhost:${on.service.port}/f/Ex/absent.png`,
    })
  })

  test('another case is another file', async () => {
    await store(on.service, on.token, 'Ex/case.png', 'x')
    expect(await (await ask(target('Ex/CASE.png'))).json()).toMatchObject({ exists: false })
  })

  test('after overwriting it tells the new size, hash and a later time', async () => {
    await store(on.service, on.token, 'ex/over.txt', 'one')
    const before = (await (await ask(target('ex/over.txt'))).json()) as { updated_at: number }
    // Times have a resolution of milliseconds.
    await eventually('a later one', () => Date.now() > before.updated_at)
    await store(on.service, on.token, 'ex/over.txt', 'three')
    const after = (await (await ask(target('ex/over.txt'))).json()) as { updated_at: number }
    expect(after).toMatchObject({ size: 5, sha256: sha256('three') })
    expect(after.updated_at).toBeGreaterThan(before.updated_at)
  })

  test('it is never kept by a cache', async () => {
    const answer = await ask(target('Ex/absent.png'))
    expect(answer.headers.get('cache-control')).toMatch(/no-store|private|no-cache/)
  })

  test('the path may be percent-encoded', async () => {
    await store(on.service, on.token, 'ex/en-coded.txt', 'x')
    const plain = target('ex/en-coded.txt').replace('en-coded', '%65n%2Dcoded')
    expect(await (await ask(plain)).json()).toMatchObject({ exists: true, path: 'ex/en-coded.txt' })
  })
})

describe('exists refuses with 400', () => {
  test.each([
    '/api/exists?pfad=..%2Fa.png',
    '/api/exists?pfad=.a.png',
    '/api/exists?pfad=a%00b',
    '/api/exists?pfad=',
    '/api/exists?path=a.png',
    '/api/exists',
    '/api/exists/_a.png',
    '/api/exists/a%5Cb.png',
    '/api/exists/a%zz.png',
  ])('%s', async target => {
    await expectError(await ask(target), 400, /Pfad/)
  })
})

describe('delete', () => {
  test('answers the path, and is final', async () => {
    await store(on.service, on.token, 'del-final/a.txt', 'x')
    expect(await objectFiles(on.service.dataDir, 'del-final/a.txt')).toHaveLength(1)
    const response = await remove(on.service, on.token, 'del-final/a.txt')
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ deleted: 'del-final/a.txt' })
    await expectError(await read(on.service, 'del-final/a.txt'), 404)
    expect(await (await ask('/api/exists?pfad=del-final/a.txt')).json()).toMatchObject({ exists: false })
    await expectError(await remove(on.service, on.token, 'del-final/a.txt'), 404)
    const objectsLeft = async () =>
      (await storedFiles(on.service.dataDir)).filter(file => /del-final|trash/.test(file))
    await eventually('gone from the disk, trash included', async () => (await objectsLeft()).length === 0)
  })

  test('takes this file alone', async () => {
    for (const path of ['del/one.txt', 'del/one.txt2', 'del/one', 'del/ONE.txt', 'del/one.txt/below']) {
      await store(on.service, on.token, path, 'x')
    }
    expect((await remove(on.service, on.token, 'del/one.txt')).status).toBe(200)
    for (const path of ['del/one.txt2', 'del/one', 'del/ONE.txt', 'del/one.txt/below']) {
      expect((await read(on.service, path)).status).toBe(200)
    }
  })

  test('a folder is not a file', async () => {
    await store(on.service, on.token, 'del/folder/a.txt', 'x')
    await expectError(await remove(on.service, on.token, 'del/folder'), 404)
    expect((await read(on.service, 'del/folder/a.txt')).status).toBe(200)
  })

  test('absent: 404', async () => {
    await expectError(await remove(on.service, on.token, 'del/never.txt'), 404)
  })

  test.each(['del/%70ercent%2D1.txt', 'del%2Fpercent-1.txt'])(
    'the path may be percent-encoded: %s',
    async path => {
      await store(on.service, on.token, 'del/percent-1.txt', 'x')
      const response = await remove(on.service, on.token, path)
      expect(await response.json()).toEqual({ deleted: 'del/percent-1.txt' })
      expect((await read(on.service, 'del/percent-1.txt')).status).toBe(404)
    },
  )

  test.each(['.a.txt', '_a.txt', 'a%5Cb.txt', '..%2Fa.txt', 'a%zz.txt', 'a%00.txt'])(
    'invalid path, 400: %s',
    async path => {
      await expectError(await remove(on.service, on.token, path), 400, /Pfad/)
    },
  )

  test('stored again afterwards it is a new file', async () => {
    await store(on.service, on.token, 'del/again.txt', 'one')
    await remove(on.service, on.token, 'del/again.txt')
    expect((await store(on.service, on.token, 'del/again.txt', 'two')).replaced).toBe(false)
    expect(await (await read(on.service, 'del/again.txt')).text()).toBe('two')
  })

  test('ten at once: exactly one deletes', async () => {
    await store(on.service, on.token, 'del/race.txt', 'x')
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => remove(on.service, on.token, 'del/race.txt')),
    )
    const statuses = answers.map(answer => answer.status)
    expect(statuses.toSorted()).toEqual([200, ...Array<number>(9).fill(404)])
  })
})
