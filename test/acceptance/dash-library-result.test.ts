/**
 * The whole result of a list, described by the list's own fields (`treffer`) instead of file by file: delete,
 * move, search and replace, ZIP and export. The server compares the number of files, so that no action
 * includes a file that the user has not seen.
 */
import { beforeAll, describe, expect, test } from 'bun:test'
import { expectError, store } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { isOrdinaryRun } from '../support/left-out.ts'
import { keys, type Refused, refusedPaths, sharedLibrary } from '../support/library.ts'
import { MULTIPART, multipart } from '../support/multipart.ts'
import { seedFiles } from '../support/seed.ts'
import { eventually } from '../support/wait.ts'

const on = sharedLibrary()

interface Deleted {
  geloescht: string[]
  nummern: number[]
  abgelehnt: Refused[]
}
interface Moved {
  verschoben: { von: string; nach: string }[]
  abgelehnt: Refused[]
}
type Found = Record<string, unknown>

const drop = (treffer: Found) => on.done<Deleted>('media/loeschen', { treffer })
const move = (treffer: Found, ordner: string) => on.done<Moved>('media/verschieben', { treffer, ordner })

/** Yields the partial answers as they arrive. */
async function* steps<T>(route: string, json: unknown): AsyncGenerator<T> {
  const response = await dash(on.service, route, {
    json,
    session: on.session,
    headers: { Accept: 'application/x-ndjson' },
  })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-ndjson'])
  let rest = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!
    for (const line of lines) yield JSON.parse(line) as T
  }
  expect(rest).toBe('')
}

describe('a result is what the list shows', () => {
  beforeAll(() => on.fill('wahl', ['a.txt', 'b.png', 'tief/c.txt', 'tief/d.png', 'rest.txt']))

  test.each<[string, Found, string[]]>([
    ['a folder without its subfolders', { ordner: 'wahl' }, ['a.txt', 'b.png', 'rest.txt']],
    [
      'with them',
      { ordner: 'wahl', unterordner: '1' },
      ['a.txt', 'b.png', 'rest.txt', 'tief/c.txt', 'tief/d.png'],
    ],
    ['of a kind', { ordner: 'wahl', unterordner: '1', art: 'bilder' }, ['b.png', 'tief/d.png']],
    ['of a search', { ordner: 'wahl', suche: 'txt tief' }, ['tief/c.txt']],
    ['of a search with a star', { suche: 'wahl ?.png' }, ['b.png', 'tief/d.png']],
  ])('%s: deleted as a whole, and back by its numbers', async (_, treffer, expected) => {
    const { geloescht, nummern, abgelehnt } = await drop({ ...treffer, gesamt: expected.length })
    expect([geloescht.sort(), abgelehnt]).toEqual([expected.map(name => `wahl/${name}`), []])
    await on.done('papierkorb/wiederherstellen', { nummern })
    expect((await on.below('wahl')).length).toBe(5)
  })

  test('of a token', async () => {
    await store(on.service, on.token, 'fremd/token.txt', 'x')
    await on.fill('fremd', ['eigen.txt'])
    const token = (await on.file('fremd/token.txt')).token_id
    expect((await drop({ ordner: 'fremd', token, gesamt: 1 })).geloescht).toEqual(['fremd/token.txt'])
  })
})

