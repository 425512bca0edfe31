/**
 * Accounts limited to folders: what their lists contain, what crosses the folders' boundary, and what a
 * change of rights does.
 */
import { beforeAll, describe, expect, test } from 'bun:test'
import { answered, expectError, read, store } from '../support/api.ts'
import { type DashOptions, dash, isSignedIn, signIn } from '../support/dashboard.ts'
import { field, filePart } from '../support/ingest.ts'
import { MULTIPART, multipart } from '../support/multipart.ts'
import { sharedServiceWithAdmin } from '../support/token-admin.ts'
import { emptyTrash, throwAway, trashOf } from '../support/trash.ts'
import { eventually } from '../support/wait.ts'
import { zip } from '../support/zip.ts'

const on = sharedServiceWithAdmin()
const passwort = 'a password of some length'
let token = ''
let made = 0
/** An editor with two folders, `own` and `deep/own`. */
let editor = ''

async function newAccount(rights: object) {
  const account = { benutzer: `account ${++made}`, passwort }
  const json = { ...account, ...rights }
  const { id } = await answered<{ id: string }>(
    await dash(on.service, 'benutzer', { json, session: on.admin.session }),
  )
  return { ...account, id, session: await signIn(on.service, account) }
}
const change = (id: string, json: object) =>
  dash(on.service, `benutzer/${id}`, { method: 'PATCH', json, session: on.admin.session })
const put = async (...paths: string[]) => {
  for (const path of paths) await store(on.service, token, path, 'content')
}
const get = async <T>(route: string, session = editor) =>
  answered<T>(await dash(on.service, route, { session }))
const call = (route: string, json: unknown, options: DashOptions = {}) =>
  dash(on.service, route, { json, session: editor, ...options })
const exists = async (path: string) => (await read(on.service, path)).status === 200

beforeAll(async () => {
  token = (await on.admin.create({ darf_loeschen: true })).token
  editor = (await newAccount({ rolle: 'redaktion', ordner: ['own', 'deep/own'] })).session
  await put(
    'own/a.png',
    'own/b/c.bin',
    'deep/own/d.bin',
    'deep/e.bin',
    'own2/f.bin',
    'top.bin',
    'other/own/g.bin',
  )
})

interface Listed {
  dateien: { path: string }[]
  ordner: { name: string; pfad: string; dateien: number }[]
  gesamt: number
}
const paths = ({ dateien }: Listed) => dateien.map(({ path }) => path).sort()
const OWN = ['deep/own/d.bin', 'own/a.png', 'own/b/c.bin']

describe('at the top', () => {
  test('the list has its folders and no files; with subfolders all of its files', async () => {
    const top = await get<Listed>('media')
    expect(top).toMatchObject({ dateien: [], gesamt: 0 })
    expect(top.ordner.map(({ name, pfad, dateien }) => [name, pfad, dateien])).toEqual([
      ['deep/own', 'deep/own', 1],
      ['own', 'own', 2],
    ])
    for (const order of ['name', 'size', 'updated_at', 'abrufe', 'zuletzt_abgerufen']) {
      const deep = await get<Listed>(`media?unterordner=1&sortierung=${order}`)
      expect([order, paths(deep), deep.gesamt]).toEqual([order, OWN, 3])
    }
  })

  test('a search finds nothing else, and no folder above its own', async () => {
    expect(await get<Listed>('media?suche=bin')).toMatchObject({ gesamt: 2 })
    const found = await get<Listed>('media?suche=own')
    expect([paths(found), found.ordner.map(({ pfad }) => pfad)]).toEqual([OWN, ['deep/own', 'own']])
    expect((await get<Listed>('media?suche=deep')).ordner).toEqual([])
    expect(await get<Listed>('media?suche=top')).toMatchObject({ gesamt: 0 })
  })

  test('the tree begins with its folders', async () => {
    expect(await get<object[]>('folders')).toEqual([
      { name: 'deep/own', pfad: 'deep/own', dateien: 1, bytes: 7, ordner: [] },
      {
        ...{ name: 'own', pfad: 'own', dateien: 2, bytes: 14 },
        ordner: [{ name: 'b', pfad: 'own/b', dateien: 1, bytes: 7, ordner: [] }],
      },
    ])
  })

  test('overview and statistics count nothing else, and tell nothing about the service', async () => {
    type Overview = { dateien: number; nie_abgerufen: { anzahl: number }; neueste: { path: string }[] }
    const overview = await get<Overview>('uebersicht')
    expect(overview).toMatchObject({ dateien: 3, platz: null, sicherung: null, integritaet: null })
    expect([overview.nie_abgerufen.anzahl, overview.neueste.map(({ path }) => path).sort()]).toEqual([3, OWN])
    type Statistics = { dateien: number; unterordner: { pfad: string; dateien: number }[] }
    const statistics = await get<Statistics>('statistik')
    expect(statistics).toMatchObject({ dateien: 3, speicher: null, tokens: null })
    expect(statistics.unterordner.map(({ pfad, dateien }) => [pfad, dateien]).sort()).toEqual([
      ['deep/own', 1],
      ['own', 2],
    ])
  })

  test('export and download hold nothing else', async () => {
    const exported = await get<{ path: string }[]>('export?format=json')
    expect(exported.map(({ path }) => path).sort()).toEqual(OWN)
    const archive = await (await dash(on.service, 'herunterladen', { session: editor })).text()
    for (const path of OWN) expect(archive).toContain(path)
    for (const path of ['own2/', 'top.bin', 'deep/e.bin', 'other/']) expect(archive).not.toContain(path)
  })
})

