/**
 * `UEBERSCHRIEBENE`, the token's `ueberschriebene_behalten`, `papierkorb?pfad=`, `?grund=`,
 * `papierkorb/inhalt` and `ersetzen`: what happens to a file that is replaced, and how it is restored.
 */
import { beforeEach, describe, expect, test } from 'bun:test'
import { bytesOf, expectError, expectSameBytes, read, remove, store } from '../support/api.ts'
import { expectStored, post, removeById } from '../support/compat.ts'
import { dash } from '../support/dashboard.ts'
import { storedFiles } from '../support/data-folder.ts'
import { field, filePart, sendOk } from '../support/ingest.ts'
import { sharedLibrary } from '../support/library.ts'
import { embeddedOnly } from '../support/modes.ts'
import { png } from '../support/pictures.ts'
import { type TokenAdmin, tokenAdmin } from '../support/token-admin.ts'
import { emptyTrash, exchange, restore, trashOf } from '../support/trash.ts'
import { eventually } from '../support/wait.ts'
import { zip } from '../support/zip.ts'

const on = sharedLibrary()
let admin: TokenAdmin
beforeEach(async () => {
  admin = await tokenAdmin(on.service)
  await keep(null)
  await emptyTrash(on.service, on.session)
})

const keep = async (value: string | null) => {
  const put = { method: 'PUT', json: { UEBERSCHRIEBENE: value }, session: on.session }
  expect((await dash(on.service, 'einstellungen', put)).status).toBe(200)
}
const put = (path: string, text: string, token = on.token) => store(on.service, token, path, text)
const list = (query = '') => trashOf(on.service, on.session, query)
const entries = async (query?: string) =>
  (await list(query)).eintraege.map(({ path, size, grund, geloescht_von }) => [
    path,
    size,
    grund,
    geloescht_von,
  ])
const versions = async (path: string) => (await list(`?pfad=${encodeURIComponent(path)}`)).eintraege
const content = (nr: number, headers = {}) =>
  dash(on.service, `papierkorb/inhalt/${nr}`, { session: on.session, headers })

describe('whose overwriting keeps the replaced file', () => {
  test('by default the dashboard’s: form and archive, not a token’s', async () => {
    await put('by/token.txt', 'first')
    expect((await put('by/token.txt', 'second!')).replaced).toBe(true)
    expect(await entries()).toEqual([])
    await on.fill('by', { 'token.txt': 'third' })
    expect(await entries()).toEqual([['by/token.txt', 7, 'ueberschrieben', 'admin']])
    const archive = filePart('a.zip', zip([{ name: 'token.txt', content: 'fourth, by archive' }]))
    await sendOk(on.service, on.session, [field('ordner', 'by'), field('ueberschreiben', 'true'), archive])
    await on.holds('by/token.txt', 'fourth, by archive')
    expect(await entries()).toEqual([
      ['by/token.txt', 5, 'ueberschrieben', 'admin'],
      ['by/token.txt', 7, 'ueberschrieben', 'admin'],
    ])
  })

  test('overwriting in the dashboard keeps the address, its upper case too; only a new one is lowered', async () => {
    await put('Case/A.txt', 'one')
    const send = (path: string) =>
      sendOk(on.service, on.session, [
        field('ueberschreiben', 'true'),
        field('pfade', JSON.stringify([path])),
        filePart('file', 'two'),
      ])
    expect((await send('Case/A.txt')).gespeichert).toMatchObject([{ path: 'Case/A.txt' }])
    await on.holds('Case/A.txt', 'two')
    expect((await send('Case/B.txt')).gespeichert).toMatchObject([{ path: 'case/b.txt' }])
  })

  test.each<[string | null, boolean | null, { byToken: number; inAll: number }]>([
    [null, null, { byToken: 0, inAll: 1 }],
    ['dashboard', null, { byToken: 0, inAll: 1 }],
    ['alle', null, { byToken: 1, inAll: 2 }],
    ['nie', null, { byToken: 0, inAll: 0 }],
    ['nie', true, { byToken: 1, inAll: 1 }],
    ['alle', false, { byToken: 0, inAll: 1 }],
  ])('setting %p, token %p', async (setting, ueberschriebene_behalten, { byToken, inAll }) => {
    await keep(setting)
    const { token } = await admin.create({ name: 'own choice', ueberschriebene_behalten })
    const folder = `who-${setting}-${ueberschriebene_behalten}`
    await put(`${folder}/a.txt`, 'one')
    await put(`${folder}/a.txt`, 'two', token)
    expect((await list()).gesamt).toBe(byToken)
    await on.fill(folder, { 'a.txt': 'three' })
    expect((await list()).gesamt).toBe(inAll)
    await on.holds(`${folder}/a.txt`, 'three')
  })

  test('a token is named as the one who replaced it', async () => {
    const { token } = await admin.create({ name: 'Spielserver', ueberschriebene_behalten: true })
    await put('named/a.txt', 'one')
    await put('named/a.txt', 'two', token)
    expect(await entries()).toEqual([['named/a.txt', 3, 'ueberschrieben', 'Token Spielserver']])
  })

  test('equal bytes keep nothing, whoever sends them and as whatever type', async () => {
    await keep('alle')
    await put('equal/a.txt', 'same')
    await put('equal/a.txt', 'same')
    await store(on.service, on.token, 'equal/a.txt', 'same', { 'X-Mime': 'text/csv' })
    await on.fill('equal', { 'a.txt': 'same' })
    expect(await entries()).toEqual([])
  })

  test('a value that is none of the three is refused', async () => {
    for (const UEBERSCHRIEBENE of ['ja', 'Alle', 'token']) {
      const order = { method: 'PUT', json: { UEBERSCHRIEBENE }, session: on.session }
      const refused = await dash(on.service, 'einstellungen', order)
      await expectError(refused, 400, /UEBERSCHRIEBENE .*dashboard, alle oder nie/)
    }
    await expectError(await admin.call('', { json: { name: 'x', ueberschriebene_behalten: 'alle' } }), 400)
  })

  test('deleting with a token is for good, as before', async () => {
    const { token } = await admin.create({ ueberschriebene_behalten: true, darf_loeschen: true })
    await put('gone/a.txt', 'one', token)
    expect((await remove(on.service, token, 'gone/a.txt')).status).toBe(200)
    expect(await entries()).toEqual([])
  })
})

