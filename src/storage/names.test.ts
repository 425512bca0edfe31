import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { newId } from '../base/ids.ts'
import { splitPath } from '../contract/paths/path-parts.ts'
import {
  decodeSegment,
  derivedObjectName,
  encodeSegment,
  isInTrash,
  isRelocated,
  objectName,
  parseObjectName,
  sizedPictureName,
  trashObjectName,
} from './names.ts'

const ID = '0123456789abcdef'
const FIRST = 'abzAZ019'
const DEVICES = ['con', 'PRN', 'Aux', 'nul', 'com0', 'COM9', 'lpt1', 'LPT0', 'com10', 'conx', 'lpt']

/** Why NTFS or Win32 would refuse a name. Written from Microsoft's list, not from the source. */
function ntfsProblem(name: string): string | null {
  if (name === '' || name.length > 255) return 'length'
  for (const character of name) {
    if ('<>:"|?*\\/'.includes(character) || character.charCodeAt(0) < 32) return `character ${character}`
  }
  if (name.endsWith('.') || name.endsWith(' ')) return 'end'
  const base = (name.split('.')[0] ?? '').trimEnd().toUpperCase()
  const numbered = ['COM', 'LPT'].flatMap(port => [...'0123456789¹²³'].map(digit => port + digit))
  return ['CON', 'PRN', 'AUX', 'NUL', 'CONIN$', 'CONOUT$', ...numbered].includes(base) ? 'device' : null
}

const later = fc.string({ unit: fc.constantFrom(...'abzAZ09..--__w'), maxLength: 40 })
const segment = fc.oneof(
  fc.tuple(fc.constantFrom(...FIRST), later).map(([first, rest]) => first + rest),
  fc
    .tuple(fc.constantFrom(...DEVICES), fc.constantFrom('', '.', '.x', '.tar.gz', '-', '.w.webp'))
    .map(p => p.join('')),
  fc.integer({ min: 150, max: 200 }).map(length => 'Ab.D'.repeat(50).slice(0, length)),
)
const path = fc
  .array(segment, { minLength: 1, maxLength: 8 })
  .map(list => list.join('/').slice(0, 200))
  .filter(text => !text.endsWith('/'))
const id = fc.constant(0).map(() => newId())
const mark = fc.oneof(
  fc.constant(''),
  fc.constant(0).map(() => newId(6)),
)