describe('across the border', () => {
  test.each([
    ['media/verschieben', { pfade: ['own/a.png'], ordner: 'own2' }],
    ['media/verschieben', { pfade: ['own/a.png'], ordner: '' }],
    ['media/verschieben', { pfade: ['own/a.png', 'own2/f.bin'], ordner: 'own/b' }],
    ['media/verschieben', { treffer: { ordner: 'own2', gesamt: 1 }, ordner: 'own' }],
    ['media/ersetzen', { suche: 'own/', ersatz: 'own2/', ausfuehren: true }],
    ['media/ersetzen', { suche: 'own/', ersatz: 'own2/' }],
    ['media/ersetzen', { suche: '^own', ersatz: 'deep/own', regex: true, ordner: 'own2' }],
    ['folders/umbenennen', { ordner: 'own', name: 'mine' }],
    ['folders/umbenennen', { ordner: 'deep/own', name: 'own3' }],
    ['folders/verschieben', { ordner: 'own', ziel: 'deep/own' }],
    ['folders/verschieben', { ordner: 'own/b', ziel: '' }],
    ['folders/verschieben', { ordner: 'own/b', ziel: 'deep' }],
    ['folders/loeschen', { ordner: 'deep' }],
    ['freigaben', { ordner: 'deep' }],
    ['upload-url', { url: 'https://example.org/a.png', ordner: '' }],
  ])('%s %j is refused', async (route, json) => {
    await expectError(await call(route, json), 403)
    expect(paths(await get<Listed>('media?unterordner=1'))).toEqual(OWN)
  })

  test.each([
    ['media?ordner=own', undefined, 200],
    ['herunterladen?ordner=own', undefined, 200],
    ['export?format=json&folder=own', undefined, 200],
    ['statistik?ordner=own', undefined, 200],
    ['verlauf?pfad=own', undefined, 200],
    ['freigaben', { ordner: 'own' }, 200],
    ['abgaben', { ordner: 'own/' }, 200],
    ['upload-url', { url: 'http://127.0.0.1/a.png', ordner: 'own' }, 400],
    ['media/verschieben', { pfade: ['own/b/c.bin'], ordner: 'own/b' }, 200],
    // As a file of this path it would lie in the folder above.
    ['media/own', undefined, 403],
    ['papierkorb?pfad=own', undefined, 403],
    ['media/vorhanden', { pfade: ['own'] }, 403],
    ['media/loeschen', { pfade: ['own'] }, 403],
    ['folders/umbenennen', { ordner: 'own/', name: 'mine' }, 403],
  ])('the limiting folder itself: %s %j', async (route, json, status) => {
    const answer =
      json === undefined ? await dash(on.service, route, { session: editor }) : await call(route, json)
    expect(answer.status).toBe(status)
    await answer.arrayBuffer()
    expect(paths(await get<Listed>('media?unterordner=1'))).toEqual(OWN)
  })

  const tusTo = (metadata: Record<string, string>) => ({
    method: 'POST',
    headers: {
      ...{ 'Tus-Resumable': '1.0.0', 'Upload-Length': '1' },
      'Upload-Metadata': Object.entries(metadata)
        .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
        .join(','),
    },
  })
  test.each<[string, DashOptions]>([
    ['media/own/../own2/f.bin', {}],
    ['media/own%2F..%2Fown2%2Ff.bin', {}],
    ['media/own%2F%2E%2E%2Fown2%2Ff.bin', {}],
    ['media/own%5C..%5Cown2%5Cf.bin', {}],
    ['inhalt/own%2F..%2Fown2%2Ff.bin', {}],
    ['inhalt/own/%252e%252e/own2/f.bin', {}],
    ['vorschau/own%2F..%2Fown2%2Ff.bin.webp', {}],
    ['aufnahme/own%2F..%2Fown2%2Ff.bin', {}],
    ['media?ordner=own/../own2', {}],
    ['media?ordner=own/..', {}],
    ['media?ordner=OWN2', {}],
    ['export?format=json&folder=own/../own2', {}],
    ['herunterladen?ordner=own/../own2', {}],
    ['fehlende', { json: { muster: 'own/../own2/*.bin', namen: [] } }],
    ['freigaben', { json: { ordner: '' } }],
    ['abgaben', { json: { ordner: '' } }],
    ['folders/loeschen', { json: { ordner: '' } }],
    ['folders/loeschen', { json: { ordner: '/' } }],
    ['media/umbenennen', { json: { pfad: 'own/a.png', name: '../a.png' } }],
    ['media/umbenennen', { json: { pfad: 'own/a.png', name: '..' } }],
    ['folders/umbenennen', { json: { ordner: 'own/b', name: '..' } }],
    ['folders/verschieben', { json: { ordner: 'own/b', ziel: 'own/..' } }],
    ['media/ersetzen', { json: { suche: 'own/a', ersatz: 'own/../own2/a', ausfuehren: true } }],
    ['media/ersetzen', { json: { suche: '^own/(a.*)$', ersatz: '$1', regex: true, ausfuehren: true } }],
    ['upload-url', { json: { url: 'http://127.0.0.1/a', ordner: 'own', name: '../own2/a.bin' } }],
    ['tus', tusTo({ pfad: 'own/../own2/t.bin' })],
    ['tus', tusTo({ ordner: 'own', filename: '../own2/t.bin' })],
    ['tus', tusTo({ ordner: 'own/..', filename: 't.bin' })],
    ['tus', tusTo({ ordner: '', filename: 't.bin' })],
    ['tus', tusTo({ filename: 't.bin' })],
  ])('no spelling leads there: %s %j', async (route, options) => {
    const answer = await dash(on.service, route, { session: editor, ...options })
    expect([400, 403, 404, 409]).toContain(answer.status)
    expect(await answer.text()).not.toMatch(/f\.bin|content/)
    expect(paths(await get<Listed>('media?unterordner=1'))).toEqual(OWN)
  })

  test('uploads and archives land inside or not at all', async () => {
    const upload = (...parts: Parameters<typeof multipart>[0]) =>
      fetch(`${on.service.url}/api/dash/upload`, {
        method: 'POST',
        headers: { ...MULTIPART, Cookie: `fundus_sitzung=${editor}` },
        body: multipart(parts),
      })
    const archive = zip([{ name: 'x/y.txt', content: 'x' }])
    for (const parts of [
      [filePart('a.txt', 'x')],
      [field('ordner', 'own2'), filePart('a.txt', 'x')],
      [field('ordner', 'own2'), filePart('a.zip', archive)],
      [filePart('a.zip', archive)],
      [
        field('pfade', JSON.stringify(['own/ok.txt', 'own2/no.txt'])),
        filePart('a.txt', 'x'),
        filePart('b.txt', 'x'),
      ],
    ])
      await expectError(await upload(...parts), 403)
    expect(await exists('own/ok.txt')).toBe(false)
    const inside = await answered<{ gespeichert: { path: string }[] }>(
      await upload(field('ordner', 'own/zip'), filePart('a.zip', archive)),
    )
    expect(inside.gespeichert.map(({ path }) => path)).toEqual(['own/zip/x/y.txt'])
    await throwAway(on.service, on.admin.session, 'own/zip/x/y.txt')
  })

  test('a file in a folder with upper case can be replaced; a new one would land outside, in lower case', async () => {
    await put('Team/A.png')
    const { session } = await newAccount({ ordner: ['Team'] })
    const replace = (name: string) =>
      fetch(`${on.service.url}/api/dash/upload`, {
        method: 'POST',
        headers: { ...MULTIPART, Cookie: `fundus_sitzung=${session}` },
        body: multipart([
          field('pfade', JSON.stringify([`Team/${name}`])),
          field('ueberschreiben', 'true'),
          filePart(name, 'new'),
        ]),
      })
    expect(await answered(await replace('A.png'))).toMatchObject({ gespeichert: [{ path: 'Team/A.png' }] })
    expect(await answered(await replace('B.png'))).toMatchObject({
      gespeichert: [],
      abgelehnt: [{ code: 'folder-forbidden' }],
    })
    expect(await exists('team/b.png')).toBe(false)
  })

  test('an action of others is taken back only inside; what would go outside stays and does not say where', async () => {
    await put('own/u1.bin', 'own2/u2.bin', 'own2/u3.bin')
    const by = { session: on.admin.session }
    const json = { suche: '(own2?)/(u\\d)', ersatz: 'own/undo/$2', regex: true, ausfuehren: true }
    const moved = await dash(on.service, 'media/ersetzen', { json, ...by })
    expect(moved.status).toBe(200)
    await dash(on.service, 'media/verschieben', {
      json: { pfade: ['own/undo/u3.bin'], ordner: 'own2' },
      ...by,
    })
    const aktion = moved.headers.get('x-aktion')!
    const history = await get<{ eintraege: { pfad: string; einzelheiten: string | null }[] }>(
      `verlauf?aktion=${aktion}`,
    )
    expect(history.eintraege.map(({ pfad, einzelheiten }) => [pfad, einzelheiten]).sort()).toEqual([
      ['own/undo/u1.bin', 'own/u1.bin'],
      ['own/undo/u2.bin', null],
      ['own/undo/u3.bin', null],
    ])
    const answer = await call('verlauf/zuruecknehmen', { aktion })
    const text = await answer.text()
    expect([answer.status, text.includes('own2')]).toEqual([200, false])
    expect(JSON.parse(text)).toMatchObject({ zurueckgenommen: 1 })
    expect(await Promise.all(['own/u1.bin', 'own/undo/u2.bin', 'own2/u3.bin'].map(exists))).toEqual([
      true,
      true,
      true,
    ])
    await throwAway(on.service, on.admin.session, 'own/u1.bin', 'own/undo/u2.bin', 'own2/u3.bin')
  })

  test('the trash shows, restores and empties only its own', async () => {
    await emptyTrash(on.service, on.admin.session)
    await put('own/t1.bin', 'own/t2.bin', 'own2/t3.bin')
    const [first, , foreign] = await throwAway(
      on.service,
      on.admin.session,
      'own/t1.bin',
      'own/t2.bin',
      'own2/t3.bin',
    )
    expect(await trashOf(on.service, editor)).toMatchObject({ gesamt: 2, bytes: 14 })
    const restored = await answered<{
      wiederhergestellt: { nr: number }[]
      abgelehnt: { nr: number; code: string }[]
    }>(await call('papierkorb/wiederherstellen', { nummern: [first, foreign] }))
    expect(restored).toMatchObject({
      wiederhergestellt: [{ nr: first }],
      abgelehnt: [{ nr: foreign, code: 'trash-entry-absent' }],
    })
    expect(await emptyTrash(on.service, editor, [foreign!])).toMatchObject({ entfernt: 0 })
    expect(await emptyTrash(on.service, editor)).toMatchObject({ entfernt: 1, bytes: 7 })
    expect((await trashOf(on.service, on.admin.session)).eintraege.map(({ path }) => path)).toEqual([
      'own2/t3.bin',
    ])
    await throwAway(on.service, on.admin.session, 'own/t1.bin')
  })

  test('the history groups an action by what happened inside', async () => {
    await put('own2/h1.bin', 'own/h2.bin', 'own/h3.bin')
    await throwAway(on.service, on.admin.session, 'own2/h1.bin', 'own/h2.bin', 'own/h3.bin')
    type History = { eintraege: { pfad: string; dateien: number }[]; gesamt: number }
    const { eintraege } = await get<History>('verlauf?gruppen=1&was=geloescht&anzahl=30')
    expect(eintraege[0]).toMatchObject({ pfad: 'own/h2.bin', dateien: 2 })
  })
})

