/** `POST /api/dash/folders/umbenennen`, `/verschieben`, `/loeschen`: all paths inside change, or none. */
import { describe, expect, test } from 'bun:test'
import { bytesOf, expectError, expectSameBytes, read } from '../support/api.ts'
import { keys, sharedLibrary } from '../support/library.ts'
import { png } from '../support/pictures.ts'

const on = sharedLibrary()

interface Outcome {
  dateien: number
  ordner: string
}
const rename = (ordner: string, name: string) => on.done<Outcome>('folders/umbenennen', { ordner, name })
const move = (ordner: string, ziel: string) => on.done<Outcome>('folders/verschieben', { ordner, ziel })
const drop = (ordner: string) => on.done<Outcome & { nummern: number[] }>('folders/loeschen', { ordner })
const preview = async (path: string) => (await fetch(`${on.service.url}/t/${path}.webp`)).status

/** Runs `act` and checks that the files below `folder`, whose content is their path, have not moved. */
async function changesNothing(folder: string, act: () => Promise<unknown>): Promise<void> {
  const before = await on.below(folder)
  expect(before).not.toEqual([])
  await act()
  expect(await on.below(folder)).toEqual(before)
  for (const path of before) await on.holds(path, path)
}

const INSIDE = ['1.txt', 'b/2.txt', 'b/c/3.txt', 'b/c/d.e/4.txt']

describe('umbenennen', () => {
  test('every path inside is rewritten, its neighbours are not', async () => {
    await on.fill('um/a', INSIDE)
    await on.fill('um', ['a2/x.txt', 'a.txt', 'a-b/x.txt', 'b/a/x.txt', 'ab'])
    const answer = await rename('um/a', 'Neu')
    expect(keys(answer)).toEqual(['dateien', 'ordner'])
    expect(answer).toEqual({ dateien: 4, ordner: 'um/Neu' })
    expect(await on.below('um/a')).toEqual([])
    await expectError(await on.get('media?ordner=um/a'), 404)
    for (const name of INSIDE) {
      await on.holds(`um/a/${name}`, null)
      await on.holds(`um/Neu/${name}`, `um/a/${name}`)
    }
    for (const name of ['a2/x.txt', 'a.txt', 'a-b/x.txt', 'b/a/x.txt', 'ab']) {
      await on.holds(`um/${name}`, `um/${name}`)
    }
    const { ordner } = await on.list({ ordner: 'um' })
    expect(ordner.find(folder => folder.name === 'Neu')).toMatchObject({ pfad: 'um/Neu', dateien: 4 })
  })

  test('the file that has the folder’s own name is none of it', async () => {
    await on.fill('doppel', ['n/x.txt', 'n'])
    expect(await rename('doppel/n', 'm')).toEqual({ dateien: 1, ordner: 'doppel/m' })
    expect(await on.below('doppel')).toEqual(['doppel/m/x.txt', 'doppel/n'])
    await on.holds('doppel/n', 'doppel/n')
  })

  test('previews and WebP variants follow', async () => {
    await on.fill('bild', { 'alt/a.png': await png(), 'alt/tief/b.png': await png({ seed: 2 }) })
    const both = ['a.png', 'tief/b.png']
    const before = new Map<string, Uint8Array>()
    for (const name of both) {
      before.set(name, await bytesOf(await on.previewReady(`bild/alt/${name}`)))
      await read(on.service, `bild/alt/${name}`, { Accept: 'image/webp' })
    }
    await rename('bild/alt', 'neu')
    for (const name of both) {
      expect(await preview(`bild/alt/${name}`)).toBe(404)
      expectSameBytes(await bytesOf(await on.previewReady(`bild/neu/${name}`)), before.get(name)!)
      const webp = await read(on.service, `bild/neu/${name}`, { Accept: 'image/webp' })
      expect(webp.headers.get('content-type')).toBe('image/webp')
    }
  })

  test('300 files in one go', async () => {
    const many = Array.from({ length: 300 }, (_, at) => `${at % 7}/${at}.txt`)
    await on.fill('viele/alt', many)
    expect(await rename('viele/alt', 'neu')).toEqual({ dateien: 300, ordner: 'viele/neu' })
    const { ordner } = await on.list({ ordner: 'viele' })
    expect(ordner).toEqual([{ name: 'neu', pfad: 'viele/neu', dateien: 300, bytes: expect.any(Number) }])
    for (const name of [many[0]!, many[150]!, many[299]!]) {
      await on.holds(`viele/neu/${name}`, `viele/alt/${name}`)
    }
  })

  test('a collision: 409, and nothing at all has changed', async () => {
    await on.fill('koll', ['a/1.txt', 'a/tief/2.txt', 'a/3.txt', 'b/tief/2.txt', 'b/9.txt'])
    await changesNothing('koll', async () =>
      expectError(
        await on.post('folders/umbenennen', { ordner: 'koll/a', name: 'b' }),
        409,
        /koll\/b\/tief\/2\.txt/,
      ),
    )
  })

  test('to the name it has: 200, and nothing changes', async () => {
    await on.fill('selbst', ['a/1.txt'])
    await changesNothing('selbst', async () => {
      expect((await on.post('folders/umbenennen', { ordner: 'selbst/a', name: 'a' })).status).toBe(200)
    })
  })

  test.each(['', '..', 'a/b', 'x'.repeat(201)])('the name %j: 400', async name => {
    await on.fill('gueltig', ['a/1.txt'])
    await changesNothing('gueltig', async () =>
      expectError(await on.post('folders/umbenennen', { ordner: 'gueltig/a', name }), 400),
    )
  })

  test('one path that would get too long: 400, and nothing has changed', async () => {
    const long = `${'l'.repeat(150)}.txt`
    await on.fill('lang', ['a/kurz.txt', `a/${long}`])
    await changesNothing('lang', async () =>
      expectError(await on.post('folders/umbenennen', { ordner: 'lang/a', name: 'n'.repeat(41) }), 400),
    )
    expect(await rename('lang/a', 'n'.repeat(40))).toMatchObject({ dateien: 2 })
  })
})

