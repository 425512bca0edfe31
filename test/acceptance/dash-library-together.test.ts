/** What library changes leave in history and counters, and many concurrent changes. */
import { describe, expect, test } from 'bun:test'
import { read } from '../support/api.ts'
import { sharedLibrary } from '../support/library.ts'

const on = sharedLibrary()
const rename = (pfad: string, name: string) => on.post('media/umbenennen', { pfad, name })

describe('the history says what happened, and who did it', () => {
  const historyOf = async (query: string) =>
    (await on.history(query)).map(({ was, wer, bytes, pfad, einzelheiten }) => [
      was,
      wer,
      bytes,
      [pfad, einzelheiten].filter(text => text?.startsWith('chronik')).sort(),
    ])
  const entriesOf = (was: string) => historyOf(`was=${was}&pfad=chronik`)

  test('renamed, moved, deleted', async () => {
    await on.fill('chronik', { 'a.txt': '12345', 'b.txt': '1' })
    await rename('chronik/a.txt', 'c.txt')
    expect(await entriesOf('umbenannt')).toEqual([
      ['umbenannt', 'admin', 5, ['chronik/a.txt', 'chronik/c.txt']],
    ])
    await on.done('media/verschieben', { pfade: ['chronik/c.txt'], ordner: 'chronik/x' })
    expect(await entriesOf('verschoben')).toEqual([
      ['verschoben', 'admin', 5, ['chronik/c.txt', 'chronik/x/c.txt']],
    ])
    await on.done('media/loeschen', { pfade: ['chronik/x/c.txt'] })
    expect(await entriesOf('geloescht')).toEqual([['geloescht', 'admin', 5, ['chronik/x/c.txt']]])
  })

  test('of whole folders and of search and replace: every file', async () => {
    await on.fill('chronik2', ['o/a.txt', 'o/b.txt'])
    const count = async (was: string) => (await on.history(`was=${was}&pfad=chronik2/`)).length
    await on.done('folders/umbenennen', { ordner: 'chronik2/o', name: 'p' })
    expect(await count('umbenannt')).toBe(2)
    await on.done('folders/verschieben', { ordner: 'chronik2/p', ziel: 'chronik2/q' })
    expect(await count('verschoben')).toBe(2)
    await on.done('media/ersetzen', { suche: 'a.txt', ersatz: 'z.txt', ordner: 'chronik2', ausfuehren: true })
    expect(await count('umbenannt')).toBe(3)
    await on.done('folders/loeschen', { ordner: 'chronik2' })
    expect(await count('geloescht')).toBe(2)
    for (const { wer } of await on.history('pfad=chronik2/')) expect(wer).toBe('admin')
  })

  test('nothing of what was refused or only computed', async () => {
    await on.fill('chronik3', ['a.txt', 'b.txt'])
    const before = await on.history('pfad=chronik3')
    await rename('chronik3/a.txt', 'b.txt')
    await rename('chronik3/nie.txt', 'c.txt')
    await on.post('media/ersetzen', { suche: 'a.txt', ersatz: 'b.txt', ordner: 'chronik3', ausfuehren: true })
    await on.post('media/ersetzen', { suche: 'a.txt', ersatz: 'c.txt', ordner: 'chronik3' })
    await on.post('media/loeschen', { pfade: ['chronik3/nie.txt'] })
    expect(await on.history('pfad=chronik3')).toEqual(before)
  })
})

test('retrievals go along, those written down and those still in memory', async () => {
  const get = async (path: string) => void (await (await read(on.service, path)).text())
  await on.fill('abruf', ['a.txt', 'o/b.txt', 'neben.txt'])
  for (let n = 0; n < 3; n++) await get('abruf/a.txt')
  await get('abruf/o/b.txt')
  await on.service.restart()
  expect(await on.done('media/umbenennen', { pfad: 'abruf/a.txt', name: 'c.txt' })).toMatchObject({
    abrufe: 3,
  })
  expect((await on.file('abruf/c.txt')).abrufe).toBe(3)
  const dry = { suche: 'c.txt', ersatz: 'd.txt', ordner: 'abruf' }
  expect(await on.done('media/ersetzen', dry)).toMatchObject({ treffer: [{ abrufe: 3 }] })
  for (let n = 0; n < 2; n++) await get('abruf/c.txt')
  await on.done('media/ersetzen', { ...dry, ausfuehren: true })
  await get('abruf/d.txt')
  await get('abruf/o/b.txt')
  await on.done('folders/umbenennen', { ordner: 'abruf/o', name: 'p' })
  // A new file at the old path starts at zero.
  await on.fill('abruf', ['a.txt'])
  await on.service.restart()
  const counts = async (...names: string[]) =>
    Promise.all(names.map(async name => (await on.file(`abruf/${name}`)).abrufe))
  expect(await counts('d.txt', 'p/b.txt', 'a.txt', 'neben.txt')).toEqual([6, 2, 0, 0])
  expect((await on.file('abruf/d.txt')).zuletzt_abgerufen).toBeNumber()
})