describe('a change of rights', () => {
  test('counts at the next request: the session has ended, and a new one may less', async () => {
    const account = await newAccount({ rolle: 'betreiber' })
    expect((await dash(on.service, 'einstellungen', { session: account.session })).status).toBe(200)
    expect(await answered(await change(account.id, { rolle: 'ansicht', ordner: ['own'] }))).toMatchObject({
      rolle: 'ansicht',
      ordner: ['own'],
    })
    expect(await isSignedIn(on.service, account.session)).toBe(false)
    const session = await signIn(on.service, account)
    await expectError(await dash(on.service, 'einstellungen', { session }), 403)
    expect(await get<object>('ich', session)).toMatchObject({
      ...{ benutzer: account.benutzer, rolle: 'ansicht', ordner: ['own'] },
      dienst: {
        PUBLIC_URL: expect.stringMatching(/^http/),
        FILES_HOST: '',
        MAX_UPLOAD_MB: 64,
        DIENST: expect.any(String),
      },
    })
  })

  test('ends the open event stream of the account, which heard only of its folder', async () => {
    const account = await newAccount({ rolle: 'ansicht', ordner: ['own'] })
    const stream = await dash(on.service, 'ereignisse', { session: account.session })
    const events = stream.body!.pipeThrough(new TextDecoderStream())
    let text = ''
    const reading = (async () => {
      for await (const some of events) text += some
    })()
    await eventually('the stream is ready', async () => text.includes('bereit'))
    await put('own2/event.bin', 'own/event.bin')
    await eventually('an event', async () => text.includes('own/event.bin'))
    await change(account.id, { ordner: null })
    await reading
    expect(text).not.toMatch(/own2|verwaltung/)
    await throwAway(on.service, on.admin.session, 'own/event.bin', 'own2/event.bin')
  })

  test.each([
    ['an unknown role', { rolle: 'chef' }, 400],
    ['an unknown field', { rechte: 'alle' }, 400],
    ['no folder at all', { ordner: [] }, 400],
    ['the top folder', { ordner: [''] }, 400],
    ['an invalid folder', { ordner: ['a/../b'] }, 400],
    ['folders for an operator', { rolle: 'betreiber', ordner: ['a'] }, 400],
  ])('%s is refused, for a new account too', async (_, json, status) => {
    const { id } = await newAccount({})
    await expectError(await change(id, json), status)
    const account = { benutzer: `refused ${++made}`, passwort, ...json }
    await expectError(
      await dash(on.service, 'benutzer', { json: account, session: on.admin.session }),
      status,
    )
  })

  test('folders inside others are left out, and a final slash does not matter', async () => {
    const { id } = await newAccount({ ordner: ['a/b', 'a/', 'ab', 'a'] })
    expect(await answered(await change(id, {}))).toMatchObject({ ordner: ['a', 'ab'] })
  })
})

