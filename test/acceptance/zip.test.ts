import { beforeAll, describe, expect, test } from 'bun:test'
import { bytesOf, exists, expectError, expectSameBytes, read, store } from '../support/api.ts'
import { EVERY_BYTE, randomBytes } from '../support/bytes.ts'
import { ADMIN_ENV, signIn } from '../support/dashboard.ts'
import { field, filePart, paths, refusedNames, send, sent } from '../support/ingest.ts'
import { sharedService } from '../support/shared-service.ts'
import { storesNothing } from '../support/usage.ts'
import {
  DEFLATED,
  ENCRYPTED,
  STORED,
  UNIX,
  unixMode,
  type ZipEntry,
  type ZipOptions,
  zip,
} from '../support/zip.ts'

const shared = sharedService({ env: { ...ADMIN_ENV, MAX_UPLOAD_MB: '1' } })
let session = ''
beforeAll(async () => {
  session = await signIn(shared.service)
})

let folders = 0
const freshFolder = () => `ordner${folders++}`

/** Uploads an archive of these entries into a folder of its own, which stands before every stored path. */
async function unpacked(entries: readonly ZipEntry[], options: ZipOptions = {}) {
  const folder = freshFolder()
  const answer = await sent(shared.service, session, [
    field('ordner', folder),
    filePart('Paket.zip', zip(entries, options)),
  ])
  return { ...answer, folder, stored: paths(answer).map(path => path.slice(folder.length + 1)) }
}
const text = async (path: string) => (await read(shared.service, path)).text()