describe('verschieben', () => {
  test('with all that is inside, into another folder, and to the top', async () => {
    await on.fill('von/paket', INSIDE)
    expect(await move('von/paket', 'nach/tief')).toEqual({ dateien: 4, ordner: 'nach/tief/paket' })
    for (const name of INSIDE) {
      await on.holds(`von/paket/${name}`, null)
      await on.holds(`nach/tief/paket/${name}`, `von/paket/${name}`)
    }
    expect(await move('nach/tief/paket', '')).toEqual({ dateien: 4, ordner: 'paket' })
    await on.holds('paket/b/c/3.txt', 'von/paket/b/c/3.txt')
    expect(await on.below('nach')).toEqual([])
  })

  test('previews follow', async () => {
    await on.fill('vb', { 'a/b.png': await png() })
    await on.previewReady('vb/a/b.png')
    await move('vb/a', 'vc')
    expect([await preview('vb/a/b.png'), await preview('vc/a/b.png')]).toEqual([404, 200])
  })

  test.each(['selber/a', 'selber/a/', 'selber/a/b', 'selber/a/neu/er'])(
    'into itself, %s: 400',
    async ziel => {
      await on.fill('selber', ['a/1.txt', 'a/b/2.txt'])
      await changesNothing('selber', async () =>
        expectError(await on.post('folders/verschieben', { ordner: 'selber/a', ziel }), 400, /sich selbst/),
      )
    },
  )

  test('into one that only begins like it is no such thing', async () => {
    await on.fill('fast', ['a/1.txt', 'ab/2.txt'])
    expect(await move('fast/a', 'fast/ab')).toEqual({ dateien: 1, ordner: 'fast/ab/a' })
    await on.holds('fast/ab/a/1.txt', 'fast/a/1.txt')
  })

  test('a folder into one above, where its own parts have the same name', async () => {
    await on.fill('ueber', ['a/a/1.txt', 'a/a/a/2.txt'])
    const response = await on.post('folders/verschieben', { ordner: 'ueber/a/a', ziel: 'ueber' })
    expect(response.status).toBe(200)
    await on.holds('ueber/a/1.txt', 'ueber/a/a/1.txt')
    await on.holds('ueber/a/a/2.txt', 'ueber/a/a/a/2.txt')
  })

  test('a collision: 409, and nothing at all has changed', async () => {
    await on.fill('vkoll', ['x/a/1.txt', 'x/a/2.txt', 'y/a/2.txt'])
    await changesNothing('vkoll', async () =>
      expectError(
        await on.post('folders/verschieben', { ordner: 'vkoll/x/a', ziel: 'vkoll/y' }),
        409,
        /vkoll\/y\/a\/2\.txt/,
      ),
    )
  })

  test('too deep or too long: 400, and nothing has changed', async () => {
    await on.fill('tief', ['a/b/c/1.txt', 'a/2.txt'])
    const refuse = async (ziel: string) =>
      expectError(await on.post('folders/verschieben', { ordner: 'tief/a', ziel }), 400)
    await changesNothing('tief', () => refuse('1/2/3/4/5'))
    await changesNothing('tief', () => refuse(`${'l'.repeat(95)}/${'l'.repeat(95)}`))
    expect(await move('tief/a', '1/2/3/4')).toEqual({ dateien: 2, ordner: '1/2/3/4/a' })
  })

  test.each(['..', 'a//b', 5, null])('into %j: 400', async ziel => {
    await on.fill('wohin', ['a/1.txt'])
    await changesNothing('wohin', async () =>
      expectError(await on.post('folders/verschieben', { ordner: 'wohin/a', ziel }), 400),
    )
  })
})