describe('when an operator renames or moves the folder of an account', () => {
  const folders = async (session: string) => (await get<{ ordner: string[] }>('ich', session)).ordner
  const act = (route: string, json: unknown) => call(route, json, { session: on.admin.session })

  test('the account follows, also when it is taken back', async () => {
    await put('f1/team/a.bin')
    const { session } = await newAccount({ ordner: ['f1/team'] })
    const renamed = await act('folders/umbenennen', { ordner: 'f1', name: 'f1b' })
    expect(await folders(session)).toEqual(['f1b/team'])
    expect(paths(await get<Listed>('media?unterordner=1', session))).toEqual(['f1b/team/a.bin'])
    await act('verlauf/zuruecknehmen', { aktion: renamed.headers.get('x-aktion') })
    expect(await folders(session)).toEqual(['f1/team'])
  })

  test('into a folder that has files, it stays behind and sees nothing more', async () => {
    await put('f2/team/a.bin', 'f3/team/secret.bin')
    const { session } = await newAccount({ ordner: ['f2/team'] })
    expect((await act('folders/verschieben', { ordner: 'f2/team', ziel: 'f3' })).status).toBe(200)
    expect(await folders(session)).toEqual(['f2/team'])
    expect(paths(await get<Listed>('media?unterordner=1', session))).toEqual([])
    await expectError(await dash(on.service, 'media/f3/team/secret.bin', { session }), 403)
  })
})
