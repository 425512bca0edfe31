import { describe, expect, test } from 'bun:test'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { useFolder } from '../../../../test/support/folder.ts'
import {
  MANIFEST_ENTRY,
  type Manifest,
  WHOLE_ARCHIVE_FORMAT,
} from '../../../contract/service/backup-archive.ts'
import { BackupTrouble } from '../../../errors/errors.ts'
import { openArchive } from './archive-reader.ts'
import { createArchiveWriter } from './archive-writer.ts'
import { verifyArchive } from './verify.ts'

const root = await useFolder()

const LONG = `dateien/${'lang/'.repeat(6)}${'x'.repeat(150)}.bin`
const manifest: Omit<Manifest, 'pruefsummen_ab'> = {
  format: WHOLE_ARCHIVE_FORMAT,
  dienst: 'Fundus',
  version: '0',
  zeit: 1,
  schema: ['0001-heart'],
  tabellen: { media: 1 },
  zaehler: {},
  dateien: 3,
  papierkorb: 0,
  bytes: 1803,
  fehlend: { anzahl: 0, namen: [] },
  veraendert: { anzahl: 0, namen: [] },
}

async function build(file: string, names = ['dateien/a.txt', LONG, 'papierkorb/1/b.png']): Promise<Buffer> {
  await using writer = await createArchiveWriter(file, 1_700_000_000_000)
  const rows = ['{"nr":1}\n', '{"nr":2}\n']
  await writer.appendEntry(
    'datenbank/media.jsonl',
    rows.map(row => Buffer.from(row)),
  )
  for (const [at, name] of names.entries())
    await writer.appendEntry(name, [Buffer.alloc(3 + 600 * at, `${at}`)])
  await writer.finish(manifest)
  return readFile(file)
}
const whole = await build(join(root, 'whole.tar'))

/** The message with which these bytes are refused; null if they are accepted. */
async function refusal(bytes: Uint8Array): Promise<string | null> {
  const file = join(root, 'changed.tar')
  await writeFile(file, bytes)
  await using archive = await openArchive(file)
  try {
    await verifyArchive(archive)
    return null
  } catch (error) {
    if (!(error instanceof BackupTrouble)) throw error
    return error.sentence
  }
}
const flipped = (at: number, mask = 1) => {
  const bytes = Buffer.from(whole)
  bytes[at]! ^= mask
  return bytes
}
const positionOf = (text: string) => whole.indexOf(text)

test('an archive as it was written is taken', async () => {
  expect(await refusal(whole)).toBeNull()
})

describe('one other byte is refused, with the name of what is broken', () => {
  const listAt = whole.lastIndexOf('pruefsummen.sha256')
  test.each([
    ['the content of a table', positionOf('{"nr":2}'), /datenbank\/media\.jsonl/],
    ['the content of a file', positionOf('111111'), /lang\/x+\.bin/],
    ['the name of a file', positionOf('dateien/a.txt'), /hinter „datenbank\/media\.jsonl“/],
    ['the end of a long name', positionOf(LONG) + LONG.length - 1, /lang\/x+/],
    ['a header', positionOf('ustar') + 100, /manifest\.json/],
    ['the padding of a file', positionOf('dateien/a.txt') + 512 + 100, /dateien\/a\.txt/],
    ['the manifest', positionOf('"dienst"') + 12, /manifest\.json/],
    ['blanks behind the manifest', positionOf('"pruefsummen_ab"') + 500, /manifest\.json/],
    ['the position of the list', positionOf('"pruefsummen_ab"') + 18, /manifest\.json|abgeschnitten/],
    ['the format', positionOf('"format": 1') + 10, /manifest\.json/],
    ['a checksum', listAt + 512 + 70, /manifest\.json/],
    ['the case of a checksum', listAt + 512 + whole.subarray(listAt + 512).indexOf('a'), /„.+“/],
    ['a name in the list', whole.lastIndexOf('papierkorb/1/b.png'), /papierkorb\/1\/b\.png/],
    ['the last line end of the list', whole.lastIndexOf('\n'), /papierkorb\/1\/b\.png/],
    ['the end', whole.length - 1, /Ende/],
    ['the beginning of the end', whole.length - 1024, /Ende/],
  ] as const)('%s', async (_, at, about) => {
    expect(at).toBeGreaterThan(0)
    expect(await refusal(flipped(at, 0x20))).toMatch(about)
    expect(await refusal(flipped(at, 0x01))).toMatch(/./)
  })

  test('the last line end of the list becomes the beginning of a character', async () => {
    const at = whole.lastIndexOf('\n')
    for (const byte of [0xc5, 0xe2, 0xf0])
      expect(await refusal(flipped(at, '\n'.charCodeAt(0) ^ byte))).toMatch(/papierkorb\/1\/b\.png/)
  })

  test('wherever it is', async () => {
    const structure = fc.integer({ min: positionOf('datenbank/'), max: whole.length - 1 })
    const anywhere = fc.integer({ min: 0, max: whole.length - 1 })
    await fc.assert(
      fc.asyncProperty(fc.oneof(structure, anywhere), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        expect([at, mask, await refusal(flipped(at, mask))]).toEqual([
          at,
          mask,
          expect.stringMatching(/^\p{Lu}.+\.$/u),
        ])
      }),
      { numRuns: 600 },
    )
  })
})

