import { describe, expect, test } from 'bun:test'
import { bytesOf, exists, expectSameBytes, read, store } from '../support/api.ts'
import { EVERY_BYTE, randomBytes, sha256 } from '../support/bytes.ts'
import { dash } from '../support/dashboard.ts'
import { field, filePart, paths, refusedNames, sendOk } from '../support/ingest.ts'
import { png } from '../support/pictures.ts'
import { signedInService } from '../support/shared-service.ts'
import { storesNothing } from '../support/usage.ts'

const KILOBYTE = 1024
const shared = signedInService({
  env: { PUBLIC_URL: 'https://media.example', MAX_UPLOAD_MB: '0.0625' },
})
const upload = (...parts: Parameters<typeof sendOk>[2]) => sendOk(shared.service, shared.session, parts)

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
    const response = await dash(shared.service, 'verlauf', { session: shared.session })
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
          code: 'path-taken',
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