describe('an archive is unpacked, not stored', () => {
  test('its folders are kept below the chosen one, everything in lower case', async () => {
    const big = randomBytes(7, 900_000)
    const { stored, abgelehnt, folder } = await unpacked([
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
        paths(await sent(shared.service, session, [field('ordner', folder), filePart(name, archive)])),
      ).toEqual([`${folder}/a.txt`])
    }
    const form = [field('pfade', '["Tief/Drin/p.zip"]'), filePart('p.zip', archive)]
    expect(paths(await sent(shared.service, session, form))).toEqual(['tief/drin/a.txt'])
  })

  test('an archive inside is stored as what it is', async () => {
    const inner = zip([{ name: '../../evil.txt', content: 'x' }])
    const { stored, folder } = await unpacked([{ name: 'innen.zip', content: inner }])
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
    const { stored, folder } = await unpacked([entry], options)
    expect(stored).toEqual(['a.txt'])
    expect(await text(`${folder}/a.txt`)).toBe('hello')
  })

  test('an empty archive gives nothing, and is nothing to complain of', async () => {
    const { stored, abgelehnt } = await unpacked([])
    expect([stored, abgelehnt]).toEqual([[], []])
  })

  test('folders and what systems leave behind are passed over in silence', async () => {
    const { stored, abgelehnt } = await unpacked([
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
    expect([stored, abgelehnt]).toEqual([['ordner/a.png'], []])
  })
})

const good: ZipEntry = { name: 'gut.txt', content: 'good' }

describe('entries are refused one by one, the others are stored', () => {
  test.each([
    '../evil.txt',
    '../../../../etc/passwd',
    'a/../../evil.txt',
    'a/..',
    '..',
    '/etc/passwd',
    '//server/share/evil.txt',
    'C:/evil.txt',
    'C:evil.txt',
    'C:\\evil.txt',
    '..\\evil.txt',
    'a\\..\\..\\evil.txt',
    'a\\evil.txt',
    '\\\\server\\share\\evil.txt',
    './evil.txt',
    'a/./evil.txt',
    'a//evil.txt',
    '.../evil.txt',
    '..%2fevil.txt',
    '%2e%2e/evil.txt',
    '..\u2215evil.txt',
    '\uFF0E\uFF0E/evil.txt',
    'evil.txt\u0000.png',
    ' ../evil.txt',
    '~/evil.txt',
  ])('%p leads nowhere', async name => {
    const { stored, abgelehnt } = await unpacked([{ name, content: 'evil' }, good])
    expect(stored).toEqual(['gut.txt'])
    expect(abgelehnt.map(entry => entry.name)).toEqual([name])
    expect(abgelehnt[0]!.grund).toMatch(/^Der Pfad ist ungültig/)
  })

  test.each<[string, ZipEntry, RegExp]>([
    ['encrypted', { name: 'a.txt', content: 'x', flags: ENCRYPTED }, /verschlüsselt/],
    [
      'a symbolic link',
      { name: 'a.txt', content: '/etc/passwd', attributes: unixMode(0o120777) },
      /Verknüpfung/,
    ],
    [
      'a link, packed elsewhere',
      { name: 'a.txt', content: 'x', madeBy: 20, attributes: unixMode(0o120777) },
      /Verkn/,
    ],
    [
      'a device',
      { name: 'a.txt', content: 'x', madeBy: UNIX, attributes: unixMode(0o020666) },
      /Verknüpfung/,
    ],
    ['a pipe', { name: 'a.txt', content: 'x', attributes: unixMode(0o010666) }, /Verknüpfung/],
    ['a socket', { name: 'a.txt', content: 'x', attributes: unixMode(0o140666) }, /Verknüpfung/],
    ['another method', { name: 'a.txt', content: 'x', method: 12 }, /gepackt/],
    ['a wrong checksum', { name: 'a.txt', content: 'hello', crc: 1 }, /beschädigt/],
    ['a wrong checksum, stored', { name: 'a.txt', content: 'hello', method: STORED, crc: 1 }, /beschädigt/],
    ['fewer bytes than announced', { name: 'a.txt', content: 'hello', size: 6 }, /beschädigt/],
    [
      'bytes that are not deflated',
      { name: 'a.txt', content: 'hello', packed: Buffer.from('nonsense') },
      /beschädigt/,
    ],
    [
      'bytes that end too early',
      { name: 'a.txt', content: randomBytes(1, 5000), packedSize: 100 },
      /beschädigt/,
    ],
    ['empty', { name: 'a.txt', content: '' }, /ist leer/],
    ['too large', { name: 'a.txt', content: randomBytes(1, 1024 * 1024 + 1) }, /MAX_UPLOAD_MB/],
    ['hidden', { name: '.a.txt', content: 'x' }, /Pfad ist ungültig/],
    ['with a leading underscore', { name: '_a.txt', content: 'x' }, /Pfad ist ungültig/],
    ['with a blank', { name: 'a b.txt', content: 'x' }, /Pfad ist ungültig/],
    ['not ASCII, in UTF-8', { name: 'ä.txt', content: 'x' }, /Pfad ist ungültig/],
    [
      'not ASCII, in the old encoding',
      { name: Buffer.from([0x84, 0x2e, 0x74]), content: 'x', flags: 0 },
      /ungültig/,
    ],
    ['too deep', { name: '1/2/3/4/5/6/7/8.txt', content: 'x' }, /8 Ebenen/],
    ['too long', { name: `${'x'.repeat(250)}.txt`, content: 'x' }, /200 Zeichen/],
    ['far too long', { name: 'x'.repeat(60_000), content: 'x' }, /200 Zeichen/],
    ['without a name', { name: '', content: 'x' }, /Pfad ist ungültig/],
  ])('%s', async (_, entry, reason) => {
    const { stored, abgelehnt } = await unpacked([good, entry, { name: 'auch-gut.txt', content: 'y' }])
    expect(stored).toEqual(['gut.txt', 'auch-gut.txt'])
    expect(abgelehnt.length).toBe(1)
    expect(abgelehnt[0]!.grund).toMatch(reason)
    expect(abgelehnt[0]!.name.length).toBeLessThan(400)
  })

  test('exactly MAX_UPLOAD_MB is allowed', async () => {
    const { stored } = await unpacked([
      { name: 'a.bin', content: randomBytes(1, 1024 * 1024), method: STORED },
    ])
    expect(stored).toEqual(['a.bin'])
  })

  test('a second entry of the same name, also after lower-casing: the first one stays', async () => {
    const { stored, abgelehnt, folder } = await unpacked([
      { name: 'a.txt', content: 'first' },
      { name: 'a.txt', content: 'second' },
      { name: 'A.TXT', content: 'third' },
      { name: 'b.txt', content: 'other' },
    ])
    expect(stored).toEqual(['a.txt', 'b.txt'])
    expect(abgelehnt.map(entry => entry.name)).toEqual(['a.txt', 'A.TXT'])
    expect(abgelehnt[0]!.grund).toMatch(/mehrmals vor/)
    expect(await text(`${folder}/a.txt`)).toBe('first')
  })

  test('a path that is taken, with and without overwriting', async () => {
    const folder = freshFolder()
    await store(shared.service, shared.token, `${folder}/a.txt`, 'old')
    const form = [
      field('ordner', folder),
      filePart(
        'p.zip',
        zip([
          { name: 'a.txt', content: 'new' },
          { name: 'b.txt', content: 'new' },
        ]),
      ),
    ]
    const first = await sent(shared.service, session, form)
    expect([paths(first), refusedNames(first)]).toEqual([[`${folder}/b.txt`], ['a.txt']])
    expect(await text(`${folder}/a.txt`)).toBe('old')
    const second = await sent(shared.service, session, [...form, field('ueberschreiben', 'true')])
    expect([paths(second), refusedNames(second)]).toEqual([[`${folder}/a.txt`, `${folder}/b.txt`], []])
    expect(await text(`${folder}/a.txt`)).toBe('new')
  })
})

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
        await send(shared.service, session, [filePart('p.zip', bytes)]),
        400,
        /Archiv ist beschädigt/,
      )
    })
  })

  test('among other files it is one that is refused', async () => {
    const folder = freshFolder()
    const answer = await sent(shared.service, session, [
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
    await expectError(await send(shared.service, session, [filePart('p.zip', '')]), 400, /leer/)
  })

  test('what is no .zip by its name is stored, whatever it contains', async () => {
    const folder = freshFolder()
    const form = [
      field('ordner', folder),
      filePart('brief.docx', zip([good])),
      filePart('spiel.jar', zip([good])),
    ]
    expect(paths(await sent(shared.service, session, form))).toEqual([
      `${folder}/brief.docx`,
      `${folder}/spiel.jar`,
    ])
  })
})
