/** `POST /api/dash/media/verschieben` and `/loeschen`: several files at once, each judged by itself. */
import { describe, expect, test } from 'bun:test'
import { exists, expectError, read, store } from '../support/api.ts'
import { keys, type Refused, refusedPaths, sharedLibrary } from '../support/library.ts'
import { png } from '../support/pictures.ts'

const on = sharedLibrary()

interface Moved {
  verschoben: { von: string; nach: string }[]
  abgelehnt: Refused[]
}
interface Deleted {
  geloescht: string[]
  nummern: number[]
  abgelehnt: Refused[]
}
const move = (pfade: string[], ordner: string) => on.done<Moved>('media/verschieben', { pfade, ordner })
const drop = (...pfade: string[]) => on.done<Deleted>('media/loeschen', { pfade })
const preview = async (path: string) => (await fetch(`${on.service.url}/t/${path}.webp`)).status

/** Bodies that are invalid for both routes. */
const NONSENSE: [unknown][] = [
  [{}],
  [[]],
  [null],
  ['text'],
  [{ pfade: 'a.txt', ordner: 'x' }],
  [{ pfade: [1], ordner: 'x' }],
  [{ pfade: [null], ordner: 'x' }],
  [{ pfade: { 0: 'a.txt' }, ordner: 'x' }],
]