test('a kept version does not count for the token, nor against its quota', async () => {
  const { id, token } = await admin.create({ kontingent: 10, ueberschriebene_behalten: true })
  for (const text of ['0123456789', '9876543210', '1111111111']) await put('quota/a.txt', text, token)
  expect(await admin.find(id)).toMatchObject({ dateien: 1, bytes: 10 })
  expect(await list()).toMatchObject({ gesamt: 2, bytes: 20 })
  const [newest] = await versions('quota/a.txt')
  await exchange(on.service, on.session, newest!.nr)
  expect(await admin.find(id)).toMatchObject({ dateien: 1, bytes: 10 })
})

test('the size cap holds for kept versions: the oldest go first', async () => {
  const cap = (value: string | null) =>
    dash(on.service, 'einstellungen', {
      method: 'PUT',
      json: { PAPIERKORB_MAX_MB: value },
      session: on.session,
    })
  for (const text of ['first', 'second', 'third', 'fourth']) await on.fill('cap', { 'a.txt': text })
  await cap('0.000012')
  try {
    await on.service.restart()
    await eventually('the clean-up', async () => (await list()).gesamt < 3)
    expect((await entries()).map(([, size]) => size)).toEqual([5, 6])
    const [removed] = await on.history('was=entfernt&pfad=cap/')
    expect(removed).toMatchObject({
      wer: 'Fundus',
      bytes: 5,
      einzelheiten: expect.stringContaining('Fassung'),
    })
  } finally {
    await cap(null)
  }
})

