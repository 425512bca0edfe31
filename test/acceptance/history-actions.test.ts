/**
 * Actions in the history: a change of many files is one entry that opens to a list, and moves can be undone.
 */
import { describe, expect, test } from 'bun:test'
import { expectError } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { onDatabase } from '../support/data-folder.ts'
import { field, filePart, send } from '../support/ingest.ts'
import { type HistoryEntry, type Refused, refusedPaths, sharedLibrary } from '../support/library.ts'
import { readShare, share } from '../support/shares.ts'

const on = sharedLibrary()

interface Group extends HistoryEntry {
  aktion: string | null
  dateien: number
}
const page = async (query: string) =>
  (await (await on.get(`verlauf?${query}`)).json()) as { eintraege: HistoryEntry[]; gesamt: number }
const groups = async (query = '') => (await on.history(`gruppen=1&${query}`)) as Group[]
const newest = async () => (await groups())[0]!

/** Calls a route and returns the id of the action, from a header. */
async function acted(route: string, json: unknown) {
  const response = await on.post(route, json)
  expect([route, response.status]).toEqual([route, 200])
  const answer = (await response.json()) as { zurueckgenommen: number; abgelehnt: Refused[] }
  return { ...answer, aktion: response.headers.get('X-Aktion') }
}
const takeBack = (aktion: unknown) => acted('verlauf/zuruecknehmen', { aktion })
const replaceIn = (suche: string, ersatz: string, ordner: string) =>
  acted('media/ersetzen', { suche, ersatz, ordner, ausfuehren: true })
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `${at}.txt`)

describe('the history groups what one action did', () => {
  test('a moved folder is one entry with its count, which opens to every file', async () => {
    await on.fill('viele', numbered(230))
    const { aktion } = await acted('folders/verschieben', {
      ordner: 'viele',
      ziel: 'ziel',
    })
    const entry = await newest()
    expect([entry.was, entry.dateien, entry.aktion]).toEqual(['verschoben', 230, aktion])
    const pages = await Promise.all([1, 2].map(seite => page(`aktion=${aktion}&anzahl=200&seite=${seite}`)))
    expect(pages.map(page => [page.eintraege.length, page.gesamt])).toEqual([
      [200, 230],
      [30, 230],
    ])
    const paths = pages.flatMap(page => page.eintraege.map(each => each.pfad))
    expect(new Set(paths).size).toBe(230)
  })

  test('pages and their total count entries, not files; without gruppen every file is listed as ever', async () => {
    const total = async (query: string) => (await page(query)).gesamt
    const [grouped, single] = [await total('gruppen=1'), await total('')]
    await on.fill('seiten', numbered(5))
    await on.done('folders/umbenennen', { ordner: 'seiten', name: 'blatt' })
    expect([await total('gruppen=1'), await total('')]).toEqual([grouped + 2, single + 10])
    expect(await total('gruppen=1&was=umbenannt')).toBe(1)
    // A filter by path shows the entries of single files, not of actions.
    expect(await total('gruppen=1&pfad=blatt/')).toBe(5)
    expect(Object.keys((await on.history('pfad=blatt/'))[0]!)).not.toContain('aktion')
  })

  test('deleting, restoring and emptying the trash are one entry each, and one file stays a single line', async () => {
    await on.fill('weg', numbered(120))
    const { nummern } = await on.done<{ nummern: number[] }>('folders/loeschen', { ordner: 'weg' })
    await on.done('papierkorb/wiederherstellen', { nummern })
    const { nummern: again } = await on.done<{ nummern: number[] }>('media/loeschen', {
      pfade: numbered(120).map(name => `weg/${name}`),
    })
    await on.done('papierkorb/leeren', { nummern: again })
    const latest = (await groups()).slice(0, 4).map(({ was, dateien }) => [was, dateien])
    expect(latest).toEqual([
      ['entfernt', 120],
      ['geloescht', 120],
      ['wiederhergestellt', 120],
      ['geloescht', 120],
    ])
    await on.fill('', ['einzeln.txt'])
    await on.done('media/umbenennen', { pfad: 'einzeln.txt', name: 'allein.txt' })
    expect(await newest()).toMatchObject({ was: 'umbenannt', pfad: 'allein.txt', dateien: 1 })
  })

  test('uploads: the files of one request are one entry, and requests with one id too; a single file is not', async () => {
    const upload = async (names: readonly string[], aktion?: string) => {
      const fields = [field('ordner', 'stapel'), ...(aktion === undefined ? [] : [field('aktion', aktion)])]
      const files = names.map(name => filePart(name, name))
      return (await send(on.service, on.session, [...fields, ...files])).status
    }
    const latest = async (count: number) =>
      (await groups()).slice(0, count).map(({ was, dateien }) => [was, dateien])
    expect(await upload(numbered(37))).toBe(200)
    expect(await latest(1)).toEqual([['hochgeladen', 37]])
    for (const name of ['a', 'b', 'c']) expect(await upload([`${name}.txt`], 'stapel-nr-1')).toBe(200)
    expect(await upload(['d.txt'])).toBe(200)
    expect(await latest(3)).toEqual([
      ['hochgeladen', 1],
      ['hochgeladen', 3],
      ['hochgeladen', 37],
    ])
    const { aktion } = (await groups())[1]!
    expect((await on.history(`aktion=${aktion}`)).map(({ pfad }) => pfad)).toEqual([
      'stapel/c.txt',
      'stapel/b.txt',
      'stapel/a.txt',
    ])
    for (const wrong of ['kurz', 'mit leerzeichen', 'x'.repeat(65)])
      expect(await upload(['e.txt'], wrong)).toBe(400)
    // Nothing was moved, so nothing can be undone.
    await expectError(await on.post('verlauf/zuruecknehmen', { aktion }), 404)
  })

  test('entries of before the groups stay single', async () => {
    await onDatabase(
      on.service.dataDir,
      `insert into history (at, what, path, who, who_kind, bytes) values
        (5, 'geloescht', 'frueher/a', 'anna', 'account', 1), (5, 'geloescht', 'frueher/b', 'anna', 'account', 1)`,
    )
    const old = (await groups('bis=5')).map(({ pfad, dateien, aktion }) => [pfad, dateien, aktion])
    expect(old).toEqual([
      ['frueher/b', 1, null],
      ['frueher/a', 1, null],
    ])
  })
})

