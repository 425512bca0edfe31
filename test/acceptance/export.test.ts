/** `GET /api/dash/export`: the library as JSON, CSV and a Lua table, read by a real Lua. */

import { beforeAll, describe, expect, test } from 'bun:test'
import { expectError, store, upload } from '../support/api.ts'
import { sha256 } from '../support/bytes.ts'
import { dash } from '../support/dashboard.ts'
import { isOrdinaryRun, leftToLong } from '../support/left-out.ts'
import { readLuaTable } from '../support/lua.ts'
import { media } from '../support/media.ts'
import { png } from '../support/pictures.ts'
import { memoryOf } from '../support/processes.ts'
import { head, openRaw } from '../support/raw.ts'
import { seedFiles } from '../support/seed.ts'
import { signedInService } from '../support/shared-service.ts'
import { eventually } from '../support/wait.ts'

const MEGABYTE = 1024 * 1024
const on = signedInService({ ownProcess: true })
const ask = (query: string) => dash(on.service, `export?${query}`, { session: on.session })
async function text(query: string): Promise<string> {
  const response = await ask(query)
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer()).toString('utf8')
}
const json = async (query = '') => JSON.parse(await text(`format=json&${query}`)) as Record<string, unknown>[]
const paths = async (query = '') => (await json(query)).map(file => file.path)

beforeAll(async () => {
  await store(on.service, on.token, 'items/b.txt', '12345')
  await store(on.service, on.token, 'items/Deep/a.png', await png({ width: 40, height: 30 }))
  await store(on.service, on.token, 'items2/tone.mp3', media('tone.mp3'))
  await store(on.service, on.token, 'top.txt', 'x')
  await eventually('everything is derived', async () => {
    const files = await json()
    return files.some(file => file.laenge !== undefined) && files.some(file => file.breite !== undefined)
  })
})
const urlOf = (path: string) => `http://localhost:${on.service.port}/f/${path}`

describe('json', () => {
  test('everything, as a bare list of files on the wire, by path', async () => {
    const files = await json()
    expect(files.map(file => file.path)).toEqual([
      'items/Deep/a.png',
      'items/b.txt',
      'items2/tone.mp3',
      'top.txt',
    ])
    expect(files[1]).toEqual({
      id: expect.any(String),
      path: 'items/b.txt',
      url: urlOf('items/b.txt'),
      vorschau: null,
      size: 5,
      sha256: sha256('12345'),
      mime: 'text/plain',
      art: 'dokumente',
      updated_at: expect.any(Number),
      abrufe: 0,
      zuletzt_abgerufen: null,
      token_id: expect.any(String),
    })
    expect(files[0]).toMatchObject({ breite: 40, hoehe: 30, art: 'bilder' })
    expect(files[2]?.laenge).toBeGreaterThan(0)
  })

  test('is the same file that the library tells of', async () => {
    const one = await dash(on.service, 'media/items/Deep/a.png', { session: on.session })
    expect((await json())[0]).toEqual((await one.json()) as Record<string, unknown>)
  })
})

