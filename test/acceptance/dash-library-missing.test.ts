/** `POST /api/dash/fehlende`: compares a list of names with the files that match a pattern. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { expectError, store } from '../support/api.ts'
import { keys, sharedLibrary } from '../support/library.ts'

const on = sharedLibrary()

interface Answer {
  fehlend: string[]
  ueberzaehlig: string[]
  vorhanden: number
}
const compare = async (muster: string, namen: string[]) => {
  const answer = await on.done<Answer>('fehlende', { muster, namen })
  return { ...answer, fehlend: answer.fehlend.toSorted(), ueberzaehlig: answer.ueberzaehlig.toSorted() }
}

beforeAll(async () => {
  await on.fill('items', [
    'apfel.png',
    'brot.png',
    'wasser.png',
    'apfel.jpg',
    'tief/stein.png',
    'icon_holz_64.png',
    'icon_eisen_64.png',
    'iconxgoldx64.png',
    'a.b1.png',
    'axb2.png',
    'x.png.bak',
  ])
  await on.fill('', ['oben.png', 'oben.txt', 'items2/apfel.png'])
  await on.fill('autos', ['golf/front.png', 'polo/front.png', 'polo/heck.png', 'golf/tief/front.png'])
  await store(on.service, on.token, 'items/Gross.png', 'x')
})

describe('compares', () => {
  test('missing, surplus and how many are there', async () => {
    const answer = await on.done<Answer>('fehlende', {
      muster: 'items/*.png',
      namen: ['brot', 'kuchen', 'apfel', 'stein'],
    })
    expect(keys(answer)).toEqual(['fehlend', 'ueberzaehlig', 'vorhanden'])
    expect(answer.fehlend.toSorted()).toEqual(['kuchen', 'stein'])
    expect(answer.ueberzaehlig.toSorted()).toEqual([
      'Gross',
      'a.b1',
      'axb2',
      'icon_eisen_64',
      'icon_holz_64',
      'iconxgoldx64',
      'wasser',
    ])
    expect(answer.vorhanden).toBe(2)
  })

  test.each<[muster: string, names: string[]]>([
    ['*.png', ['oben']],
    ['*', ['oben.png', 'oben.txt']],
    ['items/*.jpg', ['apfel']],
    ['items/icon_*_64.png', ['eisen', 'holz']],
    ['items/a.b*.png', ['1']],
    ['items/ap*.png', ['fel']],
    ['items/*fel.png', ['ap']],
    ['items/tief/*.png', ['stein']],
    ['autos/*/front.png', ['golf', 'polo']],
    ['autos/polo/*.png', ['front', 'heck']],
    ['items2/*.png', ['apfel']],
    ['items/apfel*', ['.jpg', '.png']],
    ['items/G*.png', ['ross']],
    ['items/g*.png', []],
    ['autos/*.png', []],
    ['nirgends/*.png', []],
    ['ite*/apfel.png', ['ms', 'ms2']],
  ])('%s covers exactly %j', async (muster, names) => {
    expect(await compare(muster, [])).toEqual({ fehlend: [], ueberzaehlig: names, vorhanden: 0 })
    expect(await compare(muster, names)).toEqual({ fehlend: [], ueberzaehlig: [], vorhanden: names.length })
    expect(await compare(muster, [...names, 'fehlt.noch'])).toEqual({
      fehlend: ['fehlt.noch'],
      ueberzaehlig: [],
      vorhanden: names.length,
    })
  })

  test('* does not cross /: neither from the files nor from the names', async () => {
    const { fehlend, ueberzaehlig } = await compare('items/*.png', ['tief/stein', '../oben'])
    expect(fehlend).toEqual(['../oben', 'tief/stein'])
    expect(ueberzaehlig).not.toContain('tief/stein')
    const across = await compare('autos/*/front.png', ['golf/tief'])
    expect(across).toEqual({ fehlend: ['golf/tief'], ueberzaehlig: ['golf', 'polo'], vorhanden: 0 })
  })

  test('the whole name, case included', async () => {
    const { fehlend, vorhanden } = await compare('items/*.png', ['Apfel', 'apfe', 'apfel ', '', 'gross'])
    expect([fehlend, vorhanden]).toEqual([['', 'Apfel', 'apfe', 'apfel ', 'gross'].sort(), 0])
  })

  test('a name given twice counts once', async () => {
    const answer = await compare('items/*.jpg', ['apfel', 'apfel', 'birne', 'birne'])
    expect(answer).toEqual({ fehlend: ['birne'], ueberzaehlig: [], vorhanden: 1 })
  })

  test('names that no path can have are simply missing', async () => {
    const odd = ['ä', '%', '_____', '*', '"', "'", 'a b', '.*', '$1', '__proto__', 'constructor']
    const answer = await compare('items/*.jpg', odd)
    expect(answer).toEqual({ fehlend: odd.toSorted(), ueberzaehlig: ['apfel'], vorhanden: 0 })
  })

  test('what was deleted is missing, what was renamed is there', async () => {
    await on.fill('wandel', ['a.png', 'b.png'])
    await on.done('media/loeschen', { pfade: ['wandel/a.png'] })
    await on.done('media/umbenennen', { pfad: 'wandel/b.png', name: 'c.png' })
    expect(await compare('wandel/*.png', ['a', 'b', 'c'])).toEqual({
      fehlend: ['a', 'b'],
      ueberzaehlig: [],
      vorhanden: 1,
    })
  })

  test('20 000 names', async () => {
    const many = Array.from({ length: 20_000 }, (_, at) => `name${at}`)
    const answer = await compare('items/*.jpg', [...many, 'apfel'])
    expect([answer.fehlend.length, answer.ueberzaehlig, answer.vorhanden]).toEqual([20_000, [], 1])
  })
})

describe('refuses with 400', () => {
  test.each([
    '',
    'items/apfel.png',
    'items/',
    '../*',
    '/items/*.png',
    'items//*.png',
    '.*',
    '_*',
    'ä*',
    'a b*',
  ])('the pattern %j', async muster => {
    await expectError(await on.post('fehlende', { muster, namen: ['a'] }), 400)
  })

  test('a pattern that is too long or too deep', async () => {
    for (const muster of [`${'x'.repeat(200)}*`, '1/2/3/4/5/6/7/8/*.png']) {
      await expectError(await on.post('fehlende', { muster, namen: [] }), 400)
    }
    expect((await on.post('fehlende', { muster: '1/2/3/4/5/6/7/*.png', namen: [] })).status).toBe(200)
  })

  test.each<[unknown]>([
    [{}],
    [{ muster: 'items/*.png' }],
    [{ namen: [] }],
    [{ muster: 5, namen: [] }],
    [{ muster: ['items/*.png'], namen: [] }],
    [{ muster: 'items/*.png', namen: 'apfel' }],
    [{ muster: 'items/*.png', namen: [1] }],
    [{ muster: 'items/*.png', namen: [null] }],
    [{ muster: 'items/*.png', namen: { a: 1 } }],
    [[]],
    [null],
    ['items/*.png'],
  ])('%j', async json => {
    await expectError(await on.post('fehlende', json), 400)
  })
})