describe('the count is compared', () => {
  test.each<[string, string, object]>([
    ['deleting', 'media/loeschen', {}],
    ['moving', 'media/verschieben', { ordner: 'anderswo' }],
    ['replacing', 'media/ersetzen', { suche: 'alt', ersatz: 'neu', ausfuehren: true }],
  ])('%s: other files than were counted are refused, and nothing happens', async (name, route, more) => {
    const ordner = `zahl-${name}`
    await on.fill(ordner, ['alt-1.txt', 'alt-2.txt', 'alt-3.txt'])
    for (const gesamt of [2, 4]) {
      const response = await on.post(route, { treffer: { ordner, gesamt }, ...more })
      expect(response.headers.get('x-fehler-code')).toBe('result-changed')
      await expectError(response, 409, /3 Dateien/)
    }
    expect((await on.below(ordner)).length).toBe(3)
  })

  test.each<[string, unknown, number]>([
    ['neither', {}, 400],
    ['both', { pfade: ['a.txt'], treffer: { ordner: 'wahl', gesamt: 3 } }, 400],
    ['no count', { treffer: { ordner: 'wahl' } }, 400],
    ['a misspelt field, which would widen the result', { treffer: { order: 'wahl', gesamt: 3 } }, 400],
    ['an invalid folder', { treffer: { ordner: '../x', gesamt: 3 } }, 400],
    ['no object', { treffer: 'wahl' }, 400],
    ['a folder that is not there', { treffer: { ordner: 'nirgends', gesamt: 3 } }, 404],
  ])('%s is refused', async (_, body, status) => {
    await expectError(await on.post('media/loeschen', body), status)
    await expectError(await on.post('media/verschieben', { ...(body as object), ordner: 'x' }), status)
  })

  test('a search that finds nothing: nothing is done', async () => {
    expect(await drop({ suche: 'gibtesnicht', gesamt: 0 })).toEqual({
      geloescht: [],
      nummern: [],
      abgelehnt: [],
    })
  })
})

test('moving: each file judged by itself, also where names meet', async () => {
  await on.fill('um', ['a.txt', 'eins/gleich.txt', 'zwei/gleich.txt', 'ziel/da.txt', 'eins/da.txt'])
  const answer = await move({ ordner: 'um', unterordner: '1', gesamt: 5 }, 'um/ziel')
  expect(keys(answer)).toEqual(['abgelehnt', 'verschoben'])
  expect(answer.verschoben.map(({ nach }) => nach).sort()).toEqual(['um/ziel/a.txt', 'um/ziel/gleich.txt'])
  expect(refusedPaths(answer.abgelehnt).sort()).toEqual([
    'um/eins/da.txt',
    'um/ziel/da.txt',
    'um/zwei/gleich.txt',
  ])
  await on.holds('um/ziel/da.txt', 'um/ziel/da.txt')
})

test('search and replace within a result', async () => {
  await on.fill('tausch', ['alt-1.txt', 'alt-2.png', 'tief/alt-3.txt'])
  const treffer = { ordner: 'tausch', unterordner: '1', art: 'dokumente', gesamt: 2 }
  const task = { suche: 'alt', ersatz: 'neu', treffer }
  const shown = await on.done<{ treffer: { von: string }[] }>('media/ersetzen', task)
  expect(shown.treffer.map(({ von }) => von).sort()).toEqual(['tausch/alt-1.txt', 'tausch/tief/alt-3.txt'])
  await on.done('media/ersetzen', { ...task, ausfuehren: true })
  expect(await on.below('tausch')).toEqual(['tausch/alt-2.png', 'tausch/neu-1.txt', 'tausch/tief/neu-3.txt'])
  await expectError(await on.post('media/ersetzen', { ...task, pfade: ['tausch/alt-2.png'] }), 400)
})