describe('refused in a sentence', () => {
  test('cut off, wherever, also in the header of the list', async () => {
    const listAt = whole.lastIndexOf('pruefsummen.sha256')
    for (const length of [listAt - 1, listAt, listAt + 1, listAt + 511, listAt + 512, whole.length - 1])
      expect(await refusal(whole.subarray(0, length))).toMatch(/abgeschnitten/)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: whole.length - 1 }), async length => {
        expect(await refusal(whole.subarray(0, length))).toMatch(/abgeschnitten|kein Archiv/)
      }),
      { numRuns: 50 },
    )
  })

  test.each([1, 512, 1024, 10_240])('%d bytes more than it should have', async more => {
    expect(await refusal(Buffer.concat([whole, Buffer.alloc(more)]))).toMatch(/Hinter dem Ende/)
  })

  test.each([
    ['dateien/../../etc/passwd'],
    ['/etc/passwd'],
    ['dateien//a'],
    ['dateien/a\\b'],
    ['dateien/.versteckt'],
    ['papierkorb/x/a.png'],
    ['datenbank/../media.jsonl'],
    ['anderes'],
  ])('the name %s', async name => {
    expect(await refusal(await build(join(root, `${Bun.hash(name)}.tar`), [name]))).toContain(
      JSON.stringify(name),
    )
  })

  test('a format that this version does not know', async () => {
    const bytes = Buffer.from(whole)
    bytes.write('3', positionOf('"format": 1') + 10)
    expect(await refusal(bytes)).toMatch(/manifest\.json.*Format 3/)
  })

  test('another archive, an empty file, a folder, nothing', async () => {
    expect(await refusal(Buffer.alloc(10_240))).toMatch(/kein Archiv von Fundus/)
    expect(await refusal(Buffer.from('hello'))).toMatch(/kein Archiv von Fundus/)
    expect(await refusal(Buffer.alloc(0))).toMatch(/kein Archiv von Fundus/)
    await expect(openArchive(root)).rejects.toThrow(/es ist ein Ordner/)
    await expect(openArchive(join(root, 'nothing.tar'))).rejects.toThrow(/es gibt es nicht/)
  })

  test('two entries that changed places, and one that is there twice', async () => {
    const start = positionOf('dateien/a.txt')
    const entry = whole.subarray(start, start + 1024)
    const doubled = Buffer.concat([whole.subarray(0, start), entry, whole.subarray(start)])
    expect(await refusal(doubled)).not.toBeNull()
    const table = positionOf('datenbank/media.jsonl')
    const swapped = Buffer.concat([
      whole.subarray(0, table),
      entry,
      whole.subarray(table, start),
      whole.subarray(start + 1024),
    ])
    expect(await refusal(swapped)).toContain('dateien/a.txt')
  })
})

test('a stopped look ends with its reason', async () => {
  await using archive = await openArchive(join(root, 'whole.tar'))
  const verifying = verifyArchive(archive, { signal: AbortSignal.abort(new Error('enough')) })
  await expect(verifying).rejects.toThrow('enough')
})

test('a manifest that is no JSON is named', async () => {
  const bytes = Buffer.from(whole)
  bytes.write('nonsense', positionOf('{\n'))
  expect(await refusal(bytes)).toContain(MANIFEST_ENTRY)
})
