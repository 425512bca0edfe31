/**
 * Drop links: people without an account upload files within the limits of the link, and see nothing else of
 * the folder.
 */
import { describe, expect, test } from 'bun:test'
import { answered, exists, expectError, read, store } from '../support/api.ts'
import { sha256 } from '../support/bytes.ts'
import { dash } from '../support/dashboard.ts'
import { stagedFiles } from '../support/data-folder.ts'
import { type DropInput, dropLinks, type HandedIn, handIn, handInOne, makeDrop } from '../support/drops.ts'
import { filePart } from '../support/ingest.ts'
import { media } from '../support/media.ts'
import { png } from '../support/pictures.ts'
import { sharedServiceWithAdmin } from '../support/token-admin.ts'
import { eventually } from '../support/wait.ts'
import { zip } from '../support/zip.ts'

const on = sharedServiceWithAdmin()
let made = 0
const newFolder = () => `drops/${++made}`
const link = (input: Partial<DropInput> = {}) =>
  makeDrop(on.service, on.admin.session, { ordner: newFolder(), ...input })
const post = (json: unknown) => dash(on.service, 'abgaben', { json, session: on.admin.session })
const end = (key: string) =>
  dash(on.service, `abgaben/${key}`, { method: 'DELETE', session: on.admin.session })
const find = async (key: string) =>
  (await dropLinks(on.service, on.admin.session)).find(({ schluessel }) => schluessel === key)
const codes = ({ abgelehnt }: HandedIn) => abgelehnt.map(({ code }) => code)
const page = (key: string, language = 'de') =>
  fetch(`${on.service.url}/u/${key}`, { headers: { Accept: 'text/html', 'Accept-Language': language } })

describe('a drop link', () => {
  test('has what it was made with, and counts what was handed in', async () => {
    const until = Date.now() + 3_600_000
    const input = {
      hinweis: 'Bitte nur Rechnungen.',
      max_bytes: 1000,
      arten: ['dokumente'],
      gueltig_bis: until,
      anzahl: 5,
    }
    const { schluessel, adresse, ordner } = await link(input)
    expect(adresse).toEndWith(`/u/${schluessel}`)
    await handInOne(on.service, schluessel, 'a.txt', 'content')
    expect(await find(schluessel)).toMatchObject({
      ...input,
      ordner,
      abgegeben: 1,
      bytes: 7,
      erstellt_von: 'admin',
    })
  })

  test('without limits takes a thousand files of any kind', async () => {
    expect(await link()).toMatchObject({
      hinweis: null,
      max_bytes: null,
      arten: null,
      gueltig_bis: null,
      anzahl: 1000,
    })
  })

  test.each<[json: unknown, about: RegExp]>([
    [{}, /„ordner“/],
    [{ ordner: '' }, /„ordner“/],
    [{ ordner: '../a' }, /„ordner“/],
    [{ ordner: '1/2/3/4/5/6/7/8' }, /„ordner“/],
    [{ ordner: 'a', anzahl: 0 }, /„anzahl“/],
    [{ ordner: 'a', anzahl: 100_001 }, /„anzahl“/],
    [{ ordner: 'a', max_bytes: -1 }, /„max_bytes“/],
    [{ ordner: 'a', arten: [] }, /„arten“/],
    [{ ordner: 'a', hinweis: 'x'.repeat(1001) }, /„hinweis“/],
    [{ ordner: 'a', hinweis: 'a\u0000b' }, /„hinweis“/],
    [{ ordner: 'a', anzhal: 1 }, /anzhal/],
  ])('with %p is refused', async (json, about) => {
    await expectError(await post(json), 400, about)
  })

  test('ended, expired and unknown answer alike, to programs and to people', async () => {
    const [ended, expired] = [await link(), await link({ gueltig_bis: Date.now() - 1000 })]
    expect((await end(ended.schluessel)).status).toBe(200)
    await expectError(await end(ended.schluessel), 404)
    const sentences = new Set<string>()
    const pages = new Set<string>()
    for (const key of [ended.schluessel, expired.schluessel, 'unknown']) {
      sentences.add(await expectError(await handIn(on.service, key, [filePart('a.txt', 'x')]), 404))
      sentences.add(await expectError(await fetch(`${on.service.url}/u/${key}`), 404))
      const shown = await page(key)
      expect(shown.status).toBe(404)
      pages.add(await shown.text())
    }
    expect([sentences.size, pages.size]).toEqual([1, 1])
  })

  test('goes along when its folder is renamed', async () => {
    const { schluessel, ordner } = await link()
    await handInOne(on.service, schluessel, 'a.txt', 'x')
    const json = { ordner, name: `renamed-${made}` }
    await answered(await dash(on.service, 'folders/umbenennen', { json, session: on.admin.session }))
    await handInOne(on.service, schluessel, 'b.txt', 'x')
    expect(await exists(on.service, on.token, `drops/renamed-${made}/b.txt`)).toBe(true)
    expect(await exists(on.service, on.token, `${ordner}/b.txt`)).toBe(false)
  })
})