// Twelve steps or, in `npm test`, six.
const MANY = isOrdinaryRun ? 6_000 : 12_000
describe(`${MANY} files`, () => {
  const treffer = { ordner: 'menge', gesamt: MANY }
  beforeAll(() => seedFiles(on.service.dataDir, 'menge', MANY))

  test('moved in steps that are told; an upload gets its turn meanwhile and is not swept in', async () => {
    const moved: Moved[] = []
    let uploads = 0
    for await (const step of steps<Moved>('media/verschieben', { treffer, ordner: 'woanders' })) {
      moved.push(step)
      await store(on.service, on.token, `menge/neu-${++uploads}.txt`, 'new')
    }
    expect(moved.length).toBeGreaterThan(5)
    const pairs = moved.flatMap(({ verschoben }) => verschoben)
    expect(new Set(pairs.map(({ nach }) => nach)).size).toBe(MANY)
    expect(pairs.every(({ von, nach }) => nach === von.replace('menge/', 'woanders/'))).toBe(true)
    // Not one transaction: uploads came in between the steps, and stayed.
    expect((await on.list({ ordner: 'menge' })).gesamt).toBe(uploads)
    expect((await on.list({ ordner: 'woanders' })).gesamt).toBe(MANY)
  })

  test('deleted in steps; somebody who stops listening stops the work, and what is done is in the trash', async () => {
    const wanted = { treffer: { ordner: 'woanders', gesamt: MANY } }
    let first: Deleted | null = null
    for await (const step of steps<Deleted>('media/loeschen', wanted)) {
      first = step
      break
    }
    expect(first!.nummern.length).toBe(first!.geloescht.length)
    // One more step may be running when the service notices.
    await Bun.sleep(500)
    expect((await on.list({ ordner: 'woanders' })).gesamt).toBeGreaterThan(MANY / 2)
    await eventually('the rest is deleted too', async () => {
      const response = await on.get('media?ordner=woanders')
      if (response.status === 404) return true
      const { gesamt } = (await response.json()) as { gesamt: number }
      await on.post('media/loeschen', { treffer: { ordner: 'woanders', gesamt } })
      return false
    })
    const trash = (await (await on.get('papierkorb')).json()) as { gesamt: number }
    expect(trash.gesamt).toBeGreaterThanOrEqual(MANY)
  })
})

describe('ZIP and export', () => {
  beforeAll(() => on.fill('aus', ['eins.txt', 'zwei.png', 'tief/drei.txt']))
  const form = (route: string, fields: Record<string, string>) =>
    fetch(`${on.service.url}/api/dash/${route}`, {
      method: 'POST',
      headers: { ...MULTIPART, Cookie: `fundus_sitzung=${on.session}` },
      body: multipart(Object.entries(fields).map(([name, content]) => ({ name, content }))),
    })
  const found = { treffer: JSON.stringify({ ordner: 'aus', unterordner: '1', art: 'dokumente' }) }
  const chosen = { pfade: JSON.stringify(['aus/tief/drei.txt', 'aus/zwei.png', 'aus/weg.txt']) }

  test('a result as ZIP, below its folder', async () => {
    const response = await form('herunterladen', found)
    expect(response.headers.get('content-disposition')).toMatch(/filename="aus-.*\.zip"/)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(['eins.txt', 'tief/drei.txt', 'zwei.png'].map(name => bytes.includes(name))).toEqual([
      true,
      true,
      false,
    ])
    await expectError(await form('herunterladen', { ...found, ...chosen }), 400)
    await expectError(await form('herunterladen', { treffer: '{"ordner":"nirgends"}' }), 404)
    await expectError(await form('herunterladen', { treffer: '{"suche":"gibtesnicht"}' }), 404)
  })

  test('a selection and a result as JSON, CSV and Lua', async () => {
    const some = (await (await form('export', { format: 'json', ...chosen })).json()) as { path: string }[]
    expect(some.map(({ path }) => path)).toEqual(['aus/tief/drei.txt', 'aus/zwei.png'])
    const all = (await (await form('export', { format: 'json', ...found })).json()) as { path: string }[]
    expect(all.map(({ path }) => path).sort()).toEqual(['aus/eins.txt', 'aus/tief/drei.txt'])
    const csv = await (await form('export', { format: 'csv', ...found })).text()
    expect(csv.split('\r\n').filter(line => line.startsWith('aus/')).length).toBe(2)
    const lua = await form('export', { format: 'lua', ...chosen })
    expect(lua.headers.get('content-disposition')).toMatch(/attachment; filename="fundus-dateien-.*\.lua"/)
    expect(await lua.text()).toMatch(/^return {\n {2}\["tief\/drei\.txt"\] = "[^\n]*",\n {2}\["zwei\.png"\]/)
    await expectError(await form('export', { format: 'xml', ...chosen }), 400)
    await expectError(await form('export', { format: 'json' }), 400)
  })
})
