import { describe, expect, test } from 'bun:test'
import { bytesOf, exists, expectError, expectSameBytes, read } from '../support/api.ts'
import { EVERY_BYTE, randomBytes } from '../support/bytes.ts'
import {
  field,
  filePart,
  freshFolder,
  paths,
  refusedNames,
  send,
  sendOk,
  uploadArchive,
} from '../support/ingest.ts'
import { signedInService } from '../support/shared-service.ts'
import { storesNothing } from '../support/usage.ts'
import { DEFLATED, STORED, unixMode, type ZipEntry, type ZipOptions, zip } from '../support/zip.ts'

const shared = signedInService({ env: { MAX_UPLOAD_MB: '1' } })
const unpack = (entries: readonly ZipEntry[], options?: ZipOptions) =>
  uploadArchive(shared.service, shared.session, entries, options)
const text = async (path: string) => (await read(shared.service, path)).text()

describe('an archive is unpacked, not stored', () => {
  test('its folders are kept below the chosen one, everything in lower case', async () => {
    const big = randomBytes(7, 900_000)
    const { stored, abgelehnt, folder } = await unpack([
      { name: 'oben.txt', content: 'top', method: STORED },
      { name: 'Bilder/Neu/A.PNG', content: EVERY_BYTE },
      { name: 'Bilder/gross.bin', content: big },
    ])
    expect(stored).toEqual(['oben.txt', 'bilder/neu/a.png', 'bilder/gross.bin'])
    expect(abgelehnt).toEqual([])
    expect(await text(`${folder}/oben.txt`)).toBe('top')
    expectSameBytes(await bytesOf(await read(shared.service, `${folder}/bilder/neu/a.png`)), EVERY_BYTE)
    expectSameBytes(await bytesOf(await read(shared.service, `${folder}/bilder/gross.bin`)), big)
    expect(await exists(shared.service, shared.token, `${folder}/paket.zip`)).toBe(false)
  })

  test('whatever its own name is; its folder counts', async () => {
    const archive = zip([{ name: 'a.txt', content: 'x' }])
    for (const name of ['PAKET.ZIP', 'Mein Archiv (1).zip', '_ä.Zip']) {
      const folder = freshFolder()
      expect(
        paths(
          await sendOk(shared.service, shared.session, [field('ordner', folder), filePart(name, archive)]),
        ),
      ).toEqual([`${folder}/a.txt`])
    }
    const form = [field('pfade', '["Tief/Drin/p.zip"]'), filePart('p.zip', archive)]
    expect(paths(await sendOk(shared.service, shared.session, form))).toEqual(['tief/drin/a.txt'])
  })

  test('an archive inside is stored as what it is', async () => {
    const inner = zip([{ name: '../../evil.txt', content: 'x' }])
    const { stored, folder } = await unpack([{ name: 'innen.zip', content: inner }])
    expect(stored).toEqual(['innen.zip'])
    expectSameBytes(await bytesOf(await read(shared.service, `${folder}/innen.zip`)), inner)
  })

  test.each<[string, ZipEntry, ZipOptions]>([
    ['sizes after the bytes', { name: 'a.txt', content: 'hello', descriptor: true }, {}],
    ['fields for large archives', { name: 'a.txt', content: 'hello', zip64: true }, { zip64: true }],
    ['a comment', { name: 'a.txt', content: 'hello', comment: 'x' }, { comment: 'packed by hand' }],
    ['a name in the old encoding', { name: 'a.txt', content: 'hello', flags: 0 }, {}],
    ['attributes of DOS', { name: 'a.txt', content: 'hello', madeBy: 20, attributes: 0x20 }, {}],
    ['no attributes', { name: 'a.txt', content: 'hello', attributes: 0 }, {}],
    ['another name before the bytes', { name: 'a.txt', content: 'hello', localName: '../../b.txt' }, {}],
  ])('%s', async (_, entry, options) => {
    const { stored, folder } = await unpack([entry], options)
    expect(stored).toEqual(['a.txt'])
    expect(await text(`${folder}/a.txt`)).toBe('hello')
  })

  test('an empty archive gives nothing, and is nothing to complain of', async () => {
    const { stored, abgelehnt } = await unpack([])
    expect([stored, abgelehnt]).toEqual([[], []])
  })

  test('folders are passed over; what systems leave behind is refused by name', async () => {
    const { stored, abgelehnt } = await unpack([
      { name: 'ordner/' },
      { name: '../' },
      { name: 'dos-ordner', attributes: 0x10, madeBy: 20 },
      { name: 'unix-ordner', attributes: unixMode(0o040755) },
      { name: '__MACOSX/._a.png', content: 'x' },
      { name: 'sub/__MACOSX/a.png', content: 'x' },
      { name: '.DS_Store', content: 'x' },
      { name: 'sub/.DS_Store', content: 'x' },
      { name: 'sub/Thumbs.db', content: 'x' },
      { name: 'ordner/a.png', content: 'x' },
    ])
    expect(stored).toEqual(['ordner/a.png'])
    expect(abgelehnt.map(({ name, code }) => [name, code])).toEqual(
      ['__MACOSX/._a.png', 'sub/__MACOSX/a.png', '.DS_Store', 'sub/.DS_Store', 'sub/Thumbs.db'].map(name => [
        name,
        'entry-of-system',
      ]),
    )
  })
})