describe('csv', () => {
  test('byte order mark, `;`, CRLF, one line for each file', async () => {
    const csv = await text('format=csv')
    expect(csv.startsWith('\uFEFFPfad;Adresse;')).toBe(true)
    expect(csv.endsWith('\r\n')).toBe(true)
    expect(csv.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    const [header = '', ...rows] = csv.slice(1, -2).split('\r\n')
    expect(rows).toHaveLength(4)
    for (const row of rows) expect(row.split(';')).toHaveLength(header.split(';').length)
    expect(rows[1]).toStartWith(
      `items/b.txt;${urlOf('items/b.txt')};dokumente;text/plain;5;${sha256('12345')};`,
    )
    // A decimal comma, because spreadsheets would take a number with a point for a date.
    expect(rows[2]).toMatch(/;\d+(,\d+)?;[^;]*;[^;]*$/)
  })

  test.each(['=1+1', '@x', '+1', '-1'])(
    'a type like %s, which a spreadsheet would run, gets in nowhere',
    async formula => {
      for (const type of [`x/${formula}`, `${formula}/x`]) {
        const headers = { 'X-Path': 'odd/a.bin', 'X-Mime': type }
        await expectError(await upload(on.service, on.token, 'x', headers), 400, /X-Mime/)
      }
    },
  )
})

describe('lua', () => {
  test('a table of every path and its address, read by a real Lua', async () => {
    const table = await readLuaTable(await text('format=lua'))
    expect(table).toEqual(new Map((await paths()).map(path => [String(path), urlOf(String(path))])))
  })

  test('with a folder: the paths below it', async () => {
    const chunk = await text('format=lua&folder=items')
    expect(chunk).toStartWith('return {')
    expect(chunk).toContain(`["b.txt"] = "${urlOf('items/b.txt')}",`)
    const table = await readLuaTable(chunk)
    expect([...table.keys()].sort()).toEqual(['Deep/a.png', 'b.txt'])
  })

  test.each([
    'http://x.test/a"b',
    "http://x.test/a'..os.exit(1)..'",
    'http://x.test/]]--',
    'http://x.test/ä%0a1',
  ])('an address like %s stays one text', async url => {
    const put = (PUBLIC_URL: string) =>
      dash(on.service, 'einstellungen', { method: 'PUT', json: { PUBLIC_URL }, session: on.session })
    expect((await put(url)).status).toBe(200)
    try {
      const table = await readLuaTable(await text('format=lua&folder=items'))
      expect(table.get('b.txt')).toBe(`${url}/f/items/b.txt`)
    } finally {
      await put('')
    }
  })
})

describe('a folder', () => {
  test('is taken with its subfolders, on whole names only', async () => {
    expect(await paths('folder=items')).toEqual(['items/Deep/a.png', 'items/b.txt'])
    expect(await paths('folder=items/')).toEqual(['items/Deep/a.png', 'items/b.txt'])
    expect(await paths('folder=')).toHaveLength((await paths()).length)
  })

  test.each(['nowhere', 'item', 'ITEMS', 'top.txt', 'items/b.txt'])(
    '%s that is not there is 404',
    async folder => {
      await expectError(await ask(`format=json&folder=${folder}`), 404, /Ordner/)
    },
  )

  test.each(['../x', '/items'])('%s that cannot be one is 400', async folder => {
    await expectError(await ask(`format=json&folder=${encodeURIComponent(folder)}`), 400, /folder/)
  })
})

test.each([
  ['json', 'application/json; charset=utf-8'],
  ['csv', 'text/csv; charset=utf-8'],
  ['lua', 'text/x-lua; charset=utf-8'],
])('%s comes as a file with the day in its name', async (format, type) => {
  const response = await ask(`format=${format}`)
  expect(response.headers.get('content-type')).toBe(type)
  expect(response.headers.get('content-disposition')).toMatch(
    new RegExp(`^attachment; filename="fundus-dateien-\\d{4}-\\d\\d-\\d\\d\\.${format}"$`),
  )
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  await response.arrayBuffer()
})

test.each(['', 'format=', 'format=xml', 'format=JSON', 'folder=items'])('%j is 400', async query => {
  await expectError(await ask(query), 400, /format/)
})

const COUNT = isOrdinaryRun ? 5000 : 50_000
describe(`${COUNT} files`, () => {
  beforeAll(() => seedFiles(on.service.dataDir, 'many', COUNT))

  test('are all there, in every format, each once', async () => {
    expect(new Set(await paths('folder=many')).size).toBe(COUNT)
    expect((await text('format=csv&folder=many')).split('\r\n')).toHaveLength(COUNT + 2)
    const table = await readLuaTable(await text('format=lua&folder=many'))
    expect(table.size).toBe(COUNT)
    const last = `${String(COUNT).padStart(6, '0')}.png`
    expect(table.get(last)).toBe(urlOf(`many/${last}`))
  })

  leftToLong(
    'cost no memory: readers that stop reading do not make the service collect the rest',
    async () => {
      const length = (await text('format=json&folder=many')).length
      const readers = 12
      const before = memoryOf(on.service.pid)
      const request = head('GET /api/dash/export?format=json&folder=many', {
        Cookie: `fundus_sitzung=${on.session}`,
      })
      const stalled = await Promise.all(
        Array.from({ length: readers }, async () => {
          const connection = await openRaw(on.service.port)
          connection.pause()
          await connection.write(request)
          return connection
        }),
      )
      await Bun.sleep(1500)
      const grown = memoryOf(on.service.pid) - before
      for (const connection of stalled) connection.close()
      // The size of all exports together.
      expect(readers * length).toBeGreaterThan(150 * MEGABYTE)

      expect(grown).toBeLessThan(80 * MEGABYTE)
      expect((await dash(on.service, 'ich', { session: on.session })).status).toBe(200)
    },
  )
})