describe('object names', () => {
  test.each([
    ['a.png', 'files/a~ID.png'],
    ['x/y/a.png', 'files/x/y/a~ID.png'],
    ['a', 'files/a~ID'],
    ['abc.', 'files/abc.~ID'],
    ['a.b.c.', 'files/a.b.c.~ID'],
    ['a.tar.gz', 'files/a.tar~ID.gz'],
    ['con', 'files/=con~ID'],
    ['CON.foo', 'files/=CON~ID.foo'],
    ['con.tar.gz', 'files/=con.tar~ID.gz'],
    ['com10.png', 'files/com10~ID.png'],
    ['con/a.png', 'files/=con/a~ID.png'],
    ['nul.d/a.png', 'files/=nul.d/a~ID.png'],
    ['abc./a.png', 'files/abc.=/a~ID.png'],
    ['Abc/a.png', 'files/Abc=1/a~ID.png'],
    ['abcdE/a.png', 'files/abcdE=01/a~ID.png'],
    ['ABCD/a.png', 'files/ABCD=f/a~ID.png'],
    ['COM1./a.png', 'files/=COM1.=7/a~ID.png'],
    ['thumbs/a.png', 'files/thumbs/a~ID.png'],
  ])('%s is %s', (given, name) => expect(objectName(given, 'ID')).toBe(name))

  test('variant and preview take the place of the extension, also where there is none or the stem has dots', () => {
    for (const given of ['x/a.png', 'x/a', 'x/a.b.png', 'x/a.', 'X./con.png']) {
      const object = objectName(given, ID, 'mmmmmm')
      const bare = object.slice(0, object.length - splitPath(given).extension.length)
      expect(derivedObjectName('variant', object)).toBe(`${bare}~w.webp`)
      expect(derivedObjectName('preview', object)).toBe(`thumbs/${bare.slice('files/'.length)}.webp`)
    }
  })

  test('read back, they give path and id again, with and without a mark', () => {
    fc.assert(
      fc.property(path, id, mark, (given, identity, fresh) => {
        const name = objectName(given, identity, fresh)
        expect(parseObjectName(name)).toEqual({ role: 'original', id: identity, path: given })
        expect(name.includes('~~')).toBe(false)
      }),
      { numRuns: 600 },
    )
  })

  test('variant and preview are read back with their role and id, and the path but for its extension', () => {
    fc.assert(
      fc.property(path, id, mark, (given, identity, fresh) => {
        const name = objectName(given, identity, fresh)
        const bare = given.slice(0, given.length - splitPath(given).extension.length)
        const facts = { id: identity, path: bare, mark: null }
        expect(parseObjectName(derivedObjectName('variant', name))).toEqual({ ...facts, role: 'variant' })
        expect(parseObjectName(derivedObjectName('preview', name))).toEqual({ ...facts, role: 'preview' })
        expect(
          new Set([name, derivedObjectName('variant', name), derivedObjectName('preview', name)]).size,
        ).toBe(3)
      }),
      { numRuns: 600 },
    )
  })

  test('a mark is told from a path that looks like one', () => {
    fc.assert(
      fc.property(path, id, mark, (given, identity, fresh) => {
        expect(isRelocated(objectName(given, identity, fresh))).toBe(fresh !== '')
        expect(isRelocated(trashObjectName(7, given, identity, 'aaaaaa'))).toBe(true)
      }),
      { numRuns: 400 },
    )
    expect(isRelocated(objectName(`a-${newId(6)}.b-abcdef`, ID))).toBe(false)
  })

  test('a relocated object never has its earlier name', () => {
    fc.assert(
      fc.property(path, id, (given, identity) => {
        const names = [objectName(given, identity), objectName(given, identity, 'aaaaaa')]
        const derived = names.flatMap(name => [
          derivedObjectName('variant', name),
          derivedObjectName('preview', name),
        ])
        expect(new Set([...names, ...derived]).size).toBe(6)
      }),
    )
  })

  test('each try to derive gives names of its own, which are read back as what they are', () => {
    fc.assert(
      fc.property(path, id, (given, identity) => {
        const objects = [objectName(given, identity, 'aaaaaa'), trashObjectName(7, given, identity, 'aaaaaa')]
        const marks = [null, 'bbbbbb', 'cccccc']
        const variants = marks.map(mark => derivedObjectName('variant', objects[0]!, mark))
        const previews = objects.flatMap(object =>
          marks.map(mark => derivedObjectName('preview', object, mark)),
        )
        expect(new Set([...variants, ...previews]).size).toBe(9)
        const read = (role: string) => (mark: string | null) =>
          expect.objectContaining({ role, id: identity, mark })
        expect(variants.map(parseObjectName)).toEqual(marks.map(read('variant')))
        expect(previews.map(parseObjectName)).toEqual([...marks, ...marks].map(read('preview')))
      }),
    )
    for (const name of [
      `files/a~${ID}~t-abcdef.webp`,
      `thumbs/a~${ID}~w-abcdef.webp`,
      `thumbs/a~${ID}~t.webp`,
    ])
      expect(parseObjectName(name)).toBeNull()
  })

  test('every segment of every name is legal on NTFS', () => {
    fc.assert(
      fc.property(path, id, mark, (given, identity, fresh) => {
        const name = objectName(given, identity, fresh)
        const segments = [
          name,
          derivedObjectName('variant', name),
          derivedObjectName('preview', name),
        ].flatMap(whole => whole.split('/'))
        expect(segments.filter(part => ntfsProblem(part) !== null)).toEqual([])
      }),
      { numRuns: 600 },
    )
  })

  test('the check itself finds what NTFS refuses', () => {
    const bad = [
      'con',
      'Con.txt',
      'COM¹',
      'lpt0.x',
      'a.',
      'a ',
      'a:b',
      'a\u0001',
      'a\\b',
      '',
      'x'.repeat(256),
      'nul ',
    ]
    for (const name of bad) expect([name, ntfsProblem(name) !== null]).toEqual([name, true])
    for (const name of ['conx', 'com10', '=con', 'a~b', 'x'.repeat(255)]) expect(ntfsProblem(name)).toBeNull()
  })
})