const good: ZipEntry = { name: 'gut.txt', content: 'good' }

describe('an archive that is none', () => {
  const whole = zip([{ name: 'a.txt', content: randomBytes(1, 2000), method: DEFLATED }, good])
  const broken: [string, Uint8Array][] = [
    ['text', Buffer.from('this is no archive')],
    ['one byte', Buffer.from('P')],
    ['cut off', whole.slice(0, -30)],
    ['its end alone', whole.slice(-22)],
    ['bytes after it', Buffer.concat([whole, Buffer.from('more')])],
    ['bytes before it', zip([good], { prefix: Buffer.alloc(100) })],
    ['fewer entries than it claims', zip([good], { count: 2 })],
    ['an entry beyond its end', zip([{ ...good, offset: 1_000_000 }])],
    ['an entry that begins nowhere', zip([{ ...good, offset: 5 }])],
    ['extra fields that are cut off', zip([{ ...good, extra: Buffer.from([1, 0, 99, 0, 1]) }])],
  ]

  test.each(broken)('%s: 400, and nothing is stored', async (_, bytes) => {
    await storesNothing(shared.service.dataDir, async () => {
      await expectError(
        await send(shared.service, shared.session, [filePart('p.zip', bytes)]),
        400,
        /Archiv ist beschädigt/,
      )
    })
  })

  test('among other files it is one that is refused', async () => {
    const folder = freshFolder()
    const answer = await sendOk(shared.service, shared.session, [
      filePart('a.txt', 'a'),
      filePart('kaputt.zip', 'this is no archive'),
      filePart('ganz.zip', zip([good])),
      field('ordner', folder),
    ])
    expect(paths(answer)).toEqual([`${folder}/a.txt`, `${folder}/gut.txt`])
    expect(refusedNames(answer)).toEqual(['kaputt.zip'])
    expect(answer.abgelehnt[0]!.grund).toMatch(/Archiv ist beschädigt/)
  })

  test('an empty one is an empty file', async () => {
    await expectError(await send(shared.service, shared.session, [filePart('p.zip', '')]), 400, /leer/)
  })

  test('what is no .zip by its name is stored, whatever it contains', async () => {
    const folder = freshFolder()
    const form = [
      field('ordner', folder),
      filePart('brief.docx', zip([good])),
      filePart('spiel.jar', zip([good])),
    ]
    expect(paths(await sendOk(shared.service, shared.session, form))).toEqual([
      `${folder}/brief.docx`,
      `${folder}/spiel.jar`,
    ])
  })
})
