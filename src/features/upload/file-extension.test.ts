import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isValidPath } from '../../contract/paths/path-rules.ts'
import { extensionFor } from './file-extension.ts'

describe('extensionFor', () => {
  const PNG = Buffer.from('89504e470d0a1a0a0000000d494844520000000100000001080600000', 'hex')
  const NOTHING = new Uint8Array()
  const extensionOf = (given: Partial<Parameters<typeof extensionFor>[0]>) =>
    extensionFor({ mime: null, filename: '', firstBytes: NOTHING, declaredType: '', ...given })

  test.each([
    [
      'X-Mime before all else',
      { mime: 'audio/mpeg', filename: 'a.png', firstBytes: PNG, declaredType: 'text/html' },
      'mp3',
    ],
    ['X-Mime with parameters, in capitals', { mime: 'Image/JPEG; q=1' }, 'jpg'],
    ['an X-Mime that nobody knows', { mime: 'x-no/such', declaredType: '' }, 'bin'],
    ['then the name', { filename: 'a.jpg', firstBytes: PNG, declaredType: 'text/html' }, 'jpg'],
    ['a name in capitals', { filename: 'SHOT.PNG' }, 'png'],
    ['a name of several dots', { filename: 'a.tar.gz' }, 'gz'],
    ['a name with a path', { filename: 'x.gif/y/z.mp3' }, 'mp3'],
    ['a name that tells nothing', { filename: 'blob', firstBytes: PNG, declaredType: 'text/html' }, 'png'],
    ['a name that tells nonsense', { filename: 'screenshot.undefined', firstBytes: PNG }, 'png'],
    ['a name that ends in a dot', { filename: 'a.jpg.', firstBytes: PNG }, 'png'],
    ['then the bytes', { firstBytes: PNG, declaredType: 'text/html' }, 'png'],
    ['before a name that nobody knows', { filename: 'a.ytd', firstBytes: PNG }, 'png'],
    ['then a name that nobody knows', { filename: 'tex.YTD', declaredType: 'text/html' }, 'ytd'],
    ['one that may not stand in a path', { filename: 'a.y+d' }, 'bin'],
    ['one that a script forgot', { filename: 'a.undefined', declaredType: 'image/gif' }, 'gif'],
    ['then the declared type', { declaredType: 'text/html; charset=utf-8' }, 'html'],
    ['a declared type that tells nothing', { declaredType: 'application/octet-stream' }, 'bin'],
    ['a declared type that is none', { declaredType: ';;;' }, 'bin'],
    ['nothing at all', {}, 'bin'],
  ])('%s', async (_, given, extension) => expect(await extensionOf(given)).toBe(extension))

  test('whatever a client says and sends, the extension may stand in a path', async () => {
    const magic = fc.constantFrom(
      '',
      '89504e470d0a1a0a',
      'ffd8ff',
      '504b0304',
      '1f8b08',
      '1f9d',
      '25504446',
      '4f676753',
    )
    const name = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom('a.PNG', 'a.p/ng', 'x.\\png', 'a.Z', 'a.YTD', 'a._', 'a.ä', `a.${'x'.repeat(99)}`),
    )
    await fc.assert(
      fc.asyncProperty(
        magic,
        fc.uint8Array({ maxLength: 200 }),
        name,
        fc.string({ maxLength: 12 }),
        async (start, rest, filename, declaredType) => {
          const head = Buffer.concat([Buffer.from(start, 'hex'), rest])
          const extension = await extensionOf({ firstBytes: head, filename, declaredType })
          expect([extension, isValidPath(`uploads/0.${extension}`)]).toEqual([extension, true])
        },
      ),
      { numRuns: 300 },
    )
  })
})
