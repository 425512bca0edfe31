/** `GET /api/dash/media` with filters, `GET /api/dash/media/<pfad>`, `GET /api/dash/folders`. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { expectError, store } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { type FolderNode, keys, sharedLibrary } from '../support/library.ts'
import { media } from '../support/media.ts'
import { png } from '../support/pictures.ts'

const on = sharedLibrary()

const found = async (query: Record<string, string | number>) => {
  const { dateien, gesamt } = await on.list({ anzahl: 200, ...query })
  expect(gesamt).toBe(dateien.length)
  return dateien.map(file => file.path)
}

describe('suche', () => {
  const NAMES = [
    'a_b.txt',
    'axb.txt',
    'a-b.txt',
    'a.b.txt',
    'aab.txt',
    'sommer-urlaub.jpg',
    'tief/er/sommer.txt',
    'tief/sommer2.txt',
    'sommerfest/programm.txt',
    'q.txt',
  ]
  beforeAll(async () => {
    await on.fill('suche', NAMES)
    await store(on.service, on.token, 'suche/GROSS/Name.TXT', 'x')
    await on.fill('sommer-aussen', ['x.txt'])
  })
  const search = async (suche: string, more = {}) =>
    (await found({ ordner: 'suche', unterordner: 1, suche, ...more })).map(path =>
      path.slice('suche/'.length),
    )

  test.each<[string, string[]]>([
    ['sommer', ['sommer-urlaub.jpg', 'sommerfest/programm.txt', 'tief/er/sommer.txt', 'tief/sommer2.txt']],
    ['SOMMER', ['sommer-urlaub.jpg', 'sommerfest/programm.txt', 'tief/er/sommer.txt', 'tief/sommer2.txt']],
    ['oMmEr2', ['tief/sommer2.txt']],
    ['gross/name.txt', ['GROSS/Name.TXT']],
    ['ommer.', ['tief/er/sommer.txt']],
    ['er/so', ['tief/er/sommer.txt']],
    ['q', ['q.txt']],
    ['Q', ['q.txt']],
    ['q.', ['q.txt']],
    ['2', ['tief/sommer2.txt']],
    ['r2', ['tief/sommer2.txt']],
    ['-u', ['sommer-urlaub.jpg']],
    ['winter', []],
    [
      'sommer sommer',
      ['sommer-urlaub.jpg', 'sommerfest/programm.txt', 'tief/er/sommer.txt', 'tief/sommer2.txt'],
    ],
    ['txtx', []],
  ])('%j is any part of the path, whatever its case', async (text, expected) => {
    expect(await search(text)).toEqual(expected)
  })

  test.each<[string, string[]]>([
    ['_', ['a_b.txt']],
    ['a_b', ['a_b.txt']],
    ['a_', ['a_b.txt']],
    ['a.b', ['a.b.txt']],
    ['a-b', ['a-b.txt']],
    ['%', []],
    ['a%b', []],
    ['%%', []],
    ['a*b', []],
    ['"', []],
    ['"sommer"', []],
    ["'", []],
    ["' or 1=1 --", []],
    ['sommer or gross', []],
    ['sommer NOT fest', []],
    ['(', []],
    ['[a-z]', []],
    ['?', []],
    ['\\', []],
    ['\\_', []],
    ['^suche', []],
    ['path:sommer', []],
    ['\0', []],
    ['💾', []],
  ])('%j means what it says', async (text, expected) => {
    expect(await search(text)).toEqual(expected)
  })

  test.each<[string, string[]]>([
    ['urlaub sommer', ['sommer-urlaub.jpg']],
    ['  txt   TIEF  er/ ', ['tief/er/sommer.txt']],
    ['sommer winter', []],
    ['fest sommer .txt', ['sommerfest/programm.txt']],
  ])('%j: several words, in any order, all of them', async (text, expected) => {
    expect(await search(text)).toEqual(expected)
  })

  test.each<[string, string[]]>([
    ['som*', ['sommer-urlaub.jpg', 'sommerfest/programm.txt', 'tief/er/sommer.txt', 'tief/sommer2.txt']],
    ['*.jpg', ['sommer-urlaub.jpg']],
    ['*.JPG', ['sommer-urlaub.jpg']],
    ['*.jp', []],
    ['sommer?.txt', ['tief/sommer2.txt']],
    ['sommer??.txt', []],
    ['s*fest', ['sommerfest/programm.txt']],
    ['a?b.txt', ['a-b.txt', 'a.b.txt', 'a_b.txt', 'aab.txt', 'axb.txt']],
    ['tief*sommer.txt', ['tief/er/sommer.txt']],
    ['tief/*', ['tief/er/sommer.txt', 'tief/sommer2.txt']],
    ['som* tief', ['tief/er/sommer.txt', 'tief/sommer2.txt']],
    ['%*', []],
  ])('%j: * and ? stand for characters', async (text, expected) => {
    expect(await search(text)).toEqual(expected)
  })

  test('* alone is everything', async () => {
    expect(await search('*')).toHaveLength(NAMES.length + 1)
  })

  test('umlauts in both spellings, also without the mark', async () => {
    const names = ['uebersicht-2026.png', 'ubersicht-alt.png', 'strasse.png', 'uber-uns.png']
    await on.fill('umlaute', names)
    const umlauts = async (suche: string) =>
      (await found({ ordner: 'umlaute', suche })).map(path => path.slice('umlaute/'.length))
    expect(await umlauts('übersicht')).toEqual(['ubersicht-alt.png', 'uebersicht-2026.png'])
    expect(await umlauts('u\u0308BERSICHT 2026')).toEqual(['uebersicht-2026.png'])
    expect(await umlauts('Straße')).toEqual(['strasse.png'])
    expect(await umlauts('übers*')).toEqual(['ubersicht-alt.png', 'uebersicht-2026.png'])
    expect(await umlauts('uebersicht')).toEqual(['uebersicht-2026.png'])
    expect(await umlauts('ñber')).toEqual([])
  })

  test('folders by their names too, with what lies below them', async () => {
    await on.fill('ordnersuche', {
      'Herbst-Fest/a.txt': '1',
      'x/herbst/tief/b.txt': '22',
      'x/c-herbst.txt': '3',
    })
    const folders = async (suche: string) => (await on.list({ ordner: 'ordnersuche', suche })).ordner
    expect(await folders('herbst')).toEqual([
      { name: 'herbst-fest', pfad: 'ordnersuche/herbst-fest', dateien: 1, bytes: 1 },
      { name: 'herbst', pfad: 'ordnersuche/x/herbst', dateien: 1, bytes: 2 },
    ])
    expect((await folders('fest herbst')).map(({ pfad }) => pfad)).toEqual(['ordnersuche/herbst-fest'])
    expect((await folders('tief herbst')).map(({ pfad }) => pfad)).toEqual(['ordnersuche/x/herbst/tief'])
    expect((await folders('her*')).map(({ name }) => name)).toEqual(['herbst-fest', 'herbst'])
    expect(await folders('winter')).toEqual([])
    expect(await folders('ordnersuche')).toEqual([])
  })

  test('goes below the folder only, and everywhere from the top', async () => {
    expect(await found({ ordner: 'suche/tief', suche: 'sommer', unterordner: 1 })).toEqual([
      'suche/tief/er/sommer.txt',
      'suche/tief/sommer2.txt',
    ])
    expect(await found({ suche: 'sommer', unterordner: 1 })).toHaveLength(5)
    expect(await found({ suche: 'sommer-aussen' })).toEqual(['sommer-aussen/x.txt'])
  })

  test('pages and orders like any other list', async () => {
    await on.fill(
      'treffer',
      Array.from({ length: 35 }, (_, at) => `nadel${String(at).padStart(2, '0')}.txt`),
    )
    const query = { suche: 'NADEL', anzahl: 30, richtung: 'ab', unterordner: 1 }
    const first = await on.list(query)
    const second = await on.list({ ...query, seite: 2 })
    expect([first.gesamt, second.gesamt, first.dateien.length, second.dateien.length]).toEqual([
      35, 35, 30, 5,
    ])
    expect([first.dateien[0]?.path, second.dateien.at(-1)?.path]).toEqual([
      'treffer/nadel34.txt',
      'treffer/nadel00.txt',
    ])
    expect((await on.list({ ...query, seite: 3 })).dateien).toEqual([])
  })

  test('follows renames and deletions at once', async () => {
    await on.fill('folgt', ['wandervogel.txt'])
    expect(await found({ suche: 'wandervogel', unterordner: 1 })).toHaveLength(1)
    await on.done('media/umbenennen', { pfad: 'folgt/wandervogel.txt', name: 'zugvogel.txt' })
    expect(await found({ suche: 'wandervogel', unterordner: 1 })).toEqual([])
    expect(await found({ suche: 'zugvogel', unterordner: 1 })).toEqual(['folgt/zugvogel.txt'])
    await on.done('media/loeschen', { pfade: ['folgt/zugvogel.txt'] })
    expect(await found({ suche: 'zugvogel', unterordner: 1 })).toEqual([])
  })

  test('empty is no search; more than a path can have is 400', async () => {
    expect(await found({ ordner: 'suche', suche: '' })).toHaveLength(7)
    await expectError(await on.get(`media?suche=${'a'.repeat(201)}`), 400, /suche/)
    expect(await search('a'.repeat(194))).toEqual([])
  })
})

describe('art, token, unterordner', () => {
  let one = { id: '', token: '' }
  let other = { id: '', token: '' }
  beforeAll(async () => {
    const make = (name: string) => on.done<{ id: string; token: string }>('tokens', { name })
    one = await make('one')
    other = await make('other')
    await on.fill('arten', {
      'b.png': await png({ width: 20, height: 20 }),
      'v.mp4': media('clip.mp4'),
      'a.mp3': media('tone.mp3'),
      'd.pdf': '%PDF-1.4',
      's.bin': 'x',
      'unter/c.png': await png({ width: 20, height: 20, seed: 2 }),
    })
    await store(on.service, one.token, 'arten/one.bin', 'x')
    await store(on.service, one.token, 'arten/unter/one.png', await png({ width: 9, height: 9 }))
    await store(on.service, other.token, 'arten/other.bin', 'x')
  })
  const inside = async (query: Record<string, string | number>) =>
    (await found({ ordner: 'arten', ...query })).map(path => path.slice('arten/'.length))

  test.each([
    ['bilder', ['b.png'], ['b.png', 'unter/c.png', 'unter/one.png']],
    ['video', ['v.mp4'], ['v.mp4']],
    ['audio', ['a.mp3'], ['a.mp3']],
    ['dokumente', ['d.pdf'], ['d.pdf']],
    ['sonstige', ['one.bin', 'other.bin', 's.bin'], ['one.bin', 'other.bin', 's.bin']],
  ])('art=%s', async (art, here, below) => {
    expect(await inside({ art })).toEqual(here)
    expect(await inside({ art, unterordner: 1 })).toEqual(below)
  })

  test('unterordner=1 lists what lies below too, without it does not', async () => {
    expect(await inside({})).not.toContain('unter/c.png')
    expect(await inside({ unterordner: 0 })).toHaveLength(7)
    const all = await inside({ unterordner: 1 })
    expect(all).toHaveLength(9)
    expect(all).toContain('unter/c.png')
  })

  test('token: the files it stored, nobody else’s', async () => {
    expect(await inside({ token: one.id })).toEqual(['one.bin'])
    expect(await inside({ token: one.id, unterordner: 1 })).toEqual(['one.bin', 'unter/one.png'])
    expect(await inside({ token: other.id, unterordner: 1 })).toEqual(['other.bin'])
    expect(await found({ token: one.id, unterordner: 1 })).toHaveLength(2)
    expect(await found({ token: 'nobody', unterordner: 1 })).toEqual([])
    expect(await found({ token: "' or 1=1 --", unterordner: 1 })).toEqual([])
  })

  test('all of them together', async () => {
    const query = { token: one.id, art: 'bilder', unterordner: 1, suche: 'ONE', sortierung: 'size' }
    expect(await inside(query)).toEqual(['unter/one.png'])
    expect(await inside({ ...query, art: 'audio' })).toEqual([])
    expect(await inside({ ...query, token: other.id })).toEqual([])
  })

  test.each(['art=katzen', 'art=', 'art=Bilder', 'unterordner=2', 'unterordner=ja', 'token='])(
    '%s: 400',
    async query => {
      await expectError(await on.get(`media?${query}`), 400, new RegExp(query.split('=')[0] ?? ''))
    },
  )
})

describe('one file', () => {
  beforeAll(() => on.fill('einzeln', ['tief/a-b_c.d.txt']))

  test.each(['einzeln/tief/a-b_c.d.txt', 'einzeln%2Ftief%2Fa-b_c.d.txt', 'einzeln/tief/%61-b_c%2Ed.txt'])(
    '%s',
    async path => {
      expect((await on.file(path)).path).toBe('einzeln/tief/a-b_c.d.txt')
    },
  )

  test.each([
    'einzeln/tief/a',
    'einzeln/tief',
    'einzeln/tief/a-b_c.d.tx_',
    'einzeln/tief/A-b_c.d.txt',
    'einzeln/tief/a-b_c.d.txt/',
    'einzeln//tief/a-b_c.d.txt',
    '%2e%2e%2feinzeln',
    'x%00y',
    '%25',
  ])('%s is 404', async path => {
    await expectError(await on.get(`media/${path}`), 404)
  })

  test('an address that is none is no 500', async () => {
    const response = await on.get('media/%zz')
    await expectError(response, response.status === 400 ? 400 : 404)
  })

  test('named like an action', async () => {
    const actions = ['umbenennen', 'verschieben', 'loeschen', 'ersetzen']
    await on.fill('', actions)
    for (const path of actions) expect((await on.file(path)).path).toBe(path)
    await on.done('media/loeschen', { pfade: actions })
  })
})

test('the folder tree: nested, each with what lies in and below it', async () => {
  await on.fill('ast', { '0.txt': '1', 'b/1.txt': '22', 'b/c/2.txt': '333', 'a/d/e/3.txt': '4444' })
  await on.fill('astloch', { 'x.txt': '55555' })
  const tree = (await (await on.get('folders')).json()) as FolderNode[]
  expect(Array.isArray(tree)).toBe(true)
  const top = tree.filter(node => node.name.startsWith('ast'))
  const node = (pfad: string, dateien: number, bytes: number, ...ordner: FolderNode[]) => ({
    name: pfad.split('/').at(-1)!,
    pfad,
    dateien,
    bytes,
    ordner,
  })
  expect(top).toEqual([
    node(
      'ast',
      4,
      10,
      node('ast/a', 1, 4, node('ast/a/d', 1, 4, node('ast/a/d/e', 1, 4))),
      node('ast/b', 2, 5, node('ast/b/c', 1, 3)),
    ),
    node('astloch', 1, 5),
  ])
  expect(keys(top[0]!)).toEqual(['bytes', 'dateien', 'name', 'ordner', 'pfad'])
  await on.done('media/loeschen', { pfade: ['ast/a/d/e/3.txt', 'astloch/x.txt'] })
  const after = (await (await on.get('folders')).json()) as FolderNode[]
  const left = after.filter(each => each.name.startsWith('ast'))
  expect(left).toEqual([node('ast', 3, 6, node('ast/b', 2, 5, node('ast/b/c', 1, 3)))])
  await expectError(await dash(on.service, 'folders', { method: 'PUT', session: on.session }), 405)
})