describe('verschieben', () => {
  test('several from several folders, into one that was not there', async () => {
    await on.fill('von', ['a.txt', 'tief/b.txt', 'c.txt', 'bleibt.txt'])
    const answer = await move(['von/a.txt', 'von/tief/b.txt', 'von/c.txt'], 'nach/hier')
    expect(keys(answer)).toEqual(['abgelehnt', 'verschoben'])
    expect(answer).toEqual({
      verschoben: [
        { von: 'von/a.txt', nach: 'nach/hier/a.txt' },
        { von: 'von/tief/b.txt', nach: 'nach/hier/b.txt' },
        { von: 'von/c.txt', nach: 'nach/hier/c.txt' },
      ],
      abgelehnt: [],
    })
    expect(await on.below('von')).toEqual(['von/bleibt.txt'])
    await on.holds('von/a.txt', null)
    await on.holds('nach/hier/a.txt', 'von/a.txt')
    await on.holds('nach/hier/b.txt', 'von/tief/b.txt')
    await on.holds('nach/hier/c.txt', 'von/c.txt')
  })

  test('preview and WebP variant follow', async () => {
    await on.fill('bilder', { 'a.png': await png({ width: 300, height: 200 }) })
    await on.previewReady('bilder/a.png')
    const webp = (await read(on.service, 'bilder/a.png', { Accept: 'image/webp' })).headers.get('etag')
    await move(['bilder/a.png'], 'album')
    expect([await preview('bilder/a.png'), await preview('album/a.png')]).toEqual([404, 200])
    expect((await read(on.service, 'album/a.png', { Accept: 'image/webp' })).headers.get('etag')).toBe(webp)
  })

  test('some refused with the reason, all the others moved', async () => {
    await on.fill('misch', ['a.txt', 'b.txt', 'c.txt'])
    await on.fill('ziel', { 'b.txt': 'stood here first' })
    const answer = await move(
      ['misch/a.txt', 'misch/nirgends.txt', 'misch/b.txt', 'misch', '../x', '', 'misch/c.txt'],
      'ziel',
    )
    expect(answer.verschoben.map(entry => entry.nach)).toEqual(['ziel/a.txt', 'ziel/c.txt'])
    expect(refusedPaths(answer.abgelehnt).sort()).toEqual(
      ['misch/nirgends.txt', 'misch/b.txt', 'misch', '../x', ''].sort(),
    )
    expect(answer.abgelehnt.find(entry => entry.pfad === 'misch/b.txt')?.grund).toContain('ziel/b.txt')
    await on.holds('ziel/b.txt', 'stood here first')
    await on.holds('misch/b.txt', 'misch/b.txt')
    await on.holds('ziel/a.txt', 'misch/a.txt')
    await on.holds('ziel/c.txt', 'misch/c.txt')
  })

  test('all refused is 200 all the same', async () => {
    const answer = await move(['nie/a.txt', 'nie/b.txt'], 'ziel')
    expect([answer.verschoben, refusedPaths(answer.abgelehnt)]).toEqual([[], ['nie/a.txt', 'nie/b.txt']])
  })

  test('two that would become one are reported, neither is lost', async () => {
    await on.fill('eins', ['gleich.txt'])
    await on.fill('zwei', ['gleich.txt'])
    const answer = await move(['eins/gleich.txt', 'zwei/gleich.txt'], 'vereint')
    expect(answer.verschoben.length).toBeLessThan(2)
    expect(refusedPaths(answer.abgelehnt).length + answer.verschoben.length).toBe(2)
    const now = (path: string) => answer.verschoben.find(entry => entry.von === path)?.nach ?? path
    await on.holds(now('eins/gleich.txt'), 'eins/gleich.txt')
    await on.holds(now('zwei/gleich.txt'), 'zwei/gleich.txt')
  })

  test('one that is there already stays, and one named twice moves once', async () => {
    await on.fill('da', ['a.txt', 'unter/a.txt', 'unter/b.txt'])
    const answer = await move(['da/a.txt', 'da/unter/a.txt', 'da/unter/b.txt', 'da/unter/b.txt'], 'da')
    expect(answer.verschoben).toEqual([{ von: 'da/unter/b.txt', nach: 'da/b.txt' }])
    expect(refusedPaths(answer.abgelehnt)).toContain('da/unter/a.txt')
    await on.holds('da/a.txt', 'da/a.txt')
    await on.holds('da/unter/a.txt', 'da/unter/a.txt')
    await on.holds('da/b.txt', 'da/unter/b.txt')
  })

  test('to the top, with a final slash, upper case kept', async () => {
    await on.fill('hoch', ['x1.txt', 'x2.txt'])
    expect((await move(['hoch/x1.txt'], '')).verschoben).toEqual([{ von: 'hoch/x1.txt', nach: 'x1.txt' }])
    expect((await move(['hoch/x2.txt', 'x1.txt'], 'Gross/')).verschoben).toEqual([
      { von: 'hoch/x2.txt', nach: 'Gross/x2.txt' },
      { von: 'x1.txt', nach: 'Gross/x1.txt' },
    ])
    await on.holds('Gross/x1.txt', 'hoch/x1.txt')
  })

  test('a path that would be too long or too deep is refused by itself', async () => {
    const long = `${'l'.repeat(100)}.txt`
    await on.fill('lang', [long, 'kurz.txt'])
    const far = 'f'.repeat(100)
    const answer = await move([`lang/${long}`, 'lang/kurz.txt'], far)
    expect([answer.verschoben.map(entry => entry.von), refusedPaths(answer.abgelehnt)]).toEqual([
      ['lang/kurz.txt'],
      [`lang/${long}`],
    ])
    await on.holds(`lang/${long}`, `lang/${long}`)
    const deep = await move([`lang/${long}`], 'a/b/c/d/e/f/g/h')
    expect(refusedPaths(deep.abgelehnt)).toEqual([`lang/${long}`])
    expect((await move([`lang/${long}`], 'a/b/c/d/e/f/g')).abgelehnt).toEqual([])
  })

  test.each(['..', 'a\\b', 'x'.repeat(201)])('into %j: 400, nothing moves', async ordner => {
    await on.fill('still', { 'a.txt': 'kept' })
    await expectError(await on.post('media/verschieben', { pfade: ['still/a.txt'], ordner }), 400)
    await on.holds('still/a.txt', 'kept')
  })

  test.each([...NONSENSE, [{ pfade: ['a.txt'] }], [{ pfade: ['a.txt'], ordner: 5 }]])(
    '%j: 400',
    async json => {
      await expectError(await on.post('media/verschieben', json), 400)
    },
  )
})