describe('the versions of a path', () => {
  test('newest first, of this path alone, deleted ones too; and the trash by reason', async () => {
    for (const text of ['one', 'two!', 'three']) await on.fill('list', { 'a.txt': text, 'a.txt.bak': text })
    await on.done('media/loeschen', { pfade: ['list/a.txt'] })
    await on.fill('list', { 'a.txt': 'again' })
    const found = await list('?pfad=list/a.txt')
    expect(found.eintraege.map(({ size, grund }) => [size, grund])).toEqual([
      [5, 'geloescht'],
      [4, 'ueberschrieben'],
      [3, 'ueberschrieben'],
    ])
    expect(found.gesamt).toBe(3)
    expect(await list('?grund=geloescht')).toMatchObject({ gesamt: 1, eintraege: [{ size: 5 }] })
    expect(await list('?grund=ueberschrieben')).toMatchObject({ gesamt: 4 })
    expect(await list('?grund=ueberschrieben&pfad=list/a.txt')).toMatchObject({ gesamt: 2 })
    expect(await list('?grund=frist')).toMatchObject({ gesamt: 0, eintraege: [] })
    expect(await list('?pfad=list')).toMatchObject({ gesamt: 0, eintraege: [] })
    // The size is that of the whole trash, whatever the filter.
    expect((await list('?grund=frist')).bytes).toBe((await list()).bytes)
  })

  test.each(['?grund=alt', '?grund=', `?pfad=${'x'.repeat(201)}`])('%s is 400', async query => {
    await expectError(await on.get(`papierkorb${query}`), 400)
  })

  test('come with their preview, and can be read without being restored', async () => {
    const picture = await png({ width: 40, height: 30 })
    await on.fill('look', { 'a.png': picture })
    await on.previewReady('look/a.png')
    await on.fill('look', { 'a.png': await png({ width: 20, height: 20 }) })
    const [version] = await versions('look/a.png')
    const preview = await fetch(`${on.service.url}${version!.vorschau}`, {
      headers: { Cookie: `fundus_sitzung=${on.session}` },
    })
    expect([preview.status, preview.headers.get('Content-Type')]).toEqual([200, 'image/webp'])
    const response = await content(version!.nr)
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Disposition')).toStartWith('attachment')
    expect(response.headers.get('Cache-Control')).toBe('private, no-cache')
    expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull()
    expectSameBytes(await bytesOf(response), picture)
    const part = await content(version!.nr, { Range: 'bytes=1-3' })
    expect([part.status, await part.text()]).toEqual([206, 'PNG'])
    for (const nr of ['999999', '0', 'x', '1e3'])
      await expectError(await dash(on.service, `papierkorb/inhalt/${nr}`, { session: on.session }), 404)
  })

  embeddedOnly.folder('follow into the trash store, and the old name goes', async () => {
    await on.fill('follow', { 'a.txt': 'first' })
    await on.fill('follow', { 'a.txt': 'second' })
    const [version] = await versions('follow/a.txt')
    const names = async () =>
      (await storedFiles(on.service.dataDir))
        .map(name => name.replaceAll('\\', '/'))
        .filter(name => /follow/.test(name))
    await eventually('one object each', async () => {
      const found = await names()
      return (
        found.length === 2 &&
        found.some(name => name.startsWith('files/')) &&
        found.some(name => name.startsWith(`trash/follow/${version!.nr}~a~`))
      )
    })
    expect(await (await content(version!.nr)).text()).toBe('first')
  })
})

