/** Names in ZIP archives: their encoding, and how they are repaired if the client asks for it. */
import { describe, expect, test } from 'bun:test'
import { field, filePart, freshFolder, paths, refusedNames, sendOk } from '../support/ingest.ts'
import { signedInService } from '../support/shared-service.ts'
import { type ZipEntry, zip } from '../support/zip.ts'

const shared = signedInService()

async function unpack(entries: readonly ZipEntry[], repair?: string) {
  const folder = freshFolder()
  const answer = await sendOk(shared.service, shared.session, [
    field('ordner', folder),
    ...(repair === undefined ? [] : [field('namen_anpassen', repair)]),
    filePart('Paket.zip', zip(entries)),
  ])
  return { stored: paths(answer).map(path => path.slice(folder.length + 1)), refused: refusedNames(answer) }
}

/** Without the UTF-8 flag. */
const old = (...bytes: (number | string)[]) => ({
  name: Buffer.concat(bytes.map(each => (typeof each === 'string' ? Buffer.from(each) : Buffer.of(each)))),
  content: 'x',
  flags: 0,
})

/** How archivers store `Über Größe.txt`. */
const WRITTEN: [packer: string, entry: ZipEntry][] = [
  ['with the flag for UTF-8', { name: 'Über Größe.txt', content: 'x' }],
  ['in code page 437, without the flag', old(0x9a, 'ber Gr', 0x94, 0xe1, 'e.txt')],
  ['in UTF-8 without the flag, as macOS does', old('Über Größe.txt')],
  ['in UTF-8 without the flag, its letters taken apart', old('Über Größe.txt'.normalize('NFD'))],
]

describe('umlauts in the names of a ZIP', () => {
  test.each(WRITTEN)('%s: repaired as for single files, when asked for', async (_, entry) => {
    expect(await unpack([entry, { name: 'Gut.txt', content: 'y' }], 'true')).toEqual({
      stored: ['ueber-groesse.txt', 'gut.txt'],
      refused: [],
    })
  })

  test.each(WRITTEN)('%s: refused under its right name otherwise', async (_, entry) => {
    for (const repair of [undefined, 'false']) {
      const { stored, refused } = await unpack([entry, { name: 'gut.txt', content: 'y' }], repair)
      expect([stored, refused.map(name => name.normalize('NFC'))]).toEqual([['gut.txt'], ['Über Größe.txt']])
    }
  })
})

test('folders are repaired too; what has a valid name keeps it', async () => {
  const names = ['Schöne Bilder/Foto (2).PNG', '.versteckt/a.txt', 'a/b_c.txt', '_x.txt']
  const { stored, refused } = await unpack(
    names.map(name => ({ name, content: 'x' })),
    'true',
  )
  expect(stored).toEqual(['schoene-bilder/foto-2.png', 'versteckt/a.txt', 'a/b_c.txt', 'x.txt'])
  expect(refused).toEqual([])
})

test('two names that become one: the first is stored, the second refused', async () => {
  const entries = ['ä.txt', 'ae.txt'].map(name => ({ name, content: name }))
  expect(await unpack(entries, 'true')).toEqual({ stored: ['ae.txt'], refused: ['ae.txt'] })
})

test.each([
  '../evil.txt',
  'a/../../evil.txt',
  'ä/../evil.txt',
  './evil.txt',
  '/etc/passwd',
  'a//b.txt',
  'C:/evil.txt',
  'C:evil.txt',
  'a\\evil.txt',
  '..\\evil.txt',
  'evil.txt\u0000.png',
  '',
  '1/2/3/4/5/6/7/8.txt',
  `${'ä'.repeat(290)}/${'x'.repeat(250)}.txt`,
])('%j is refused all the same', async name => {
  const { stored, refused } = await unpack(
    [
      { name, content: 'evil' },
      { name: 'gut.txt', content: 'y' },
    ],
    'true',
  )
  expect([stored, refused.length]).toEqual([['gut.txt'], 1])
})