describe('handing in', () => {
  test('several files of one form, each judged by itself; a ZIP is stored as it is', async () => {
    const { schluessel, ordner } = await link({ max_bytes: 1000 })
    const archive = zip([{ name: 'in.txt', content: 'x' }])
    const answer = await answered<HandedIn>(
      await handIn(on.service, schluessel, [
        ...[filePart('a.txt', 'first'), filePart('long.txt', 'x'.repeat(1001)), filePart('empty.txt', '')],
        ...[filePart('pack.zip', archive), filePart('b.txt', 'last')],
      ]),
    )
    expect(answer.gespeichert).toEqual([
      { name: 'a.txt', size: 5 },
      { name: 'pack.zip', size: archive.length },
      { name: 'b.txt', size: 4 },
    ])
    expect(answer.abgelehnt.map(({ name, code }) => [name, code])).toEqual([
      ['long.txt', 'drop-file-too-large'],
      ['empty.txt', 'file-empty'],
    ])
    expect(answer.abgelehnt[0]!.grund).toBe('Die Datei ist größer als die hier erlaubten 1000 Byte.')
    expect(await (await read(on.service, `${ordner}/b.txt`)).text()).toBe('last')
    expect((await read(on.service, `${ordner}/pack.zip`)).status).toBe(200)
    expect(await find(schluessel)).toMatchObject({ abgegeben: 3 })
    await eventually('nothing is staged', async () => (await stagedFiles(on.service.dataDir)).length === 0)
  })

  test('names: lower case, cleaned, without folders, never overwriting, and never telling what is there', async () => {
    const { schluessel, ordner } = await link()
    await store(on.service, on.token, `${ordner}/image.jpg`, 'already there')
    const sent = [
      'IMAGE.jpg',
      'image.jpg',
      'Über uns.TXT',
      '../../etc/passwd',
      'C:\\x\\y.txt',
      '   ',
      'con.txt',
      '.htaccess',
    ]
    for (const name of sent)
      expect(
        (await handInOne(on.service, schluessel, name.replaceAll('\\', '\\\\'), `content of ${name}`))
          .abgelehnt,
      ).toEqual([])
    const list = await answered<{ dateien: { path: string }[] }>(
      await dash(on.service, `media?ordner=${ordner}`, { session: on.admin.session }),
    )
    const names = list.dateien.map(({ path }) => path.slice(ordner.length + 1)).sort()
    expect(names).toEqual(
      expect.arrayContaining(['image-2.jpg', 'image-3.jpg', 'image.jpg', 'ueber-uns.txt', 'passwd']),
    )
    expect(names.length).toBe(sent.length + 1)
    for (const name of names) expect(name).toMatch(/^[a-z0-9][a-z0-9._-]*$/)
    expect(await (await read(on.service, `${ordner}/image.jpg`)).text()).toBe('already there')
    const again = await handInOne(on.service, schluessel, 'image.jpg', 'x')
    expect(again.gespeichert).toEqual([{ name: 'image.jpg', size: 1 }])
  })

  test('kinds by label and by bytes', async () => {
    const { schluessel } = await link({ arten: ['bilder'] })
    expect(codes(await handInOne(on.service, schluessel, 'a.mp3', media('tone.mp3')))).toEqual([
      'drop-kind-forbidden',
    ])
    expect(codes(await handInOne(on.service, schluessel, 'a.png', media('tone.mp3')))).toEqual([
      'drop-kind-forbidden',
    ])
    expect(codes(await handInOne(on.service, schluessel, 'a.png', '<script>'))).toEqual([
      'drop-kind-forbidden',
    ])
    expect((await handInOne(on.service, schluessel, 'a.png', await png())).gespeichert.length).toBe(1)
  })

  test('the history names the link, and an account of that name is told apart', async () => {
    const { schluessel, ordner } = await link()
    await handInOne(on.service, schluessel, 'a.txt', 'x')
    const { eintraege } = await answered<{ eintraege: { wer: string; was: string; pfad: string }[] }>(
      await dash(on.service, `verlauf?wer=${encodeURIComponent(`Abgabe ${ordner}`)}`, {
        session: on.admin.session,
      }),
    )
    expect(eintraege).toMatchObject([
      { wer: `Abgabe ${ordner}`, was: 'hochgeladen', pfad: `${ordner}/a.txt` },
    ])
  })

  test('a digest of a sole file is compared; a form without a file, and no form, are refused', async () => {
    const { schluessel } = await link()
    const wrong = { 'X-Sha256': sha256('other') }
    await expectError(await handIn(on.service, schluessel, [filePart('a.txt', 'x')], wrong), 400, /X-Sha256/)
    await expectError(await handIn(on.service, schluessel, [{ name: 'text', content: 'x' }]), 400)
    await expectError(await fetch(`${on.service.url}/u/${schluessel}`, { method: 'POST', body: 'x' }), 400)
    expect(await find(schluessel)).toMatchObject({ abgegeben: 0 })
  })

  test('30 at once into a link for seven: exactly seven, and then it is full before anything is read', async () => {
    const { schluessel, ordner } = await link({ anzahl: 7 })
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, async (_, n) => {
        for (;;) {
          const response = await handIn(on.service, schluessel, [filePart('image.jpg', `content ${n}`)])
          const retry = response.status === 429
          const body = (await response.json()) as HandedIn
          if (!retry && response.status === 200 && codes(body)[0] !== 'path-taken')
            return codes(body)[0] ?? 'stored'
          if (!retry && response.status !== 200) return response.headers.get('x-fehler-code')
        }
      }),
    )
    expect(outcomes.filter(outcome => outcome === 'stored').length).toBe(7)
    expect(new Set(outcomes)).toEqual(new Set(['stored', 'drop-full']))
    expect(await find(schluessel)).toMatchObject({ abgegeben: 7 })
    const list = await answered<{ gesamt: number }>(
      await dash(on.service, `media?ordner=${ordner}`, { session: on.admin.session }),
    )
    expect(list.gesamt).toBe(7)
    await expectError(await handIn(on.service, schluessel, [filePart('a.txt', 'x')]), 403, /alle 7/)
  })
})

