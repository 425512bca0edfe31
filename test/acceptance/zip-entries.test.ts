import { describe, expect, test } from 'bun:test'
import { read, store } from '../support/api.ts'
import { randomBytes } from '../support/bytes.ts'
import {
  field,
  filePart,
  freshFolder,
  paths,
  refusedNames,
  sendOk,
  uploadArchive,
} from '../support/ingest.ts'
import { signedInService } from '../support/shared-service.ts'
import { ENCRYPTED, STORED, UNIX, unixMode, type ZipEntry, type ZipOptions, zip } from '../support/zip.ts'

const shared = signedInService({ env: { MAX_UPLOAD_MB: '1' } })
const unpack = (entries: readonly ZipEntry[], options?: ZipOptions) =>
  uploadArchive(shared.service, shared.session, entries, options)
const text = async (path: string) => (await read(shared.service, path)).text()

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
    const { stored, abgelehnt } = await unpack([{ name, content: 'evil' }, good])
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
    const { stored, abgelehnt } = await unpack([good, entry, { name: 'auch-gut.txt', content: 'y' }])
    expect(stored).toEqual(['gut.txt', 'auch-gut.txt'])
    expect(abgelehnt.length).toBe(1)
    expect(abgelehnt[0]!.grund).toMatch(reason)
    expect(abgelehnt[0]!.name.length).toBeLessThan(400)
  })

  test('exactly MAX_UPLOAD_MB is allowed', async () => {
    const { stored } = await unpack([{ name: 'a.bin', content: randomBytes(1, 1024 * 1024), method: STORED }])
    expect(stored).toEqual(['a.bin'])
  })

  test('a second entry of the same name, also after lower-casing: the first one stays', async () => {
    const { stored, abgelehnt, folder } = await unpack([
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
    const first = await sendOk(shared.service, shared.session, form)
    expect([paths(first), refusedNames(first)]).toEqual([[`${folder}/b.txt`], ['a.txt']])
    expect(await text(`${folder}/a.txt`)).toBe('old')
    const second = await sendOk(shared.service, shared.session, [...form, field('ueberschreiben', 'true')])
    expect([paths(second), refusedNames(second)]).toEqual([[`${folder}/a.txt`, `${folder}/b.txt`], []])
    expect(await text(`${folder}/a.txt`)).toBe('new')
  })
})