describe('taking an action back', () => {
  test('search and replace, and taking that back does it again', async () => {
    const before = { 'tausch/a.txt': 'a', 'tausch/b.txt': 'b', 'tausch/c-alt.txt': 'c' }
    await on.fill('', before)
    const { aktion } = await replaceIn('-alt', '', 'tausch')
    await on.holds('tausch/c.txt', 'c')
    const back = await takeBack(aktion)
    expect([back.zurueckgenommen, back.abgelehnt]).toEqual([1, []])
    for (const [path, content] of Object.entries(before)) await on.holds(path, content)
    await on.holds('tausch/c.txt', null)
    expect(await newest()).toMatchObject({ was: 'umbenannt', aktion: back.aktion, dateien: 1 })
    await takeBack(back.aktion)
    await on.holds('tausch/c.txt', 'c')
  })

  test('of many files at once', async () => {
    await on.fill('menge', numbered(600))
    const { aktion } = await replaceIn('menge/', 'andere/tiefe/', 'menge')
    // The progress is streamed to a client that accepts lines.
    const response = await dash(on.service, 'verlauf/zuruecknehmen', {
      session: on.session,
      json: { aktion },
      headers: { Accept: 'application/x-ndjson' },
    })
    const lines = (await response.text()).trim().split('\n')
    const steps = lines.map(line => JSON.parse(line) as { zurueckgenommen: number; abgelehnt: Refused[] })
    expect(steps.length).toBeGreaterThan(1)
    expect(steps.reduce((sum, step) => sum + step.zurueckgenommen, 0)).toBe(600)
    expect((await on.list({ ordner: 'menge' })).gesamt).toBe(600)
    // One line in the history, as the action itself.
    expect(await newest()).toMatchObject({ was: 'verschoben', dateien: 600 })
    expect((await on.get('media?ordner=andere')).status).toBe(404)
  })

  test('a folder that was merged into another: only what came goes back, and links go with it', async () => {
    await on.fill('', ['von/bild/1.txt', 'nach/bild/2.txt', 'frei/x/3.txt'])
    const merged = await acted('folders/verschieben', {
      ordner: 'von/bild',
      ziel: 'nach',
    })
    await takeBack(merged.aktion)
    expect([await on.below('von'), await on.below('nach')]).toEqual([['von/bild/1.txt'], ['nach/bild/2.txt']])
    const link = await share(on.service, on.session, 'frei/x')
    const moved = await acted('folders/verschieben', { ordner: 'frei/x', ziel: '' })
    expect((await readShare(on.service, link)).ordner).toBe('x')
    await takeBack(moved.aktion)
    expect(await readShare(on.service, link)).toMatchObject({
      ordner: 'frei/x',
      dateien: [{ name: '3.txt' }],
    })
  })

  test('what has changed since stays: gone, another file at the path, the former path taken', async () => {
    await on.fill('seither', ['weg.txt', 'anders.txt', 'besetzt.txt', 'gut.txt'])
    const { aktion } = await acted('folders/umbenennen', {
      ordner: 'seither',
      name: 'jetzt',
    })
    await on.done('media/loeschen', { pfade: ['jetzt/weg.txt'] })
    await on.done('media/umbenennen', { pfad: 'jetzt/anders.txt', name: 'fort.txt' })
    await on.fill('', ['jetzt/anders.txt', 'seither/besetzt.txt'])
    const { zurueckgenommen, abgelehnt } = await takeBack(aktion)
    expect(zurueckgenommen).toBe(1)
    expect(refusedPaths(abgelehnt).sort()).toEqual(['jetzt/anders.txt', 'jetzt/besetzt.txt', 'jetzt/weg.txt'])
    expect(await on.below('seither')).toEqual(['seither/besetzt.txt', 'seither/gut.txt'])
    expect(await on.below('jetzt')).toEqual(['jetzt/anders.txt', 'jetzt/besetzt.txt', 'jetzt/fort.txt'])
  })

  test('an overwritten file goes back as well; a second time there is nothing to take back', async () => {
    await on.fill('', ['ober/a.txt'])
    const { aktion } = await acted('media/verschieben', {
      pfade: ['ober/a.txt'],
      ordner: 'unter',
    })
    await on.fill('', { 'unter/a.txt': 'neu' })
    expect((await takeBack(aktion)).zurueckgenommen).toBe(1)
    await on.holds('ober/a.txt', 'neu')
    expect(await takeBack(aktion)).toMatchObject({ zurueckgenommen: 0, aktion: null })
  })

  test('an unknown action and one that moved nothing are refused', async () => {
    await expectError(await on.post('verlauf/zuruecknehmen', { aktion: 'gibtesnicht' }), 404)
    await expectError(await on.post('verlauf/zuruecknehmen', {}), 400)
    await on.fill('', ['fort.txt'])
    await on.done('media/loeschen', { pfade: ['fort.txt'] })
    const { aktion } = await newest()
    await expectError(await on.post('verlauf/zuruecknehmen', { aktion }), 404)
  })
})