describe('loeschen', () => {
  test('file and preview are 404 at once; the others stay', async () => {
    await on.fill('weg', { 'a.png': await png(), 'b.txt': 'b', 'c.txt': 'c' })
    await on.previewReady('weg/a.png')
    await read(on.service, 'weg/a.png', { Accept: 'image/webp' })
    const answer = await drop('weg/a.png', 'weg/b.txt')
    expect(answer).toEqual({
      geloescht: ['weg/a.png', 'weg/b.txt'],
      nummern: [expect.any(Number), expect.any(Number)],
      abgelehnt: [],
    })
    await expectError(await read(on.service, 'weg/a.png'), 404)
    await expectError(await read(on.service, 'weg/a.png', { Accept: 'image/webp' }), 404)
    expect(await preview('weg/a.png')).toBe(404)
    await expectError(await on.get('media/weg/a.png'), 404)
    expect(await exists(on.service, on.token, 'weg/b.txt')).toBe(false)
    expect(await on.below('weg')).toEqual(['weg/c.txt'])
    await on.holds('weg/c.txt', 'c')
  })

  test('what is not there is listed with a reason, the rest goes', async () => {
    await on.fill('teils', ['a.txt', 'b.txt'])
    const answer = await drop('teils/a.txt', 'teils/nie.txt', 'teils', '../..', 'teils/B.txt')
    expect(answer.geloescht).toEqual(['teils/a.txt'])
    expect(refusedPaths(answer.abgelehnt)).toEqual(['teils/nie.txt', 'teils', '../..', 'teils/B.txt'])
    expect(await on.below('teils')).toEqual(['teils/b.txt'])
  })

  test('answers the trash numbers in the order of the paths; a refused path has none', async () => {
    await on.fill('nummern', ['a.txt', 'b.txt', 'c.txt'])
    // An older entry of the same path must not be confused with the newer one.
    await drop('nummern/b.txt')
    await on.fill('nummern', { 'b.txt': 'newer' })
    const { geloescht, nummern, abgelehnt } = await drop('nummern/c.txt', 'nummern/nie.txt', 'nummern/b.txt')
    expect(geloescht).toEqual(['nummern/c.txt', 'nummern/b.txt'])
    expect(refusedPaths(abgelehnt)).toEqual(['nummern/nie.txt'])
    const restore = (nr: number) =>
      on.done<{ wiederhergestellt: { path: string }[] }>('papierkorb/wiederherstellen', { nummern: [nr] })
    expect(nummern).toHaveLength(2)
    const paths: string[] = []
    for (const nr of nummern) {
      const { wiederhergestellt } = await restore(nr)
      paths.push(...wiederhergestellt.map(({ path }) => path))
    }
    expect(paths).toEqual(geloescht)
    await on.holds('nummern/b.txt', 'newer')
  })

  test('where no path is there, no number is answered and the trash stays as it was', async () => {
    const trash = async () => ((await (await on.get('papierkorb')).json()) as { gesamt: number }).gesamt
    const before = await trash()
    const { geloescht, nummern } = await drop('nummern/gibt-es-nicht.txt')
    expect([geloescht, nummern, await trash()]).toEqual([[], [], before])
  })

  test('twice: the second time it is not there; named twice it goes once', async () => {
    await on.fill('doppelt', ['a.txt'])
    const first = await drop('doppelt/a.txt', 'doppelt/a.txt')
    expect(first.geloescht).toEqual(['doppelt/a.txt'])
    const second = await drop('doppelt/a.txt')
    expect([second.geloescht, refusedPaths(second.abgelehnt)]).toEqual([[], ['doppelt/a.txt']])
    await expectError(await on.get('media?ordner=doppelt'), 404)
  })

  test('the path is free again, for other content and for a rename', async () => {
    await on.fill('frei', { 'a.txt': 'old', 'b.txt': 'renamed' })
    await drop('frei/a.txt')
    await on.fill('frei', { 'a.txt': 'new' })
    await on.holds('frei/a.txt', 'new')
    await drop('frei/a.txt')
    await on.done('media/umbenennen', { pfad: 'frei/b.txt', name: 'a.txt' })
    await on.holds('frei/a.txt', 'renamed')
  })

  test('files in the trash do not count for their token', async () => {
    const { id, token } = await on.done<{ id: string; token: string }>('tokens', {
      name: 'q',
      kontingent: 10,
    })
    await store(on.service, token, 'kontingent/a.txt', '1234567890')
    await drop('kontingent/a.txt')
    const tokens = (await (await on.get('tokens')).json()) as { id: string; dateien: number; bytes: number }[]
    expect(tokens.find(each => each.id === id)).toMatchObject({ dateien: 0, bytes: 0 })
    await store(on.service, token, 'kontingent/b.txt', '1234567890')
  })

  test.each(NONSENSE)('%j: 400', async json => {
    await expectError(await on.post('media/loeschen', json), 400)
  })
})
