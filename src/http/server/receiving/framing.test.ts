import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { FramingError, framingOf } from './framing.ts'

/** Feeds the chunks one by one, as a connection does: what is not consumed precedes the next chunk. */
function take(length: number | 'chunked', pieces: readonly Buffer[]) {
  const framing = framingOf(length)
  const payload: Buffer[] = []
  const left: Buffer[] = []
  for (const piece of pieces) {
    const { consumedLength, data: payloadPart } = framing.isEnded
      ? { consumedLength: 0, data: Buffer.alloc(0) }
      : framing.take(Buffer.from(piece))
    payload.push(payloadPart)
    if (consumedLength < piece.length) left.push(piece.subarray(consumedLength))
  }
  return {
    ended: framing.isEnded,
    payload: Buffer.concat(payload).toString('latin1'),
    left: Buffer.concat(left).toString('latin1'),
  }
}

function cut(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const at = [0, ...cuts.map(given => given % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  return at.slice(1).map((end, before) => bytes.subarray(at[before], end))
}

const whole = (text: string) => [Buffer.from(text, 'latin1')]
const byteByByte = (text: string) => Array.from(text, character => Buffer.from(character, 'latin1'))

const somewhere = fc.array(fc.nat(), { maxLength: 12 })
const following = fc.constantFrom('', 'GET / HTTP/1.1\r\n', '\r\n', '0\r\n\r\n')

describe('a body by its length', () => {
  test('is the same wherever it is cut, and what follows is left', () => {
    const property = fc.property(fc.string({ maxLength: 40 }), following, somewhere, (text, next, cuts) => {
      const body = Buffer.from(text)
      const pieces = cut(Buffer.concat([body, Buffer.from(next)]), cuts)
      expect(take(body.length, pieces)).toEqual({ ended: true, payload: body.toString('latin1'), left: next })
    })
    fc.assert(property, { numRuns: 500 })
  })

  test('has not ended before its last byte', () => {
    expect(take(5, whole('abcd'))).toEqual({ ended: false, payload: 'abcd', left: '' })
  })
})

describe('a body in chunks', () => {
  const chunk = fc
    .record({
      data: fc.uint8Array({ minLength: 1, maxLength: 40 }),
      zeros: fc.constantFrom('', '0', '000'),
      capitals: fc.boolean(),
      extension: fc.constantFrom('', ';a', ';a=b', ' ;a="b c"', '\t; a=\xe4'),
    })
    .map(({ data, zeros, capitals, extension }) => {
      const size = data.length.toString(16)
      const line = `${zeros}${capitals ? size.toUpperCase() : size}${extension}\r\n`
      return { data, wire: Buffer.concat([Buffer.from(line, 'latin1'), data, Buffer.from('\r\n')]) }
    })
  const lastChunk = fc.constantFrom('0\r\n\r\n', '000;a=b\r\n\r\n', '0\r\nX-Sum: 1\r\nY: \r\n\r\n')

  test('is the same wherever it is cut, and what follows is left', () => {
    const chunks = fc.array(chunk, { maxLength: 5 })
    const property = fc.property(chunks, lastChunk, following, somewhere, (sent, last, next, cuts) => {
      const wire = Buffer.concat([...sent.map(({ wire }) => wire), Buffer.from(last), Buffer.from(next)])
      const payload = Buffer.concat(sent.map(({ data }) => data)).toString('latin1')
      expect(take('chunked', cut(wire, cuts))).toEqual({ ended: true, payload, left: next })
    })
    fc.assert(property, { numRuns: 1000 })
  })

  test('is the same byte by byte', () => {
    const wire = '5\r\nhello\r\nB;x=y\r\n, my\r\nworld\r\n0\r\nT: u\r\n\r\nGET'
    const expected = { ended: true, payload: 'hello, my\r\nworld', left: 'GET' }
    expect(take('chunked', byteByByte(wire))).toEqual(expected)
    expect(take('chunked', whole(wire))).toEqual(expected)
  })

  test.each([
    '',
    '5',
    '5\r',
    '5\r\n',
    '5\r\nhel',
    '5\r\nhello',
    '5\r\nhello\r',
    '5\r\nhello\r\n',
    '0\r\n',
    '0\r\nX: y\r\n',
  ])('has not ended after %j', wire => {
    expect(take('chunked', whole(wire)).ended).toBe(false)
    expect(take('chunked', byteByByte(wire)).ended).toBe(false)
  })

  test('takes a size of 12 digits', () => {
    expect(take('chunked', whole('ffffffffffff\r\nabc')).payload).toBe('abc')
    expect(take('chunked', whole('000000000003\r\nabc\r\n0\r\n\r\n')).ended).toBe(true)
  })

  test.each([
    ['data without a line end behind', '3\r\nabcd\r\n'],
    ['data with only LF behind', '3\r\nabc\n0\r\n\r\n'],
    ['data with only CR behind', '3\r\nabc\r0\r\n\r\n'],
    ['the next size right behind the data', '3\r\nabc0\r\n\r\n'],
    ['a size that ends with only LF', '3\nabc\r\n0\r\n\r\n'],
    ['a last size that ends with only LF', '0\n\r\n'],
    ['a last line that is only LF', '0\r\n\n'],
    ['a trailer that ends with only LF', '0\r\nX: y\n\r\n'],
    ['no size', '\r\nabc\r\n'],
    ['an extension without a size', ';a=b\r\n'],
    ['a size with a sign', '+3\r\nabc\r\n'],
    ['a negative size', '-3\r\nabc\r\n'],
    ['a size with a prefix', '0x3\r\nabc\r\n'],
    ['a size that is no number', 'xyz\r\n'],
    ['a size with a letter behind', '3g\r\nabc\r\n'],
    ['a size with a blank before', ' 3\r\nabc\r\n'],
    ['two sizes', '3 3\r\nabc\r\n'],
    ['a size with an underscore', '1_0\r\n'],
    ['a bare CR in an extension', '3;a\rb\r\nabc\r\n'],
    ['a size of 13 digits', '1000000000000\r\n'],
    ['13 zeros', '0000000000000\r\n\r\n'],
    ['a size line without end', `3;${'a'.repeat(1024)}`],
    ['zeros without end', '0'.repeat(2000)],
    ['a trailer without end', `0\r\n${'a'.repeat(2000)}`],
    ['a trailer without a colon', '0\r\nnonsense\r\n\r\n'],
    ['a trailer with a blank before its colon', '0\r\nX : y\r\n\r\n'],
    ['a trailer that continues the one before', '0\r\nX: y\r\n z\r\n\r\n'],
    ['a trailer with a control character', '0\r\nX: a\0b\r\n\r\n'],
    ['a trailer that tells a length', '0\r\nContent-Length: 5\r\n\r\n'],
    ['a trailer that tells a coding', '0\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ['a trailer that tells a host', '0\r\nHost: x\r\n\r\n'],
    ['long extensions of small chunks', `1;${'a'.repeat(900)}\r\nb\r\n`.repeat(20)],
    ['too many trailers', `0\r\n${'X: yyyyyyyy\r\n'.repeat(1000)}\r\n`],
  ])('is refused: %s', (_, wire) => {
    expect(() => take('chunked', whole(wire))).toThrow(FramingError)
    expect(() => take('chunked', byteByByte(wire))).toThrow(FramingError)
  })

  test.each([
    ['a hundred thousand chunks of one byte', '1\r\na\r\n'.repeat(100_000), 100_000],
    [
      'a long extension now and then',
      `1;${'a'.repeat(1000)}\r\nb\r\n1000\r\n${'c'.repeat(4096)}\r\n`.repeat(100),
      409_700,
    ],
  ])('is taken: %s', (_, wire, length) => {
    const { ended, payload } = take('chunked', whole(`${wire}0\r\n\r\n`))
    expect([ended, payload.length]).toEqual([true, length])
  })

  test('does not keep the memory of what was around a few bytes of data', () => {
    const wire = Buffer.from(`1;${'a'.repeat(1000)}\r\nb\r\n`.repeat(16))
    const { data: part } = framingOf('chunked').take(wire)
    expect([part.length, part.buffer.byteLength]).toEqual([16, 16])
  })

  test('is taken or refused as a whole whatever comes, wherever it is cut', () => {
    const outcome = (pieces: readonly Buffer[]) => {
      try {
        return take('chunked', pieces)
      } catch (error) {
        expect(error).toBeInstanceOf(FramingError)
        return 'refused'
      }
    }
    const wire = fc.string({ unit: fc.constantFrom(...'013aF;= \t\r\n', '\r\n', '\r\n', 'x'), maxLength: 30 })
    const property = fc.property(wire, somewhere, (text, cuts) => {
      expect(outcome(cut(Buffer.from(text), cuts))).toEqual(outcome(whole(text)))
    })
    fc.assert(property, { numRuns: 3000 })
  })
})