describe('bringing back', () => {
  test('swaps: the file that is there goes to the trash in turn, whatever the setting says', async () => {
    await on.fill('swap', { 'a.txt': 'first' })
    await on.fill('swap', { 'a.txt': 'second' })
    await keep('nie')
    const { id } = await on.file('swap/a.txt')
    for (let times = 0; times < 3; times++) await (await read(on.service, 'swap/a.txt')).text()
    const before = (await read(on.service, 'swap/a.txt')).headers
    const [version] = await versions('swap/a.txt')
    const refused = await restore(on.service, on.session, version!.nr)
    expect(refused).toMatchObject({ wiederhergestellt: [], abgelehnt: [{ code: 'path-taken' }] })
    expect(await exchange(on.service, on.session, version!.nr)).toEqual({
      wiederhergestellt: [
        { nr: version!.nr, path: 'swap/a.txt', url: expect.stringContaining('/f/swap/a.txt') },
      ],
      abgelehnt: [],
    })
    await on.holds('swap/a.txt', 'first')
    expect(await entries('?pfad=swap/a.txt')).toEqual([['swap/a.txt', 6, 'ueberschrieben', 'admin']])
    expect((await on.file('swap/a.txt')).id).not.toBe(id)
    // A cache that has the earlier file notices the change by tag and by date.
    const after = (await read(on.service, 'swap/a.txt')).headers
    expect(after.get('ETag')).not.toBe(before.get('ETag'))
    expect(Date.parse(after.get('Last-Modified')!)).toBeGreaterThanOrEqual(
      Date.parse(before.get('Last-Modified')!),
    )
    const [again] = await versions('swap/a.txt')
    await exchange(on.service, on.session, again!.nr)
    await on.holds('swap/a.txt', 'second')
    expect((await versions('swap/a.txt')).map(({ size }) => size)).toEqual([5])
  })

  test('the count of the address goes on', async () => {
    await on.fill('count', { 'a.txt': 'first' })
    for (let times = 0; times < 3; times++) await (await read(on.service, 'count/a.txt')).text()
    await on.fill('count', { 'a.txt': 'second' })
    for (let times = 0; times < 2; times++) await (await read(on.service, 'count/a.txt')).text()
    const [version] = await versions('count/a.txt')
    await exchange(on.service, on.session, version!.nr)
    await (await read(on.service, 'count/a.txt')).text()
    // Counts are written at shutdown.
    await on.service.restart()
    expect(await on.file('count/a.txt')).toMatchObject({ abrufe: 6 })
  })

  test('to a free path it needs no exchange, and one is no error', async () => {
    await on.fill('free', { 'a.txt': 'first' })
    await on.fill('free', { 'a.txt': 'second' })
    await on.done('media/loeschen', { pfade: ['free/a.txt'] })
    const [deleted, replaced] = await versions('free/a.txt')
    expect((await exchange(on.service, on.session, replaced!.nr)).abgelehnt).toEqual([])
    await on.holds('free/a.txt', 'first')
    // The deleted file displaces the current one, with its own number and count.
    expect((await exchange(on.service, on.session, deleted!.nr)).abgelehnt).toEqual([])
    await on.holds('free/a.txt', 'second')
    expect(await entries('?pfad=free/a.txt')).toEqual([['free/a.txt', 5, 'ueberschrieben', 'admin']])
  })

  test('of two versions of one path only the first is brought back', async () => {
    for (const text of ['one', 'two', 'three']) await on.fill('two', { 'a.txt': text })
    const [second, first] = await versions('two/a.txt')
    const answer = await on.done('papierkorb/wiederherstellen', {
      nummern: [first!.nr, second!.nr],
      ersetzen: true,
    })
    expect(answer).toMatchObject({
      wiederhergestellt: [{ nr: first!.nr }],
      abgelehnt: [{ nr: second!.nr, code: 'path-taken' }],
    })
    await on.holds('two/a.txt', 'one')
  })

  test('“ersetzen” must be true or false', async () => {
    const refused = await on.post('papierkorb/wiederherstellen', { nummern: [1], ersetzen: 'ja' })
    await expectError(refused, 400, /ersetzen/)
  })

  test('stands in the history, which goes on behind it', async () => {
    await on.fill('told', { 'a.txt': 'first' })
    await on.fill('told', { 'a.txt': 'second' })
    const [version] = await versions('told/a.txt')
    await exchange(on.service, on.session, version!.nr)
    const response = await on.get('verlauf/datei/told/a.txt')
    const { eintraege } = (await response.json()) as { eintraege: { was: string; bytes: number }[] }
    expect(eintraege.map(({ was, bytes }) => [was, bytes])).toEqual([
      ['wiederhergestellt', 5],
      ['ueberschrieben', 6],
      ['hochgeladen', 5],
    ])
  })

  test('restored to a free path, the history goes on with its own upload', async () => {
    await on.fill('own', { 'a.txt': 'first' })
    await on.fill('own', { 'a.txt': 'second' })
    await on.done('media/loeschen', { pfade: ['own/a.txt'] })
    const [, replaced] = await versions('own/a.txt')
    await restore(on.service, on.session, replaced!.nr)
    const response = await on.get('verlauf/datei/own/a.txt')
    const { eintraege } = (await response.json()) as { eintraege: { was: string; bytes: number }[] }
    expect(eintraege.map(({ was, bytes }) => [was, bytes])).toEqual([
      ['wiederhergestellt', 5],
      ['hochgeladen', 5],
    ])
  })
})

describe('the id of an upload whose file was replaced', () => {
  test('deletes nothing, and its own file again once that is back', async () => {
    const { token } = await admin.create({ darf_loeschen: true })
    const form = [filePart('pic.png', await png(), 'image/png')]
    const { id, path } = await expectStored(await post(on.service, '/api/image', token, form), '/api/image')
    const [folder, name] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)]
    await on.fill(folder, { [name]: 'something else' })
    await expectError(await removeById(on.service, token, '/api/image', id), 404)
    await on.holds(path, 'something else')
    const [version] = await versions(path)
    await exchange(on.service, on.session, version!.nr)
    expect((await removeById(on.service, token, '/api/image', id)).status).toBe(200)
    await on.holds(path, null)
    // The displaced file can still be restored.
    const [displaced] = await versions(path)
    expect((await restore(on.service, on.session, displaced!.nr)).abgelehnt).toEqual([])
    await on.holds(path, 'something else')
  })
})
