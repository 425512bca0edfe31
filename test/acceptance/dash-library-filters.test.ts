/**
 * Filters of the list by address: each alone, several together, what they refuse, the folders beside, and
 * that whatever takes a whole result (deleting, moving, replacing, export, ZIP) takes exactly what the list
 * shows.
 */
import { beforeAll, describe, expect, test } from 'bun:test'
import { expectError, store } from '../support/api.ts'
import { dash, signIn } from '../support/dashboard.ts'
import { onDatabase } from '../support/data-folder.ts'
import { sharedLibrary } from '../support/library.ts'
import { MULTIPART, multipart } from '../support/multipart.ts'
import { png } from '../support/pictures.ts'
import { setRetrievals } from '../support/seed.ts'
import { eventually } from '../support/wait.ts'

const DAY = 24 * 60 * 60 * 1000
const on = sharedLibrary()
type Query = Record<string, string | number>

/** What the list shows of `filter/`, by the name below it. */
async function shown(query: Query): Promise<string[]> {
  const { dateien, gesamt } = await on.list({ ordner: 'filter', unterordner: 1, ...query })
  expect(gesamt).toBe(dateien.length)
  return dateien.map(({ path }) => path.slice('filter/'.length))
}
const ALL = [
  'alt.txt',
  'gestern.txt',
  'hoch.png',
  'quer.png',
  'neu/gross.txt',
  'neu/quadrat.png',
  'neu/token.txt',
]

/** Days since each was stored, and since it was last retrieved. */
const AGES: Record<string, [stored: number, retrieved?: number]> = {
  'alt.txt': [800],
  'gestern.txt': [500, 1],
  'hoch.png': [500, 400],
  'quer.png': [10],
  'neu/gross.txt': [400, 390],
  'neu/quadrat.png': [3, 2],
  'neu/token.txt': [100],
}
let token = { id: '', token: '' }
const now = Date.now()
const ago = (days: number) => now - days * DAY

beforeAll(async () => {
  token = await on.done<typeof token>('tokens', { name: 'filter' })
  await on.fill('filter', {
    'alt.txt': 'x',
    'gestern.txt': 'xx',
    'hoch.png': await png({ width: 20, height: 60 }),
    'quer.png': await png({ width: 90, height: 30 }),
    'neu/gross.txt': 'x'.repeat(5000),
    'neu/quadrat.png': await png({ width: 50, height: 50 }),
  })
  await store(on.service, token.token, 'filter/neu/token.txt', 'xxx')
  await eventually('the dimensions', async () => {
    const { dateien } = await on.list({ ordner: 'filter', unterordner: 1, art: 'bilder' })
    return dateien.length === 3 && dateien.every(({ breite }) => breite !== undefined)
  })
  for (const [name, [stored, retrieved]] of Object.entries(AGES)) {
    const path = `filter/${name}`
    if (retrieved !== undefined) await setRetrievals(on.service.dataDir, path, 1)
    await onDatabase(
      on.service.dataDir,
      `update media set updated_at = ${ago(stored)}, retrieved_at = ${retrieved === undefined ? 'null' : ago(retrieved)}
       where path = '${path}'`,
    )
  }
})