describe('the page', () => {
  test('is in the language of the browser, loads nothing, sets no cookie and tells its limits', async () => {
    const { schluessel, ordner } = await link({
      hinweis: '<b>Hallo</b>\nSie',
      arten: ['bilder', 'video'],
      max_bytes: 5_242_880,
    })
    const [german, english] = [await page(schluessel), await page(schluessel, 'en-US,en;q=0.9,de;q=0.5')]
    const [de, en] = [await german.text(), await english.text()]
    expect(de).toContain('<html lang="de">')
    expect(de).toContain('Angenommen werden: Bilder und Videos. Jede Datei darf höchstens 5 MB groß sein.')
    expect(en).toContain('<html lang="en">')
    expect(en).toContain('Accepted: pictures and videos. Each file may have up to 5 MB.')
    expect(de).toContain('&lt;b&gt;Hallo&lt;/b&gt;')
    expect(german.headers.get('set-cookie')).toBeNull()
    const policy = german.headers.get('content-security-policy') ?? ''
    expect(policy).toStartWith("default-src 'none'; style-src 'sha256-")
    expect(policy).not.toContain('unsafe')
    for (const text of [de, en]) {
      expect(text).not.toMatch(/(?:src|href)="(?!data:)/)
      expect(text).not.toContain(ordner)
    }
    expect(german.headers.get('cache-control')).toBe('no-store')
  })

  test('of a full link says so and offers nothing', async () => {
    const { schluessel } = await link({ anzahl: 1 })
    await handInOne(on.service, schluessel, 'a.txt', 'x')
    const text = await (await page(schluessel)).text()
    expect(text).toContain('keine Dateien mehr angenommen')
    expect(text).not.toContain('<input')
  })
})
