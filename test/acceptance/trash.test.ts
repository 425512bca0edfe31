/**
 * The trash: deleted files enter it, leave it by restoring, and are removed for good by emptying and by the
 * hourly clean-up.
 */
import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { bytesOf, expectError, expectSameBytes, read, store } from '../support/api.ts'
import { ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { storedFiles } from '../support/data-folder.ts'
import { embeddedOnly } from '../support/modes.ts'
import { sharedService } from '../support/shared-service.ts'
import { tokenAdmin } from '../support/token-admin.ts'
import { emptyTrash, restore, throwAway, trashOf } from '../support/trash.ts'
import { eventually } from '../support/wait.ts'

const DAY = 24 * 60 * 60 * 1000
const on = sharedService({ env: ADMIN_ENV })
let session = ''
beforeAll(async () => {
  session = await signIn(on.service)
})
beforeEach(async () => {
  await emptyTrash(on.service, session)
})
const put = (path: string, text: string) => store(on.service, on.token, path, text)
const deleteFiles = (...paths: string[]) => throwAway(on.service, session, ...paths)
const list = (query?: string) => trashOf(on.service, session, query)
const restoreFiles = (...numbers: number[]) => restore(on.service, session, ...numbers)
const text = async (path: string) => (await read(on.service, path)).text()
const inStore = async (root: string, part: string) =>
  (await storedFiles(on.service.dataDir)).filter(name => name.startsWith(root) && name.includes(part))

describe('a deleted file', () => {
  test('is 404 in public, and in the trash with all that is said of it', async () => {
    await put('items/a.txt', 'content')
    const before = Date.now()
    const [nr] = await deleteFiles('items/a.txt')
    await expectError(await read(on.service, 'items/a.txt'), 404)
    await expectError(await fetch(`${on.service.url}/t/items/a.txt.webp`), 404)
    const { eintraege, ...rest } = await list()
    expect(rest).toMatchObject({ gesamt: 1, bytes: 7, maxBytes: 21_474_836_480, maxTage: 30 })
    const [entry] = eintraege
    expect(entry).toEqual({
      nr: nr!,
      path: 'items/a.txt',
      size: 7,
      mime: 'text/plain',
      art: 'dokumente',
      geloescht_am: expect.any(Number),
      geloescht_von: 'admin',
      grund: 'geloescht',
      verfaellt_am: entry!.geloescht_am + 30 * DAY,
      vorschau: null,
    })
    expect(entry!.geloescht_am).toBeGreaterThanOrEqual(before)
  })

  embeddedOnly.folder('moves into the trash store under its number, still by its folder', async () => {
    await put('folder/Sub/a.txt', 'content')
    const [nr] = await deleteFiles('folder/Sub/a.txt')
    const [name] = await eventually('the object to follow', async () => {
      const found = await inStore('trash', `${nr}~a~`)
      return found.length === 1 && found
    })
    expect(name!.replaceAll('\\', '/')).toMatch(new RegExp(`^trash/folder/Sub=1/${nr}~a~[0-9a-z-]+\\.txt$`))
    await eventually('the old name to go', async () => (await inStore('files', 'folder')).length === 0)
  })

  test('its path is free: another file can be stored there', async () => {
    await put('free.txt', 'old')
    await deleteFiles('free.txt')
    expect((await put('free.txt', 'new')).replaced).toBe(false)
    expect(await text('free.txt')).toBe('new')
  })
})

describe('restoring', () => {
  test('brings back the very bytes under the old address', async () => {
    const bytes = crypto.getRandomValues(new Uint8Array(300_000))
    await store(on.service, on.token, 'back/a.bin', bytes)
    const [nr] = await deleteFiles('back/a.bin')
    const url = `http://localhost:${on.service.port}/f/back/a.bin`
    expect(await restoreFiles(nr!)).toEqual({
      wiederhergestellt: [{ nr: nr!, path: 'back/a.bin', url }],
      abgelehnt: [],
    })
    expectSameBytes(await bytesOf(await read(on.service, 'back/a.bin')), bytes)
    expect(await list()).toMatchObject({ eintraege: [], gesamt: 0, bytes: 0 })
  })

  embeddedOnly.folder(
    'also after its object has followed into the trash store, and it follows back',
    async () => {
      await put('there/a.txt', 'content')
      const [nr] = await deleteFiles('there/a.txt')
      await eventually('the object to follow', async () => (await inStore('trash', 'there')).length === 1)
      await restoreFiles(nr!)
      expect(await text('there/a.txt')).toBe('content')
      await eventually(
        'the object to be back, and only there',
        async () =>
          (await inStore('files', 'there')).length === 1 && (await inStore('trash', 'there')).length === 0,
        8000,
      )
      expect(await text('there/a.txt')).toBe('content')
    },
  )

  test('a taken path is refused with a reason, and nothing is overwritten', async () => {
    await put('taken.txt', 'old')
    const [nr] = await deleteFiles('taken.txt')
    await put('taken.txt', 'new')
    const { wiederhergestellt, abgelehnt } = await restoreFiles(nr!)
    expect([wiederhergestellt, abgelehnt]).toEqual([
      [],
      [{ nr: nr!, grund: expect.stringMatching(/taken\.txt.*\.$/), code: 'path-taken' }],
    ])
    expect(await text('taken.txt')).toBe('new')
    expect((await list()).gesamt).toBe(1)
  })

  test('two from one path are both restorable, one after the other has been renamed', async () => {
    await put('twice.txt', 'first')
    const [first] = await deleteFiles('twice.txt')
    await put('twice.txt', 'second')
    const [second] = await deleteFiles('twice.txt')
    expect(second).toBeGreaterThan(first!)
    const both = await restoreFiles(first!, second!)
    expect(both.wiederhergestellt.map(({ nr }) => nr)).toEqual([first!])
    expect(both.abgelehnt.map(({ nr }) => nr)).toEqual([second!])
    const json = { pfad: 'twice.txt', name: 'once.txt' }
    expect((await dash(on.service, 'media/umbenennen', { json, session })).status).toBe(200)
    expect((await restoreFiles(second!)).wiederhergestellt).toHaveLength(1)
    expect([await text('once.txt'), await text('twice.txt')]).toEqual(['first', 'second'])
  })

  test('each is judged by itself: an unknown number is refused, the others come back', async () => {
    await put('one.txt', '1')
    const [nr] = await deleteFiles('one.txt')
    const { wiederhergestellt, abgelehnt } = await restoreFiles(999_999, nr!, nr!)
    expect(wiederhergestellt.map(each => each.nr)).toEqual([nr!])
    expect(abgelehnt).toEqual([
      { nr: 999_999, grund: expect.stringMatching(/999999.*\.$/), code: 'trash-entry-absent' },
    ])
  })

  test('keeps count and token, and the token’s figures follow', async () => {
    const admin = await tokenAdmin(on.service)
    const { id, token } = await admin.create({ name: 'figures', kontingent: 10 })
    await store(on.service, token, 'counted.txt', '1234567890')
    for (let times = 0; times < 3; times++) await text('counted.txt')
    const figures = async () => {
      const { dateien, bytes } = await admin.find(id)
      return { dateien, bytes }
    }
    expect(await figures()).toEqual({ dateien: 1, bytes: 10 })
    const [nr] = await deleteFiles('counted.txt')
    expect(await figures()).toEqual({ dateien: 0, bytes: 0 })
    // The quota is used up meanwhile, which does not prevent restoring.
    await store(on.service, token, 'other.txt', '1234567890')
    expect((await restoreFiles(nr!)).abgelehnt).toEqual([])
    expect(await figures()).toEqual({ dateien: 2, bytes: 20 })
    await on.service.restart()
    session = await signIn(on.service)
    const file = await dash(on.service, 'media/counted.txt', { session })
    expect(await file.json()).toMatchObject({ abrufe: 3, token_id: id })
  })

  test('stands in the history', async () => {
    await put('told.txt', '123')
    const [nr] = await deleteFiles('told.txt')
    await restoreFiles(nr!)
    const response = await dash(on.service, 'verlauf?pfad=told.txt', { session })
    const { eintraege } = (await response.json()) as { eintraege: Record<string, unknown>[] }
    expect(eintraege.map(({ was, wer, bytes }) => [was, wer, bytes])).toEqual([
      ['wiederhergestellt', 'admin', 3],
      ['geloescht', 'admin', 3],
      ['hochgeladen', 'Token test', 3],
    ])
  })

  test.each([{}, { nummern: 5 }, { nummern: ['1'] }, { nummern: [1.5] }, { nummern: null }])(
    '%j is 400',
    async json => {
      await expectError(
        await dash(on.service, 'papierkorb/wiederherstellen', { json, session }),
        400,
        /nummern/,
      )
    },
  )
})

describe('emptying', () => {
  test('removes the given ones for good, and says how much', async () => {
    await put('a.txt', '12')
    await put('b.txt', '345')
    const [a, b] = await deleteFiles('a.txt', 'b.txt')
    expect(await emptyTrash(on.service, session, [a!, a!, 999_999])).toEqual({ entfernt: 1, bytes: 2 })
    expect((await list()).eintraege.map(({ nr }) => nr)).toEqual([b!])
    expect((await restoreFiles(a!)).abgelehnt).toHaveLength(1)
    const response = await dash(on.service, 'verlauf?pfad=a.txt&was=entfernt', { session })
    expect(await response.json()).toMatchObject({ eintraege: [{ wer: 'admin', bytes: 2 }], gesamt: 1 })
  })

  test('without numbers removes everything, objects included', async () => {
    await put('all/a.txt', '12')
    await put('all/b.txt', '345')
    await deleteFiles('all/a.txt', 'all/b.txt')
    expect(await emptyTrash(on.service, session)).toEqual({ entfernt: 2, bytes: 5 })
    expect(await list()).toMatchObject({ eintraege: [], gesamt: 0, bytes: 0 })
    const objectsLeft = async () => [...(await inStore('trash', 'all')), ...(await inStore('files', 'all'))]
    await eventually('the objects to go', async () => (await objectsLeft()).length === 0)
  })

  test('without any body removes everything too; a body that is no JSON removes nothing', async () => {
    await put('bodiless.txt', '12')
    await deleteFiles('bodiless.txt')
    const empty = (body?: string) =>
      fetch(`${on.service.url}/api/dash/papierkorb/leeren`, {
        method: 'POST',
        headers: { Cookie: `fundus_sitzung=${session}` },
        ...(body !== undefined && { body }),
      })
    await expectError(await empty(' '), 400)
    expect((await list()).gesamt).toBe(1)
    const response = await empty()
    expect([response.status, await response.json()]).toEqual([200, { entfernt: 1, bytes: 2 }])
  })

  test('an empty list removes nothing, and a misspelt field is no reason to remove everything', async () => {
    await put('kept.txt', '1')
    await deleteFiles('kept.txt')
    expect(await emptyTrash(on.service, session, [])).toEqual({ entfernt: 0, bytes: 0 })
    await expectError(await dash(on.service, 'papierkorb/leeren', { json: { nummer: [1] }, session }), 400)
    await expectError(
      await dash(on.service, 'papierkorb/leeren', { json: { nummern: 'alle' }, session }),
      400,
    )
    expect((await list()).gesamt).toBe(1)
  })
})

describe('the list', () => {
  test('the last deleted first, in pages', async () => {
    const paths = Array.from({ length: 35 }, (_, at) => `pages/${at}.txt`)
    for (const path of paths) await put(path, '1')
    for (const path of paths) await deleteFiles(path)
    const [first, second] = [await list('?anzahl=30'), await list('?anzahl=30&seite=2')]
    expect([first.gesamt, first.bytes]).toEqual([35, 35])
    const shown = [...first.eintraege, ...second.eintraege].map(({ path }) => path)
    expect(shown).toEqual(paths.toReversed())
    expect((await list('?anzahl=30&seite=3')).eintraege).toEqual([])
  })

  test.each(['?anzahl=31', '?anzahl=x', '?seite=0', '?seite=-1'])('%s is 400', async query => {
    await expectError(await dash(on.service, `papierkorb${query}`, { session }), 400)
  })
})
