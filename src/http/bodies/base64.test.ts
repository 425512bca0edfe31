import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { decodeBase64, openBase64 } from './base64.ts'

/** Splits the bytes at the given places, also into empty chunks. */
async function* pieces(bytes: Uint8Array, cuts: readonly number[] = []): AsyncGenerator<Uint8Array> {
  let from = 0
  for (const cut of [...cuts.map(cut => cut % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b)) {
    yield bytes.subarray(from, cut)
    from = cut
  }
}
const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const decode = async (text: string | Uint8Array, cuts?: readonly number[]) =>
  Buffer.concat(
    await Array.fromAsync(decodeBase64(pieces(typeof text === 'string' ? latin1(text) : text, cuts))),
  )

const outcome = (text: string | Uint8Array, cuts?: readonly number[]) =>
  decode(text, cuts).then(
    bytes => bytes.toString('hex'),
    (error: { code?: string }) => error.code ?? String(error),
  )

const PREFIXES = [
  '',
  'data:image/png;base64,',
  ' \r\n DATA:;base64,',
  'data:,',
  'data:audio/webm;codecs=opus;base64,',
  'data:video/webm;codecs=vp9,opus;base64,',
  'data:video/webm;codecs="vp9,opus";BASE64,',
]

/** Different spellings of the same text. */
const SPELLINGS: ((base64: string) => string)[] = [
  base64 => base64,
  base64 => base64.replace(/=+$/, ''),
  base64 => base64.replaceAll('+', '-').replaceAll('/', '_'),
  base64 => base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
]
const cuts = fc.array(fc.nat(4000), { maxLength: 12 })
const blanks = fc.array(fc.tuple(fc.nat(1000), fc.constantFrom(' ', '\n', '\r\n', '\t', '\n\n  ')), {
  maxLength: 8,
})

const withBlanks = (text: string, places: readonly (readonly [number, string])[]) =>
  places.reduce((all, [at, blank]) => {
    const place = at % (all.length + 1)
    return all.slice(0, place) + blank + all.slice(place)
  }, text)

describe('decodeBase64', () => {
  test('any bytes come back, however they are chopped, broken into lines and introduced', async () => {
    await fc.assert(
      fc.asyncProperty(
        // Text shorter than the longest data-URL prefix is held back completely.
        fc.oneof(
          fc.uint8Array({ maxLength: 60 }),
          fc.uint8Array({ minLength: 900, maxLength: 2500, size: 'max' }),
        ),
        fc.constantFrom(...PREFIXES),
        fc.constantFrom(...SPELLINGS),
        blanks,
        cuts,
        async (bytes, prefix, spelt, places, at) => {
          const text = prefix + withBlanks(spelt(Buffer.from(bytes).toString('base64')), places)
          expect(await outcome(text, at)).toBe(Buffer.from(bytes).toString('hex'))
        },
      ),
      { numRuns: 400 },
    )
  })

  test('what was damaged is refused, however it is chopped', async () => {
    const damage = fc.constantFrom<(text: string, at: number) => string>(
      // One character beyond the last whole block.
      text => text.replaceAll('=', '').replace(/^((?:.{4})*.).*$/, '$1'),
      text => (text.endsWith('==') ? text.slice(0, -1) : `${text}=`),
      text => `${text}=`,
      text => `${text}====`,
      text => `=${text}`,
      (text, at) => `${text.slice(0, at % text.length)}*${text.slice((at % text.length) + 1)}`,
      (text, at) => `${text.slice(0, at % text.length)}+-${text.slice(at % text.length)}`,
      (text, at) => `_${text.slice(0, at % text.length)}/${text.slice(at % text.length)}`,
      (text, at) => `${text.slice(0, at % text.length)}\u00ff${text.slice(at % text.length)}`,
      (text, at) => `${text.slice(0, at % text.length)}\0${text.slice(at % text.length)}`,
      text => `${Buffer.from('x').toString('base64')}${text}`,
    )
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 100 }),
        damage,
        fc.nat(1000),
        fc.constantFrom('', 'data:;base64,'),
        cuts,
        async (bytes, harm, at, prefix, chopped) => {
          const text = prefix + harm(Buffer.from(bytes).toString('base64'), at)
          expect(await outcome(text, chopped)).toBe('base64-broken')
        },
      ),
      { numRuns: 250 },
    )
  })

  test.each([
    ['', ''],
    ['   \r\n', ''],
    ['data:image/png;base64,', ''],
    ['QQ==', '41'],
    ['QUI=', '4142'],
    ['QUJD', '414243'],
    ['Q\nQ\r\n=\t=', '41'],
    ['QQ==\n', '41'],
    ['QQ', '41'],
    ['QUI', '4142'],
    ['Q\nQ ', '41'],
    ['QU-_', '414fbf'],
    ['QU+/', '414fbf'],
    ['-_8', 'fbff'],
    ['data:video/webm;codecs=vp9,opus;base64,QUJD', '414243'],
    ['data:video/webm;codecs="vp9, opus";base64,QUJD', '414243'],
    ['data:image/png,QUJD', '414243'],
    ['data:text/plain;charset=utf-8;base64,QUJD', '414243'],
  ])('%j is %j', async (text, hex) => expect(await outcome(text)).toBe(hex))

  test.each([
    'Q',
    'QUJDQ',
    'QQ=',
    'Q===',
    '====',
    '=',
    'QQ==QUJD',
    'QQ==x',
    '+-AA',
    'AAA+AAA-',
    'AAA_\n\nAAA/',
    'data:image/png;base64',
    'data:a,b;base64',
    'QUJD;base64,QUJD',
    'data:image/png;base64,data:image/png;base64,QUJD',
    ',QUJD',
    'QUJD,QUJD',
    'Das ist kein Base64!',
  ])('%j is refused', async text => expect(await outcome(text)).toBe('base64-broken'))

  test('padding is the end, also where the pieces part', async () => {
    const prefix = 'data:,'
    for (const after of ['QUJD', 'QQ==', '=', 'x', '*'])
      expect(await outcome(`${prefix}QQ==${after}`, [prefix.length + 4])).toBe('base64-broken')
    for (const after of ['', '\n', ' \r\n'])
      expect(await outcome(`${prefix}QQ==${after}`, [prefix.length + 4])).toBe('41')
  })

  test('outside the alphabet only the blanks of ASCII are passed over', async () => {
    const passed: number[] = []
    for (let byte = 0; byte < 256; byte++) {
      if (/[A-Za-z0-9+/]/.test(String.fromCharCode(byte))) continue
      if ((await outcome(new Uint8Array([...latin1('QU'), byte, ...latin1('JD')]))) === '414243')
        passed.push(byte)
    }
    expect(passed).toEqual([9, 10, 11, 12, 13, 32])
  })

  test('a prefix longer than 1024 characters is none, however the text is chopped', async () => {
    const text = `data:image/png;note=${'x'.repeat(1100)};base64,QUJD`
    expect(await outcome(text, [500, 1030])).toBe('base64-broken')
    expect(await outcome(text)).toBe('base64-broken')
  })

  test.each([
    ['QUJD', ''],
    ['data:,QUJD', ''],
    ['data:;base64,QUJD', ''],
    ['data:image/png,QUJD', 'image/png'],
    [' data:image/png;base64,QUJD', 'image/png'],
    ['data:video/webm;codecs=vp9,opus;base64,QUJD', 'video/webm;codecs=vp9,opus'],
    ['data:video/webm;codecs="vp9,opus";base64,QUJD', 'video/webm;codecs="vp9,opus"'],
  ])('the type that %j names is %j, however the text is chopped', async (text, type) => {
    for (let cut = 0; cut <= text.length; cut++) {
      const { declaredType, bytes } = await openBase64(pieces(latin1(text), [cut]))
      expect(declaredType).toBe(type)
      expect(Buffer.concat(await Array.fromAsync(bytes)).toString()).toBe('ABC')
    }
  })

  test('the bytes flow while the text still comes in, and trouble of the source is passed on', async () => {
    const trouble = new Error('cut off')
    async function* source() {
      yield latin1('QUJD'.repeat(1000))
      throw trouble
    }
    const decoded = decodeBase64(source())
    expect((await decoded.next()).value?.length).toBe(3000)
    expect(await decoded.next().catch(error => error)).toBe(trouble)
  })
})