describe('each filter', () => {
  test.each<[string, () => Query, string[]]>([
    ['none', () => ({}), ALL],
    ['one kind', () => ({ art: 'bilder' }), ['hoch.png', 'quer.png', 'neu/quadrat.png']],
    ['several kinds', () => ({ art: 'bilder,dokumente,sonstige' }), ALL],
    ['a token', () => ({ token: token.id }), ['neu/token.txt']],
    ['several tokens', () => ({ token: `nobody,${token.id}` }), ['neu/token.txt']],
    ['changed from', () => ({ geaendert_von: ago(50) }), ['quer.png', 'neu/quadrat.png']],
    ['changed to', () => ({ geaendert_bis: ago(500) }), ['alt.txt', 'gestern.txt', 'hoch.png']],
    [
      'changed between',
      () => ({ geaendert_von: ago(400), geaendert_bis: ago(100) }),
      ['neu/gross.txt', 'neu/token.txt'],
    ],
    ['at least so many bytes', () => ({ min_bytes: 5000, art: 'dokumente' }), ['neu/gross.txt']],
    ['at most so many bytes', () => ({ max_bytes: 2 }), ['alt.txt', 'gestern.txt']],
    ['exactly so many', () => ({ min_bytes: 3, max_bytes: 3 }), ['neu/token.txt']],
    ['at least so wide', () => ({ min_breite: 50 }), ['quer.png', 'neu/quadrat.png']],
    ['at most so wide', () => ({ max_breite: 50 }), ['hoch.png', 'neu/quadrat.png']],
    ['at least so high', () => ({ min_hoehe: 60 }), ['hoch.png']],
    ['at most so high', () => ({ max_hoehe: 49 }), ['quer.png']],
    ['across', () => ({ ausrichtung: 'quer' }), ['quer.png']],
    ['upright', () => ({ ausrichtung: 'hoch' }), ['hoch.png']],
    ['square', () => ({ ausrichtung: 'quadratisch' }), ['neu/quadrat.png']],
    ['never retrieved', () => ({ nie_abgerufen: 1 }), ['alt.txt', 'quer.png', 'neu/token.txt']],
    ['retrieved or not', () => ({ nie_abgerufen: 0 }), ALL],
    ['not retrieved since', () => ({ nicht_abgerufen_seit: ago(395) }), ['alt.txt', 'hoch.png']],
    ['unretrieved for a year', () => ({ unabgerufen_tage: 365 }), ['alt.txt', 'hoch.png', 'neu/gross.txt']],
    [
      'the earlier of both counts',
      () => ({ unabgerufen_tage: 5, nicht_abgerufen_seit: ago(395) }),
      ['alt.txt', 'hoch.png'],
    ],
    ['a range that is none', () => ({ min_bytes: 10, max_bytes: 5 }), []],
    [
      'several together',
      () => ({ art: 'bilder', max_breite: 50, unabgerufen_tage: 1, geaendert_bis: ago(100) }),
      ['hoch.png'],
    ],
    ['with a search', () => ({ suche: 'filter txt', min_bytes: 3 }), ['neu/gross.txt', 'neu/token.txt']],
  ])('%s', async (_, query, expected) => {
    for (const order of ['name', 'size', 'updated_at', 'zuletzt_abgerufen'])
      expect((await shown({ ...query(), sortierung: order })).sort()).toEqual([...expected].sort())
  })

  test('what was stored lately is not unretrieved for long, and a retrieval ends it', async () => {
    await on.fill('frisch', ['neu.txt'])
    const list = async () => (await on.list({ ordner: 'frisch', unabgerufen_tage: 1 })).gesamt
    expect(await list()).toBe(0)
    await onDatabase(
      on.service.dataDir,
      `update media set updated_at = ${ago(9)} where path = 'frisch/neu.txt'`,
    )
    expect(await list()).toBe(1)
    await setRetrievals(on.service.dataDir, 'frisch/neu.txt', 1)
    expect(await list()).toBe(0)
  })
})

describe('what is refused', () => {
  test.each([
    ['art', 'katzen', /bilder, video/],
    ['art', 'bilder,', /bilder, video/],
    ['token', 'a,,b', /Ids von Tokens/],
    ['token', Array.from({ length: 21 }, (_, at) => at).join(','), /höchstens 20/],
    ['geaendert_von', 'gestern', /Zeit in Millisekunden/],
    ['geaendert_bis', '-1', /Zeit in Millisekunden/],
    ['nicht_abgerufen_seit', '1.5', /Zeit in Millisekunden/],
    ['min_bytes', '1e3', /ganze Zahl/],
    ['max_breite', '', /ganze Zahl/],
    ['ausrichtung', 'schief', /quer/],
    ['nie_abgerufen', 'ja', /0/],
    ['unabgerufen_tage', '0', /zwischen 1 und 36500/],
    ['unabgerufen_tage', '36501', /zwischen 1 und 36500/],
  ])('%s=%s: 400 with a sentence, in the list and in a whole result', async (name, value, sentence) => {
    await expectError(await on.get(`media?${name}=${value}`), 400, sentence)
    await expectError(await on.get(`media?${name}=${value}`), 400, new RegExp(name))
    const treffer = { ordner: 'filter', gesamt: 0, [name]: value }
    await expectError(await on.post('media/loeschen', { treffer }), 400, sentence)
  })
})

describe('folders beside a filtered list', () => {
  const folders = async (query: Query) =>
    (await on.list(query)).ordner.map(({ pfad, dateien, bytes }) => [pfad, dateien, bytes])

  beforeAll(() => on.fill('ord', { 'a/x.txt': 'xxx', 'a/tief/y.bin': 'y', 'b/z.bin': 'zz', 'oben.txt': '1' }))

  test('only those with matching files somewhere below, with their figures', async () => {
    expect(await folders({ ordner: 'ord' })).toEqual([
      ['ord/a', 2, 4],
      ['ord/b', 1, 2],
    ])
    expect(await folders({ ordner: 'ord', min_bytes: 3 })).toEqual([['ord/a', 1, 3]])
    expect(await folders({ ordner: 'ord', art: 'sonstige' })).toEqual([
      ['ord/a', 1, 1],
      ['ord/b', 1, 2],
    ])
    expect(await folders({ ordner: 'ord', unterordner: 1, art: 'dokumente' })).toEqual([['ord/a', 1, 3]])
    expect(await folders({ ordner: 'ord', min_bytes: 100 })).toEqual([])
  })

  test('those that a search finds too', async () => {
    expect(await folders({ ordner: 'ord', suche: 'tief' })).toEqual([['ord/a/tief', 1, 1]])
    expect(await folders({ ordner: 'ord', suche: 'tief', max_bytes: 1 })).toEqual([['ord/a/tief', 1, 1]])
    expect(await folders({ ordner: 'ord', suche: 'tief', min_bytes: 2 })).toEqual([])
  })

  test('a change is seen at once', async () => {
    await on.fill('ord', { 'c/neu.txt': 'lang genug' })
    expect((await folders({ ordner: 'ord', min_bytes: 3 })).map(([pfad]) => pfad)).toEqual(['ord/a', 'ord/c'])
    await on.done('media/loeschen', { pfade: ['ord/c/neu.txt'] })
    expect((await folders({ ordner: 'ord', min_bytes: 3 })).map(([pfad]) => pfad)).toEqual(['ord/a'])
  })
})