describe('loeschen', () => {
  test('all inside goes, the neighbours stay', async () => {
    await on.fill('weg/a', { '1.txt': '1', 'b/2.png': await png(), 'b/c/3.txt': '3' })
    await on.previewReady('weg/a/b/2.png')
    await on.fill('weg', ['a2/x.txt', 'a.txt', 'a'])
    const nummern = [expect.any(Number), expect.any(Number), expect.any(Number)]
    expect(await drop('weg/a')).toEqual({ dateien: 3, ordner: 'weg/a', nummern })
    for (const name of ['1.txt', 'b/2.png', 'b/c/3.txt']) {
      await on.holds(`weg/a/${name}`, null)
      await expectError(await on.get(`media/weg/a/${name}`), 404)
    }
    expect(await preview('weg/a/b/2.png')).toBe(404)
    expect(await on.below('weg')).toEqual(['weg/a', 'weg/a.txt', 'weg/a2/x.txt'])
    await expectError(await on.post('folders/loeschen', { ordner: 'weg/a' }), 404)
  })

  test('250 files in one go', async () => {
    await on.fill(
      'weg250',
      Array.from({ length: 250 }, (_, at) => `${at}.txt`),
    )
    const { nummern, ...answer } = await drop('weg250')
    expect(answer).toEqual({ dateien: 250, ordner: 'weg250' })
    expect(new Set(nummern).size).toBe(250)
    expect(await on.below('weg250')).toEqual([])
  })

  test('the answered trash numbers bring back the files of this deletion, not older ones of the same folder', async () => {
    await on.fill('zurueck', { 'a.txt': 'older', 'b.txt': 'older' })
    const before = await drop('zurueck')
    await on.fill('zurueck', { 'a.txt': 'newer' })
    const { nummern } = await drop('zurueck')
    expect(nummern).toHaveLength(1)
    expect(before.nummern).not.toContain(nummern[0]!)
    await on.fill('zurueck-daneben', { 'a.txt': 'another folder' })
    await drop('zurueck-daneben')
    expect(await on.done('papierkorb/wiederherstellen', { nummern })).toMatchObject({
      wiederhergestellt: [{ nr: nummern[0], path: 'zurueck/a.txt' }],
      abgelehnt: [],
    })
    expect(await on.below('zurueck')).toEqual(['zurueck/a.txt'])
    await on.holds('zurueck/a.txt', 'newer')
  })
})

const ROUTES: [route: string, rest: Record<string, string>][] = [
  ['umbenennen', { name: 'neu' }],
  ['verschieben', { ziel: 'neu' }],
  ['loeschen', {}],
]
describe.each(ROUTES)('%s', (action, rest) => {
  const ask = (json: unknown) => on.post(`folders/${action}`, json)

  test.each(['nirgends', 'nirgends/tief', 'datei.txt'])('%s is no folder: 404', async ordner => {
    await on.fill('', ['datei.txt'])
    await expectError(await ask({ ordner, ...rest }), 404)
    await on.holds('datei.txt', 'datei.txt')
  })

  test('the top, and what is no path: 400', async () => {
    await on.fill('rest', ['a.txt'])
    await changesNothing('rest', async () => {
      for (const ordner of ['', '/', '..', 'rest/..', '.', '/rest', 'rest//', 'r*', 5, null, ['rest']]) {
        await expectError(await ask({ ordner, ...rest }), 400)
      }
      await expectError(await ask(rest), 400)
      await expectError(await ask([]), 400)
    })
  })
})
