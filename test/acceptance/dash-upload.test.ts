import { beforeAll, describe, expect, test } from 'bun:test'
import { bytesOf, exists, expectError, expectSameBytes, read, store } from '../support/api.ts'
import { EVERY_BYTE, randomBytes, sha256 } from '../support/bytes.ts'
import { ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { field, filePart, paths, refusedNames, send, sent } from '../support/ingest.ts'
import { png } from '../support/pictures.ts'
import { sharedService } from '../support/shared-service.ts'
import { storesNothing } from '../support/usage.ts'

const KILOBYTE = 1024
const shared = sharedService({
  env: { ...ADMIN_ENV, PUBLIC_URL: 'https://media.example', MAX_UPLOAD_MB: '0.0625' },
})
let session = ''
beforeAll(async () => {
  session = await signIn(shared.service)
})
const upload = (...parts: Parameters<typeof sent>[2]) => sent(shared.service, session, parts)
const refused = (...parts: Parameters<typeof sent>[2]) => send(shared.service, session, parts)

describe('who may', () => {
  test('nobody without a session, not even with a token', async () => {
    const { service, token } = shared
    await storesNothing(service.dataDir, async () => {
      await expectError(await send(service, '', [filePart('a.txt', 'a')]), 401)
      const headers = { Authorization: `Bearer ${token}` }
      await expectError(await send(service, '', [filePart('a.txt', 'a')], headers), 401)
    })
  })

  test('no page of another site', async () => {
    const { service } = shared
    await storesNothing(service.dataDir, async () => {
      const form = [filePart('a.txt', 'a')]
      await expectError(await send(service, session, form, { Origin: 'https://evil.example' }), 403)
    })
  })
})

describe('what is stored', () => {
  test('the answer, field by field, and the bytes at its address', async () => {
    const picture = await png({ width: 20, height: 10 })
    const answer = await upload(field('ordner', 'bilder/neu'), filePart('Foto.PNG', picture, 'image/png'))
    const [file] = answer.gespeichert
    expect(answer).toEqual({ gespeichert: [file!], abgelehnt: [] })
    expect(file).toMatchObject({
      path: 'bilder/neu/foto.png',
      url: 'https://media.example/f/bilder/neu/foto.png',
      size: picture.length,
      sha256: sha256(picture),
      mime: 'image/png',
      art: 'bilder',
      abrufe: 0,
      zuletzt_abgerufen: null,
    })
    expect(Math.abs(Date.now() - file!.updated_at)).toBeLessThan(60_000)
    expect(file).not.toHaveProperty('token_id')
    expectSameBytes(await bytesOf(await read(shared.service, 'bilder/neu/foto.png')), picture)
  })

  test('name and folder in lower case; the folder with or without its final slash; none is the top', async () => {
    expect(paths(await upload(field('ordner', 'Gross/Klein/'), filePart('ABC.png', 'x')))).toEqual([
      'gross/klein/abc.png',
    ])
    expect(paths(await upload(filePart('Oben.txt', 'x')))).toEqual(['oben.txt'])
    expect(paths(await upload(field('ordner', ''), filePart('Oben2.txt', 'x')))).toEqual(['oben2.txt'])
  })

  test('any number of files, bytes untouched, fields after the files', async () => {
    const contents = Array.from({ length: 300 }, (_, at) => randomBytes(at + 1, 50 + at))
    const files = contents.map((content, at) => filePart(`${at}.bin`, content))
    const answer = await upload(...files, field('ordner', 'viele'), field('ueberschreiben', 'false'))
    expect(paths(answer)).toEqual(contents.map((_, at) => `viele/${at}.bin`))
    for (const at of [0, 150, 299]) {
      expectSameBytes(await bytesOf(await read(shared.service, `viele/${at}.bin`)), contents[at]!)
    }
  })

  test('what the history says: who, what', async () => {
    await upload(filePart('geschichte.txt', 'x'))
    const response = await dash(shared.service, 'verlauf', { session })
    const { eintraege } = (await response.json()) as {
      eintraege: { was: string; pfad: string; wer: string }[]
    }
    expect(eintraege[0]).toMatchObject({ was: 'hochgeladen', pfad: 'geschichte.txt', wer: 'admin' })
  })
})

describe('a path that is taken', () => {
  test('is refused by default, and stays as it is', async () => {
    await store(shared.service, shared.token, 'belegt/a.txt', 'first')
    for (const more of [[], [field('ueberschreiben', 'false')]]) {
      const answer = await upload(field('ordner', 'belegt'), filePart('A.txt', 'second'), ...more)
      expect(answer.gespeichert).toEqual([])
      expect(answer.abgelehnt).toEqual([
        {
          name: 'A.txt',
          grund: 'Unter „belegt/a.txt“ liegt schon eine Datei; sie wurde nicht überschrieben.',
        },
      ])
    }
    expect(await (await read(shared.service, 'belegt/a.txt')).text()).toBe('first')
  })

  test('is overwritten when asked to, and the file is no token’s any more', async () => {
    await store(shared.service, shared.token, 'belegt/b.txt', 'first')
    const answer = await upload(
      field('ordner', 'belegt'),
      field('ueberschreiben', 'true'),
      filePart('b.txt', 'second'),
    )
    expect(paths(answer)).toEqual(['belegt/b.txt'])
    expect(answer.gespeichert[0]).not.toHaveProperty('token_id')
    expect(await (await read(shared.service, 'belegt/b.txt')).text()).toBe('second')
  })

  test('two names that become one: the second is refused, also when overwriting', async () => {
    const answer = await upload(
      field('ueberschreiben', 'true'),
      field('ordner', 'doppelt'),
      filePart('Bild.png', 'first'),
      filePart('bild.PNG', 'second'),
    )
    expect(paths(answer)).toEqual(['doppelt/bild.png'])
    expect(refusedNames(answer)).toEqual(['bild.PNG'])
    expect(answer.abgelehnt[0]!.grund).toMatch(/„doppelt\/bild\.png“ kommt .* mehrmals vor/)
    expect(await (await read(shared.service, 'doppelt/bild.png')).text()).toBe('first')
  })
})

describe('each file is judged by itself', () => {
  test('too large, empty, invalid: refused with the reason, the others are stored', async () => {
    const answer = await upload(
      field('ordner', 'gemischt'),
      filePart('gut1.txt', 'one'),
      filePart('zu-gross.bin', randomBytes(1, 64 * KILOBYTE + 1)),
      filePart('gut2.txt', 'two'),
      filePart('leer.txt', ''),
      filePart('.versteckt', 'x'),
      filePart('mit leerzeichen.txt', 'x'),
      filePart('_unterstrich.txt', 'x'),
      filePart('', 'x'),
      filePart('genau.bin', randomBytes(2, 64 * KILOBYTE)),
      filePart('umlaut-ä.txt', 'x'),
      filePart('\u212Aelvin.txt', 'x'),
      filePart('viel-zu-gross.bin', randomBytes(3, 4_000_000)),
      filePart('gut3.bin', EVERY_BYTE),
    )
    expect(paths(answer)).toEqual(
      ['gut1.txt', 'gut2.txt', 'genau.bin', 'gut3.bin'].map(name => `gemischt/${name}`),
    )
    expect(refusedNames(answer)).toEqual([
      'zu-gross.bin',
      'leer.txt',
      '.versteckt',
      'mit leerzeichen.txt',
      '_unterstrich.txt',
      '',
      'umlaut-ä.txt',
      '\u212Aelvin.txt',
      'viel-zu-gross.bin',
    ])
    const reasons = Object.fromEntries(answer.abgelehnt.map(({ name, grund }) => [name, grund]))
    expect(reasons['zu-gross.bin']).toMatch(/größer als die hier erlaubten 64 KB \(MAX_UPLOAD_MB\)/)
    expect(reasons['leer.txt']).toBe('Die Datei ist leer.')
    expect(reasons['.versteckt']).toMatch(/^Der Pfad ist ungültig: jeder Abschnitt beginnt mit/)
    expectSameBytes(await bytesOf(await read(shared.service, 'gemischt/gut3.bin')), EVERY_BYTE)
    expect(await exists(shared.service, shared.token, 'gemischt/zu-gross.bin')).toBe(false)
  })

  test('all refused: 200 all the same, with every reason', async () => {
    await storesNothing(shared.service.dataDir, async () => {
      const answer = await upload(filePart('.a', 'x'), filePart('b c', 'x'))
      expect([answer.gespeichert, answer.abgelehnt.length]).toEqual([[], 2])
    })
  })
})

describe('folders that came along', () => {
  test('in the file name', async () => {
    const answer = await upload(
      field('ordner', 'ziel'),
      filePart('Urlaub/Tag 1/a.png', 'x'),
      filePart('Urlaub/B.png', 'y'),
    )
    expect(paths(answer)).toEqual(['ziel/urlaub/b.png'])
    expect(refusedNames(answer)).toEqual(['Urlaub/Tag 1/a.png'])
  })

  test('in the list `pfade`, before or after the files; an empty entry leaves the file its own name', async () => {
    const list = field('pfade', JSON.stringify(['Alben/Eins/a.png', '', 'Alben/b.png']))
    const files = ['a.png', 'Eigen.png', 'b.png'].map(name => filePart(name, `content of ${name}`))
    const expected = ['alben/eins/a.png', 'eigen.png', 'alben/b.png']
    expect(paths(await upload(field('ordner', 'vor'), list, ...files))).toEqual(
      expected.map(path => `vor/${path}`),
    )
    expect(paths(await upload(...files, list, field('ordner', 'nach')))).toEqual(
      expected.map(path => `nach/${path}`),
    )
    expect(await (await read(shared.service, 'nach/alben/b.png')).text()).toBe('content of b.png')
  })

  test.each([
    '../a.png',
    'a/../b.png',
    '..',
    '/etc/a.png',
    'a//b.png',
    'a/',
    'C:\\bilder\\a.png',
    '..\\a.png',
    'a\\b.png',
    './a.png',
    'C:/a.png',
    '1/2/3/4/5/6/7/8/9.png',
    `${'x'.repeat(200)}.png`,
    'a\u0000.png',
  ])('%p is refused, never corrected', async path => {
    await storesNothing(shared.service.dataDir, async () => {
      const answer = await upload(filePart('a.png', 'x'), field('pfade', JSON.stringify([path])))
      expect(refusedNames(answer)).toEqual([path])
      expect(answer.abgelehnt[0]!.grund).toMatch(/^Der Pfad ist ungültig/)
    })
  })

  test('folder and name together must fit', async () => {
    const deep = '1/2/3/4/5/6/7'
    expect(paths(await upload(field('ordner', deep), filePart('a.png', 'x')))).toEqual([`${deep}/a.png`])
    expect(refusedNames(await upload(field('ordner', `${deep}/8`), filePart('a.png', 'x')))).toEqual([
      'a.png',
    ])
  })
})

describe('a form that is wrong as a whole stores nothing', () => {
  const good = filePart('gut.txt', 'x')
  test.each([
    ['no file', [field('ordner', 'x')], 400, /„file“/],
    ['a file in another field', [{ ...good, name: 'datei' }], 400, /„file“/],
    ['a folder that is none', [good, field('ordner', '../x')], 400, /„ordner“/],
    ['a folder that is absolute', [good, field('ordner', '/x')], 400, /„ordner“/],
    ['a folder with a backslash', [field('ordner', 'a\\b'), good], 400, /„ordner“/],
    ['neither true nor false', [good, field('ueberschreiben', 'ja')], 400, /„ueberschreiben“/],
    ['paths that are no JSON', [good, field('pfade', 'gut.txt')], 400, /„pfade“/],
    ['paths that are no list', [good, field('pfade', '{"a":1}')], 400, /„pfade“/],
    ['paths that are no texts', [good, field('pfade', '[1]')], 400, /„pfade/],
    ['too few paths', [good, good, field('pfade', '["a"]')], 400, /„pfade“/],
    ['too many paths', [good, field('pfade', '["a","b"]')], 400, /„pfade“/],
    ['too many files', Array(1001).fill(good), 413, /höchstens 1000 Dateien/],
  ] as const)('%s', async (_, parts, status, about) => {
    await storesNothing(shared.service.dataDir, async () => {
      await expectError(await refused(...parts), status, about)
    })
  })

  test('no form at all', async () => {
    const response = await dash(shared.service, 'upload', { session, json: { file: 'x' } })
    await expectError(response, 400, /„file“/)
  })

  test('a form that is cut off', async () => {
    const { service } = shared
    await storesNothing(service.dataDir, async () => {
      const whole = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nabc'
      const headers = {
        'Content-Type': 'multipart/form-data; boundary=b',
        Cookie: `fundus_sitzung=${session}`,
      }
      const response = await fetch(`${service.url}/api/dash/upload`, { method: 'POST', body: whole, headers })
      await expectError(response, 400)
    })
  })
})