describe('names in the trash', () => {
  const nr = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constant(Number.MAX_SAFE_INTEGER))

  test.each([
    ['a.png', 'trash/7~a~ID-MARK.png'],
    ['x/Abc/a.tar.gz', 'trash/x/Abc=1/7~a.tar~ID-MARK.gz'],
    ['con', 'trash/7~=con~ID-MARK'],
    ['12', 'trash/7~12~ID-MARK'],
  ])('%s is %s', (given, name) => expect(trashObjectName(7, given, 'ID', 'MARK')).toBe(name))

  test('the preview lies beside it', () => {
    expect(derivedObjectName('preview', 'trash/x/7~a.b~ID-MARK.png')).toBe('trash/x/7~a.b~ID-MARK~t.webp')
  })

  test('read back, they give number, path and id again', () => {
    fc.assert(
      fc.property(nr, path, id, (number, given, identity) => {
        const name = trashObjectName(number, given, identity, 'aaaaaa')
        const bare = given.slice(0, given.length - splitPath(given).extension.length)
        const facts = { id: identity, trashNr: number }
        expect(parseObjectName(name)).toEqual({ ...facts, role: 'original', path: given })
        const derived = { ...facts, path: bare, mark: null }
        expect(parseObjectName(derivedObjectName('preview', name))).toEqual({ ...derived, role: 'preview' })
        expect(parseObjectName(derivedObjectName('variant', name))).toEqual({ ...derived, role: 'variant' })
        expect([isInTrash(name), isInTrash(objectName(given, identity))]).toEqual([true, false])
      }),
      { numRuns: 400 },
    )
  })

  test('every segment is legal on NTFS', () => {
    fc.assert(
      fc.property(nr, path, id, (number, given, identity) => {
        const name = trashObjectName(number, given, identity, 'aaaaaa')
        const segments = [
          name,
          derivedObjectName('variant', name),
          derivedObjectName('preview', name),
        ].flatMap(whole => whole.split('/'))
        expect(segments.filter(part => ntfsProblem(part) !== null)).toEqual([])
      }),
      { numRuns: 400 },
    )
  })

  test.each([
    `trash/a~${ID}.png`,
    `trash/0~a~${ID}.png`,
    `trash/07~a~${ID}.png`,
    `trash/x~a~${ID}.png`,
    `trash/~a~${ID}.png`,
    `files/7~a~${ID}.png`,
    `thumbs/7~a~${ID}.webp`,
    `files/a~${ID}~t.webp`,
    'trash/7~photo~2.jpg',
    'trash/readme.txt',
  ])('%j is none of ours', name => expect(parseObjectName(name)).toBeNull())
})

describe('pictures in a size', () => {
  test('their names are read back, and valid wherever those of files are', () => {
    fc.assert(
      fc.property(path, id, (path, id) => {
        const name = sizedPictureName(path, id, 'abc123', '.avif')
        expect(name).toStartWith('thumbs/')
        expect(name.split('/').map(ntfsProblem)).toEqual(name.split('/').map(() => null))
        const { folder, stem } = splitPath(path)
        const bare = folder === '' ? stem : `${folder}/${stem}`
        expect(parseObjectName(name)).toEqual({ role: 'size', id, path: bare, mark: 'abc123' })
      }),
    )
  })

  test.each([`files/a~${ID}~b-abcdef.webp`, `trash/7~a~${ID}~b-abcdef.webp`, `thumbs/a~${ID}~b.webp`])(
    '%j is none of ours',
    name => expect(parseObjectName(name)).toBeNull(),
  )
})

