/** `GET /api/dash/media`: fields of files and folders, orders, pages. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { expectError, read, store } from '../support/api.ts'
import { sha256 } from '../support/bytes.ts'
import { dash } from '../support/dashboard.ts'
import { keys, type LibraryFile, sharedLibrary } from '../support/library.ts'
import { media } from '../support/media.ts'
import { jpeg, png } from '../support/pictures.ts'
import { eventually } from '../support/wait.ts'

const on = sharedLibrary({ env: { PUBLIC_URL: 'https://media.example.org' } })

const ALWAYS = [
  'abrufe',
  'art',
  'id',
  'mime',
  'path',
  'sha256',
  'size',
  'updated_at',
  'url',
  'vorschau',
  'zuletzt_abgerufen',
]
const names = (files: readonly LibraryFile[]) => files.map(file => file.path.split('/').at(-1))

describe('a file', () => {
  test('without picture, length or token: exactly the keys that apply', async () => {
    const before = Date.now()
    await on.fill('eins', { 'text.txt': 'hello' })
    const { dateien } = await on.list({ ordner: 'eins' })
    expect(dateien.map(keys)).toEqual([ALWAYS])
    const [file] = dateien
    expect(file).toMatchObject({
      path: 'eins/text.txt',
      url: 'https://media.example.org/f/eins/text.txt',
      vorschau: null,
      size: 5,
      sha256: sha256('hello'),
      art: 'dokumente',
      abrufe: 0,
      zuletzt_abgerufen: null,
    })
    expect(file?.mime).toStartWith('text/plain')
    expect(file?.updated_at).toBeWithin(before, Date.now() + 1)
    expect(await on.file('eins/text.txt')).toEqual(file!)
  })

  test('of a token names it', async () => {
    await store(on.service, on.token, 'zwei/a.bin', 'x')
    const { dateien } = await on.list({ ordner: 'zwei' })
    expect(dateien.map(keys)).toEqual([[...ALWAYS, 'token_id'].sort()])
    const tokens = (await (await on.get('tokens')).json()) as { id: string }[]
    expect(tokens.map(token => token.id)).toContain(dateien[0]!.token_id!)
  })

  test('that is a picture gets its size and a preview under /t/, which answers', async () => {
    await on.fill('drei', { 'b.png': await png({ width: 200, height: 100 }), 'c.jpg': await jpeg() })
    await Promise.all([on.previewReady('drei/b.png'), on.previewReady('drei/c.jpg')])
    const file = await eventually('size and preview are known', async () => {
      const found = await on.file('drei/b.png')
      return found.vorschau !== null && found
    })
    expect(keys(file)).toEqual([...ALWAYS, 'breite', 'hoehe'].sort())
    expect(file).toMatchObject({ breite: 200, hoehe: 100, art: 'bilder', mime: 'image/png' })
    expect(file.vorschau).toBe('https://media.example.org/t/drei/b.png.webp')
  })

  test('that plays gets its length in seconds', async () => {
    await on.fill('vier', { 'ton.mp3': media('tone.mp3'), 'film.mp4': media('clip.mp4') })
    const length = (path: string) =>
      eventually(`length of ${path}`, async () => {
        const file = await on.file(path)
        return file.laenge !== undefined && file
      })
    const [sound, film] = [await length('vier/ton.mp3'), await length('vier/film.mp4')]
    expect([sound.art, film.art]).toEqual(['audio', 'video'])
    expect(sound.laenge).toBeWithin(0.3, 0.6)
    expect(film.laenge).toBeWithin(0.4, 0.7)
    expect(sound).not.toHaveProperty('breite')
  })

  test('has addresses of today’s PUBLIC_URL', async () => {
    await on.fill('adresse', ['a.txt'])
    const put = (PUBLIC_URL: string | null) =>
      dash(on.service, 'einstellungen', { method: 'PUT', json: { PUBLIC_URL }, session: on.session })
    await put('https://new.example.org/')
    expect((await on.list({ ordner: 'adresse' })).dateien[0]?.url).toBe(
      'https://new.example.org/f/adresse/a.txt',
    )
    await put(null)
    expect((await on.file('adresse/a.txt')).url).toBe('https://media.example.org/f/adresse/a.txt')
  })
})

describe('folders', () => {
  beforeAll(() =>
    on.fill('baum', {
      'top.txt': '1',
      'a/1.txt': '22',
      'a/2.txt': '333',
      'a/tief/er/3.txt': '4444',
      'ab/4.txt': '55555',
      'c/d/5.txt': '666666',
    }),
  )

  test('those directly inside, with all that lies below them', async () => {
    const page = await on.list({ ordner: 'baum' })
    expect(page.ordner).toEqual([
      { name: 'a', pfad: 'baum/a', dateien: 3, bytes: 9 },
      { name: 'ab', pfad: 'baum/ab', dateien: 1, bytes: 5 },
      { name: 'c', pfad: 'baum/c', dateien: 1, bytes: 6 },
    ])
    expect(names(page.dateien)).toEqual(['top.txt'])
    expect(page).toMatchObject({ gesamt: 1, seite: 1, anzahl: 60 })
    expect(keys(page)).toEqual(['anzahl', 'dateien', 'gesamt', 'ordner', 'seite'])
  })

  test('deeper down, and with a final slash all the same', async () => {
    for (const ordner of ['baum/a', 'baum/a/']) {
      const page = await on.list({ ordner })
      expect(page.ordner).toEqual([{ name: 'tief', pfad: 'baum/a/tief', dateien: 1, bytes: 4 }])
      expect(names(page.dateien)).toEqual(['1.txt', '2.txt'])
    }
    expect((await on.list({ ordner: 'baum/a/tief/er' })).ordner).toEqual([])
  })

  test('at the top', async () => {
    const { ordner } = await on.list()
    expect(ordner.find(folder => folder.name === 'baum')).toEqual({
      name: 'baum',
      pfad: 'baum',
      dateien: 6,
      bytes: 21,
    })
  })

  test.each(['nirgends', 'bau', 'baum/a/1.txt', 'BAUM'])('%s is none: 404', async folder => {
    await expectError(await on.get(`media?ordner=${folder}`), 404)
  })

  test.each(['..', '/baum', 'ba%5Cum'])('%s cannot be one: 400', async folder => {
    await expectError(await on.get(`media?ordner=${folder}`), 400, /ordner/)
  })
})

describe('orders', () => {
  const order = async (sortierung: string, richtung?: string) =>
    names((await on.list({ ordner: 'folge', sortierung, ...(richtung && { richtung }) })).dateien) as string[]

  beforeAll(async () => {
    for (const [name, content] of Object.entries({ 'b.txt': '333', 'c.txt': '1', 'a.txt': '22' })) {
      await on.fill('folge', { [name]: content })
      await Bun.sleep(3)
    }
    for (const name of ['c.txt', 'a.txt', 'c.txt']) {
      await (await read(on.service, `folge/${name}`)).text()
      // A retrieval counts once all bytes were sent, which an instance may notice later than the reader.
      await Bun.sleep(50)
    }
    // Counts are written at shutdown.
    await on.service.restart()
  })

  test.each([
    ['name', ['a.txt', 'b.txt', 'c.txt']],
    ['size', ['c.txt', 'a.txt', 'b.txt']],
    ['updated_at', ['b.txt', 'c.txt', 'a.txt']],
    ['abrufe', ['b.txt', 'a.txt', 'c.txt']],
    ['zuletzt_abgerufen', ['b.txt', 'a.txt', 'c.txt']],
  ])('by %s, both ways, upwards by default', async (sortierung, expected) => {
    expect(await order(sortierung, 'auf')).toEqual(expected)
    expect(await order(sortierung)).toEqual(expected)
    expect(await order(sortierung, 'ab')).toEqual(expected.toReversed())
  })

  test('what a file says of its retrievals', async () => {
    const { dateien } = await on.list({ ordner: 'folge' })
    expect(dateien.map(file => file.abrufe)).toEqual([1, 0, 2])
    expect(dateien.map(file => file.zuletzt_abgerufen !== null)).toEqual([true, false, true])
  })

  test('without any it is by name', async () => {
    expect(names((await on.list({ ordner: 'folge' })).dateien)).toEqual(['a.txt', 'b.txt', 'c.txt'])
  })

  test.each(['sortierung=groesse', 'sortierung=path', 'sortierung=', 'richtung=asc', 'richtung='])(
    '%s: 400',
    async query => {
      await expectError(
        await on.get(`media?ordner=folge&${query}`),
        400,
        new RegExp(query.split('=')[0] ?? ''),
      )
    },
  )
})

describe('pages', () => {
  const all = Array.from({ length: 205 }, (_, at) => `${String(at).padStart(3, '0')}.txt`)
  beforeAll(() => on.fill('seiten', Object.fromEntries(all.map(name => [name, 'same size']))))

  test.each([30, 60, 120, 200])('%d at a time: every file once, then nothing', async anzahl => {
    for (const sortierung of ['name', 'size']) {
      const seen: string[] = []
      const last = Math.ceil(all.length / anzahl)
      for (let seite = 1; seite <= last; seite++) {
        const page = await on.list({ ordner: 'seiten', anzahl, seite, sortierung, richtung: 'ab' })
        expect(page).toMatchObject({ gesamt: 205, seite, anzahl })
        expect(page.dateien.length).toBe(seite < last ? anzahl : all.length - anzahl * (last - 1))
        seen.push(...(names(page.dateien) as string[]))
      }
      if (sortierung === 'name') expect(seen).toEqual(all.toReversed())
      else expect(seen.sort()).toEqual(all)
      const beyond = await on.list({ ordner: 'seiten', anzahl, seite: last + 1, sortierung })
      expect(beyond).toMatchObject({ dateien: [], gesamt: 205, seite: last + 1, anzahl })
    }
  })

  test('60 from page 1 when nothing is said; far beyond the end is empty too', async () => {
    const page = await on.list({ ordner: 'seiten' })
    expect([page.dateien.length, page.seite, page.anzahl]).toEqual([60, 1, 60])
    expect(await on.list({ ordner: 'seiten', seite: 999_999_999 })).toMatchObject({
      dateien: [],
      gesamt: 205,
    })
  })

  test.each([0, 1, 29, 31, 59, 100, 199, 201, 1000, -30, '30.5', '6e1', 'alle', '', '%2060'])(
    'anzahl=%s: 400',
    async anzahl => {
      await expectError(await on.get(`media?ordner=seiten&anzahl=${anzahl}`), 400, /anzahl/)
    },
  )

  test.each([0, -1, '1.5', 'x', '', '1e3', '99999999999999999999'])('seite=%s: 400', async seite => {
    await expectError(await on.get(`media?ordner=seiten&seite=${seite}`), 400, /seite/)
  })
})
