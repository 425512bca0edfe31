import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { cleanPath } from './clean-path.ts'
import { lowerCaseAscii } from './lower-case.ts'
import { isValidPath } from './path-rules.ts'

describe('cleanPath', () => {
  test.each([
    ['apfel.png', 'apfel.png'],
    ['Apfel.PNG', 'apfel.png'],
    ['Über uns.png', 'ueber-uns.png'],
    ['Straße/Müll Ö.jpg', 'strasse/muell-oe.jpg'],
    ['u\u0308ber.png', 'ueber.png'],
    ['café à la carte.png', 'cafe-a-la-carte.png'],
    ['Bildschirmfoto 2026-11-15 um 07.01.02.png', 'bildschirmfoto-2026-11-15-um-07.01.02.png'],
    ['Foto (2).png', 'foto-2.png'],
    ['_intern.png', 'intern.png'],
    ['.versteckt', 'versteckt'],
    ['a  b---c.png', 'a-b-c.png'],
    ['(!).png', 'datei.png'],
    ['日本/画像.png', 'datei/datei.png'],
    ['a&b=c.png', 'a-b-c.png'],
    ['Ende.', 'ende'],
    ['\u212Aelvin.png', 'kelvin.png'],
  ])('%s → %s', (given, expected) => expect(cleanPath(given)).toBe(expected))

  test('what is too long loses the end of its own name, not its extension', () => {
    const cleaned = cleanPath(`ordner/${'x'.repeat(300)}.png`)
    expect([cleaned.length, cleaned.endsWith('x.png'), cleaned.startsWith('ordner/x')]).toEqual([
      200,
      true,
      true,
    ])
  })

  test('always a path that the service takes and stores as it is', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 3 }),
        parts => {
          const cleaned = cleanPath(parts.map(part => part.replaceAll('/', '-')).join('/'))
          expect([cleaned, isValidPath(cleaned), lowerCaseAscii(cleaned)]).toEqual([cleaned, true, cleaned])
          expect(cleanPath(cleaned)).toBe(cleaned)
        },
      ),
      { numRuns: 500 },
    )
  })
})