describe('folders', () => {
  const alike = fc.string({ unit: fc.constantFrom('a', 'A', 'b', '.', '0', '1'), minLength: 1, maxLength: 9 })
  const valid = alike.map(text => `a${text}`)
  const recased = fc.tuple(segment, fc.array(fc.boolean(), { maxLength: 12 })).map(([text, flips]) => {
    const other = [...text].map((c, at) =>
      flips[at] ? (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()) : c,
    )
    return [text, other.join('')] as const
  })

  test('two different ones never meet where case is ignored', () => {
    const seen = { differing: 0 }
    fc.assert(
      fc.property(fc.oneof(recased, fc.tuple(valid, valid)), ([one, other]) => {
        if (one === other) return
        if (one.toLowerCase() === other.toLowerCase()) seen.differing++
        expect(encodeSegment(one).toLowerCase()).not.toBe(encodeSegment(other).toLowerCase())
      }),
      { numRuns: 2000 },
    )
    expect(seen.differing).toBeGreaterThan(300)
  })

  test('keep their spelling and are read back', () => {
    fc.assert(
      fc.property(segment, text => {
        expect(decodeSegment(encodeSegment(text))).toBe(text)
        expect(encodeSegment(text)).toContain(text)
      }),
    )
  })

  test('an ordinary lower-case folder stands on disk as it is', () => {
    for (const name of ['items', 'a.b', '2024-01_x', 'console', 'com10'])
      expect(encodeSegment(name)).toBe(name)
  })
})

describe('parseName', () => {
  test.each([
    '',
    'files',
    'files/',
    'files/readme.txt',
    'files/a.png~',
    'files/~abc.png',
    'files/a~.png',
    `files/a~${ID}/b.png`,
    `other/a~${ID}.png`,
    `staging/${ID}`,
    `/files/a~${ID}.png`,
    `files//a~${ID}.png`,
    `files/a~${ID}.tar.gz`,
    `files/a~${ID}~x.webp`,
    `files/a~${ID.toUpperCase()}.png`,
    `files/a~${ID}.png\n`,
    // In our format, but with a path that nobody can have uploaded.
    `files/a b~${ID}.txt`,
    `files/.hidden~${ID}.txt`,
    `files/Übersicht~${ID}.txt`,
    `files/my folder/a~${ID}.txt`,
    `files/a/b/c/d/e/f/g/h/i~${ID}.txt`,
    `files/${'a'.repeat(201)}~${ID}`,
    `trash/7~a b~${ID}.png`,
    `thumbs/a b~${ID}.webp`,
    // Folders that we never spell like this.
    `files/Abc/a~${ID}.txt`,
    `files/abc=1/a~${ID}.txt`,
    `files/con/a~${ID}.txt`,
    `files/=abc/a~${ID}.txt`,
  ])('%j is none of ours', name => expect(parseObjectName(name)).toBeNull())

  test.each([`files/Abc=1/a~${ID}.txt`, `files/=con/a~${ID}.txt`, `files/a.=/a~${ID}.txt`])(
    '%j is ours',
    name => expect(parseObjectName(name)?.id).toBe(ID),
  )

  // An id has 16 characters of a known alphabet. Windows and people make names like these.
  test.each([
    'files/photo~2.jpg',
    'files/REPORT~1.TXT',
    'files/backup~old.zip',
    'thumbs/x/a~1.webp',
    'files/a~b-c.txt',
  ])('%j is a foreign file, not an object of ours', name => expect(parseObjectName(name)).toBeNull())
})
