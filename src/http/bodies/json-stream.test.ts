import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { readJsonWithLongText } from './json-stream.ts'

/**
 * Splits the bytes at the given places, also into empty chunks; each chunk is a copy, because reading changes
 * it.
 */
async function* pieces(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0
  for (const cut of [...cuts.map(cut => cut % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b)) {
    yield bytes.slice(from, cut)
    from = cut
  }
}

/** What was read of a JSON text: the surrounding JSON and each long text, or the error code. */
async function read(json: string | Uint8Array, cuts: readonly number[] = [], maxBytesAround = 10_000) {
  const bytes = new Uint8Array(Buffer.from(json as string))
  const texts: string[] = []
  try {
    const rest = await readJsonWithLongText(pieces(bytes, cuts), {
      member: 'long',
      maxBytesAround,
      async receive(text) {
        const parts: Uint8Array[] = []
        for await (const part of text) parts.push(part.slice())
        texts.push(Buffer.concat(parts).toString('latin1'))
      },
    })
    return { rest, texts }
  } catch (error) {
    return (error as { code?: string }).code ?? String(error)
  }
}

const cuts = fc.array(fc.nat(2000), { maxLength: 10 })
const ascii = fc.string({ unit: fc.integer({ min: 0, max: 127 }).map(code => String.fromCharCode(code)) })

/** Different spellings of the same JSON text. */
const spelt = fc.constantFrom<(json: string) => string>(
  json => json,
  json => json.replaceAll('/', '\\/'),
  json => json.replaceAll('+', '\\u002b').replaceAll('G', '\\u0047'),
  json => json.replaceAll('A', '\\u0041').replaceAll('/', '\\u002F'),
)

describe('readJsonAround', () => {
  test('text and JSON around it are those that JSON.parse finds, in any order and however chopped', async () => {
    const other = fc.dictionary(
      fc.string().filter(name => name !== 'long'),
      fc.jsonValue(),
      { maxKeys: 4 },
    )
    await fc.assert(
      fc.asyncProperty(
        ascii,
        other,
        other,
        spelt,
        fc.constantFrom('', ' ', '\r\n\t'),
        cuts,
        async (long, before, after, spell, blank, at) => {
          const members = [...Object.entries(before), ['long', long] as const, ...Object.entries(after)]
          const written = members.map(([name, value]) => {
            const text = JSON.stringify(value)
            return `${JSON.stringify(name)}${blank}:${blank}${name === 'long' ? spell(text) : text}${blank}`
          })
          const text = `{${blank}${written.join(`,${blank}`)}}`
          const rest = { ...(JSON.parse(text) as object), long: '' }
          expect(await read(text, at)).toEqual({ rest, texts: [long] })
        },
      ),
      { numRuns: 300 },
    )
  })

  test('whatever is sent: JSON is read as JSON.parse reads it, anything else is refused', async () => {
    const parts = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"',
      '"long"',
      '"lo\\u006eg"',
      '"AA"',
      '\\',
      '1',
      'null',
      ' ',
      '\n',
      'x',
      '"long":',
      '{"long":"',
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(parts, { maxLength: 14 }).map(all => all.join('')),
        cuts,
        async (text, at) => {
          let value: unknown
          try {
            value = JSON.parse(text)
          } catch {
            return expect(await read(text, at)).toBe('json-broken')
          }
          const found = await read(text, at)
          expect(found).toBeObject()
          const { rest, texts } = found as { rest: unknown; texts: string[] }
          const long = (value as { long?: unknown } | null)?.long
          const isObject = typeof value === 'object' && !Array.isArray(value)
          // Of several members with the same name the last one counts.
          if (isObject && typeof long === 'string') expect(texts.at(-1)).toBe(long)
          expect(rest).toEqual(
            isObject && typeof long === 'string' ? { ...(value as object), long: '' } : value,
          )
        },
      ),
      { numRuns: 3000 },
    )
  })

  test.each<[string, unknown, string[]]>([
    ['{"long":""}', { long: '' }, ['']],
    ['{"long":"a","long":"b"}', { long: '' }, ['a', 'b']],
    ['{"long":"a","long":null}', { long: null }, ['a']],
    ['{"long":7,"long":"a"}', { long: '' }, ['a']],
    ['{"a":{"long":"deep"}}', { a: { long: 'deep' } }, []],
    ['{"a":[{"long":"deep"}],"long":"x"}', { a: [{ long: 'deep' }], long: '' }, ['x']],
    ['[{"long":"listed"}]', [{ long: 'listed' }], []],
    ['{"Long":"a"}', { Long: 'a' }, []],
    ['{"a":"long","b":"c"}', { a: 'long', b: 'c' }, []],
    ['{"\\"long":"a"}', { '"long': 'a' }, []],
    [' {\r\n\t"long" :\n "a" } ', { long: '' }, ['a']],
    ['{"long":"\\u00e9"}', { long: '' }, ['\xff']],
    ['{"long":"\\ud83d\\ude00"}', { long: '' }, ['\xff\xff']],
    ['"long"', 'long', []],
    ['null', null, []],
  ])('%s', async (json, rest, texts) => expect(await read(json)).toEqual({ rest, texts }))

  test.each([
    '',
    '{"long":"a',
    '{"long":"a"',
    '{"long":"a"}}',
    '{"long":"a\nb"}',
    '{"long":"a\tb"}',
    '{"long":"\\x"}',
    '{"long":"\\u12"}',
    '{"long":"\\u12g4"}',
    '{"long":"a\\"}',
    '{"long" "a"}',
    '{"long":"a",}',
    '["long":"a"]',
    '{"long":1"a"}',
    '{"\\x":1,"long":"a"}',
    `{"a":${'['.repeat(9000)}`,
  ])('%j is broken', async json => expect(await read(json, [3, 9])).toBe('json-broken'))

  test('bytes that are no UTF-8 around the text are broken too', async () => {
    expect(await read(Buffer.from('{"a":"\xff","long":"a"}', 'latin1'))).toBe('json-broken')
  })

  test('only what stands around the text counts against the bound', async () => {
    const long = 'x'.repeat(50_000)
    const exact = JSON.stringify({ long: '', a: 'y'.repeat(100) }).length
    expect(await read(JSON.stringify({ long, a: 'y'.repeat(100) }), [], exact)).toBeObject()
    expect(await read(JSON.stringify({ long, a: 'y'.repeat(101) }), [], exact)).toBe('json-around-too-large')
    expect(await read(long, [], exact)).toBe('json-around-too-large')
  })

  test('the text flows while it still comes in; a receiver that refuses ends the source', async () => {
    let ended = false
    async function* source() {
      try {
        yield Buffer.from('{"long":"abc')
        yield Buffer.from('def')
        throw new Error('read too far')
      } finally {
        ended = true
      }
    }
    const refusal = new Error('enough')
    const reading = readJsonWithLongText(source(), {
      member: 'long',
      maxBytesAround: 100,
      async receive(text) {
        expect(Buffer.from((await text.next()).value!).toString()).toBe('abc')
        throw refusal
      },
    })
    expect(await reading.catch(error => error)).toBe(refusal)
    expect(ended).toBe(true)
  })
})