describe('a whole result with filters', () => {
  const treffer = { ordner: 'ganz', unterordner: '1', min_bytes: '3', art: 'dokumente,sonstige' }
  beforeAll(() => on.fill('ganz', { 'a.txt': 'lang', 'b.txt': 'k', 't/c.bin': 'lang', 't/d.bin': 'k' }))

  const form = (route: string, fields: Record<string, string>) =>
    fetch(`${on.service.url}/api/dash/${route}`, {
      method: 'POST',
      headers: { ...MULTIPART, Cookie: `fundus_sitzung=${on.session}` },
      body: multipart(Object.entries(fields).map(([name, content]) => ({ name, content }))),
    })

  test('export holds it and nothing else', async () => {
    const response = await form('export', { format: 'json', treffer: JSON.stringify(treffer) })
    const files = (await response.json()) as { path: string }[]
    expect(files.map(({ path }) => path)).toEqual(['ganz/a.txt', 'ganz/t/c.bin'])
  })

  test('so does a download', async () => {
    const response = await form('herunterladen', { treffer: JSON.stringify(treffer) })
    expect(response.status).toBe(200)
    const text = Buffer.from(await response.arrayBuffer()).toString('latin1')
    expect(['a.txt', 'b.txt', 't/c.bin', 't/d.bin'].map(name => text.includes(name))).toEqual([
      ...[true, false],
      ...[true, false],
    ])
  })

  test('search and replace', async () => {
    const { treffer: hits } = await on.done<{ treffer: { von: string }[] }>('media/ersetzen', {
      suche: 'ganz',
      ersatz: 'ganz',
      treffer: { ...treffer, gesamt: 2 },
    })
    expect(hits.map(({ von }) => von).filter(path => !path.startsWith('ganz/'))).toEqual([])
  })

  test('moving, and then deleting: the others stay', async () => {
    await on.done('media/verschieben', { treffer: { ...treffer, gesamt: 2 }, ordner: 'ganz/ziel' })
    expect(await on.below('ganz')).toEqual([
      'ganz/b.txt',
      'ganz/t/d.bin',
      'ganz/ziel/a.txt',
      'ganz/ziel/c.bin',
    ])
    await expectError(await on.post('media/loeschen', { treffer: { ...treffer, gesamt: 4 } }), 409)
    await on.done('media/loeschen', { treffer: { ...treffer, gesamt: 2 } })
    expect(await on.below('ganz')).toEqual(['ganz/b.txt', 'ganz/t/d.bin'])
  })
})

describe('an account limited to a folder', () => {
  test('finds what matches inside, and nothing else; the folders at the top are its own', async () => {
    await on.fill('', { 'meins/a.txt': 'lang', 'meins/b.txt': 'k', 'fremd/c.txt': 'lang' })
    const account = { benutzer: 'enge', passwort: 'enge-enge-enge' }
    await on.done('benutzer', { ...account, rolle: 'ansicht', ordner: ['meins', 'ord/a'] })
    const session = await signIn(on.service, account)
    const list = async (query: string) =>
      (await (await dash(on.service, `media?${query}`, { session })).json()) as {
        dateien: { path: string }[]
        ordner: { pfad: string; dateien: number }[]
      }
    const { dateien, ordner } = await list('unterordner=1&min_bytes=3')
    expect(dateien.map(({ path }) => path)).toEqual(['meins/a.txt', 'ord/a/x.txt'])
    expect(ordner.map(({ pfad, dateien }) => [pfad, dateien])).toEqual([
      ['meins', 1],
      ['ord/a', 1],
    ])
    expect((await list('min_bytes=4')).ordner.map(({ pfad }) => pfad)).toEqual(['meins'])
    expect((await dash(on.service, 'media?ordner=fremd&min_bytes=3', { session })).status).toBe(403)
  })
})
