/** Share links when their folder is renamed, moved, merged or deleted. */
import { describe, expect, test } from 'bun:test'
import { expectError } from '../support/api.ts'
import { sharedLibrary } from '../support/library.ts'
import { readShare, type Share, share } from '../support/shares.ts'

const on = sharedLibrary()
const make = (folder: string) => share(on.service, on.session, folder)
/** The folder that a link shows now, and the names in it. */
async function shows(link: Share): Promise<[folder: string, ...names: string[]]> {
  const { ordner, dateien } = await readShare(on.service, link)
  const listed = (await (await on.get('freigaben')).json()) as Share[]
  expect(listed.find(each => each.schluessel === link.schluessel)).toEqual({ ...link, ordner })
  return [ordner, ...dateien.map(file => file.name)]
}
const rename = (ordner: string, name: string) => on.done('folders/umbenennen', { ordner, name })
const move = (ordner: string, ziel: string) => on.done('folders/verschieben', { ordner, ziel })

describe('the link follows', () => {
  test('its folder and every folder above it, and no other does', async () => {
    await on.fill('', ['um/oben.txt', 'um/mitte/tief/a.txt', 'um2/b.txt', 'um.x/c.txt'])
    const links = await Promise.all(['um', 'um/mitte/tief', 'um/mitte/tief', 'um2', 'um.x'].map(make))
    await rename('um', 'neu')
    expect(await Promise.all(links.map(shows))).toEqual([
      ['neu', 'mitte/tief/a.txt', 'oben.txt'],
      ['neu/mitte/tief', 'a.txt'],
      ['neu/mitte/tief', 'a.txt'],
      ['um2', 'b.txt'],
      ['um.x', 'c.txt'],
    ])
    await rename('neu/mitte', 'Zwei')
    await move('neu/Zwei/tief', '')
    expect(await shows(links[1]!)).toEqual(['tief', 'a.txt'])
    expect(await shows(links[0]!)).toEqual(['neu', 'oben.txt'])
  })

  test('a folder that takes the place of the one it lay in', async () => {
    await on.fill('', ['p/p/1.txt', 'p/p/p/2.txt'])
    const links = await Promise.all(['p', 'p/p', 'p/p/p'].map(make))
    await move('p/p', '')
    expect(await Promise.all(links.map(shows))).toEqual([
      ['p', '1.txt', 'p/2.txt'],
      ['p', '1.txt', 'p/2.txt'],
      ['p/p', '2.txt'],
    ])
  })

  test('to where only links are left of a folder', async () => {
    await on.fill('', ['weg/a.txt', 'da/b.txt'])
    const [old, link] = [await make('weg'), await make('da')]
    await on.done('folders/loeschen', { ordner: 'weg' })
    await rename('da', 'weg')
    expect(await shows(link)).toEqual(['weg', 'b.txt'])
    expect(await shows(old)).toEqual(['weg', 'b.txt'])
  })
})

describe('the link stays', () => {
  test('when its folder is merged into one with files: that list was never shared', async () => {
    await on.fill('', ['a/bild/1.txt', 'a/bild/neu/2.txt', 'b/bild/geheim.txt'])
    const [whole, part] = [await make('a/bild'), await make('a/bild/neu')]
    await move('a/bild', 'b')
    expect(await shows(whole)).toEqual(['a/bild'])
    expect(await shows(part)).toEqual(['b/bild/neu', '2.txt'])
  })

  test('when a folder is emptied into the one it lies in, beside others', async () => {
    await on.fill('', ['q/q/1.txt', 'q/geheim.txt'])
    const link = await make('q/q')
    await move('q/q', '')
    expect(await shows(link)).toEqual(['q/q'])
  })

  test('when the rename is refused', async () => {
    await on.fill('', ['von/x.txt', 'nach/x.txt'])
    const link = await make('von')
    await expectError(await on.post('folders/umbenennen', { ordner: 'von', name: 'nach' }), 409)
    await expectError(await on.post('folders/umbenennen', { ordner: 'von', name: '_' }), 400)
    await rename('von', 'von')
    expect(await shows(link)).toEqual(['von', 'x.txt'])
  })

  test('when the folder is thrown away: empty, until the files are back', async () => {
    await on.fill('', ['fort/a.txt'])
    const link = await make('fort')
    await on.done('folders/loeschen', { ordner: 'fort' })
    expect(await shows(link)).toEqual(['fort'])
    await on.fill('', ['fort/b.txt'])
    expect(await shows(link)).toEqual(['fort', 'b.txt'])
  })
})