describe('at the same time', () => {
  const statuses = async (requests: Promise<Response>[]) =>
    (await Promise.all(requests)).map(({ status }) => status)
  const some = (count: number) => Array.from({ length: count }, (_, at) => at)

  test('30 files are renamed, all of them', async () => {
    await on.fill(
      'par',
      some(30).map(at => `${at}.txt`),
    )
    const answers = await statuses(some(30).map(at => rename(`par/${at}.txt`, `neu${at}.txt`)))
    expect(answers).toEqual(some(30).map(() => 200))
    expect(await on.below('par')).toEqual(
      some(30)
        .map(at => `par/neu${at}.txt`)
        .sort(),
    )
    for (const at of some(30)) await on.holds(`par/neu${at}.txt`, `par/${at}.txt`)
  })

  test('one file to ten names: exactly one wins', async () => {
    await on.fill('eine', ['a.txt'])
    const answers = await statuses(some(10).map(at => rename('eine/a.txt', `${at}.txt`)))
    expect(answers.toSorted()).toEqual([200, ...some(9).map(() => 404)])
    const left = await on.below('eine')
    expect(left).toEqual([`eine/${answers.indexOf(200)}.txt`])
    await on.holds(left[0]!, 'eine/a.txt')
  })

  test('ten files to one name: exactly one wins, the others stay', async () => {
    await on.fill(
      'zehn',
      some(10).map(at => `${at}.txt`),
    )
    const answers = await statuses(some(10).map(at => rename(`zehn/${at}.txt`, 'ziel.txt')))
    expect(answers.toSorted()).toEqual([200, ...some(9).map(() => 409)])
    const winner = answers.indexOf(200)
    await on.holds('zehn/ziel.txt', `zehn/${winner}.txt`)
    for (const at of some(10)) await on.holds(`zehn/${at}.txt`, at === winner ? null : `zehn/${at}.txt`)
  })

  test('renames, a folder rename, overwrites and deletions: every file is somewhere, once', async () => {
    await on.fill(
      'wirr',
      some(20).map(at => `o/${at}.txt`),
    )
    await Promise.all([
      ...some(10).map(at => rename(`wirr/o/${at}.txt`, `r${at}.txt`)),
      on.post('folders/umbenennen', { ordner: 'wirr/o', name: 'p' }),
      ...some(10).map(at => rename(`wirr/p/${at + 10}.txt`, `s${at + 10}.txt`)),
      on.post('media/verschieben', { pfade: ['wirr/o/5.txt', 'wirr/p/6.txt'], ordner: 'wirr' }),
    ])
    const contents = await Promise.all(
      (await on.below('wirr')).map(async path => (await read(on.service, path)).text()),
    )
    expect(contents.sort()).toEqual(
      some(20)
        .map(at => `wirr/o/${at}.txt`)
        .sort(),
    )
  })

  test('readers of the old address get the old bytes or 404, never anything else', async () => {
    const body = 'y'.repeat(200_000)
    await on.fill('leser', { 'a.txt': body })
    let renaming = true
    const readers = some(5).map(async () => {
      while (renaming) {
        for (const name of ['a.txt', 'b.txt']) {
          const response = await read(on.service, `leser/${name}`)
          if (response.status === 200) expect(await response.text()).toBe(body)
          else
            expect([response.status, (await response.json()) as unknown]).toEqual([
              404,
              { error: expect.any(String) },
            ])
        }
      }
    })
    for (let n = 0; n < 10; n++) {
      expect((await rename('leser/a.txt', 'b.txt')).status).toBe(200)
      await Bun.sleep(30)
      expect((await rename('leser/b.txt', 'a.txt')).status).toBe(200)
      await Bun.sleep(30)
    }
    renaming = false
    await Promise.all(readers)
  })
})
