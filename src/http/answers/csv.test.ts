import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type CsvCell, csvCell, csvStream } from './csv.ts'

async function* iterate(rows: CsvCell[][]) {
  for (const row of rows) yield row
}
const csvOf = async (header: string[], rows: CsvCell[][]) =>
  Buffer.from(await new Response(csvStream(header, iterate(rows))).arrayBuffer()).toString('utf8')

describe('a cell', () => {
  test.each<[CsvCell, string]>([
    ['plain', 'plain'],
    ['items/a-b.png', 'items/a-b.png'],
    ['', ''],
    [null, ''],
    [0, '0'],
    [-5, '-5'],
    ['a;b', '"a;b"'],
    ['say "x"', '"say ""x"""'],
    [' padded ', '" padded "'],
    ['one\ntwo', 'one two'],
    ['one\r\ntwo', 'one two'],
    ['Österreich', 'Österreich'],
  ])('%j is written %j', (cell, expected) => expect(csvCell(cell)).toBe(expected))

  test.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    ' =1',
    '"=1',
    "'=1",
    ' "\' =1',
    '\u00a0=1',
    '\ufeff=1',
    '\u200b=1',
    '＝1+1',
    '=HYPERLINK("http://x";"y")',
    "-2+3+cmd|' /C calc'!A0",
  ])('%j is no formula any more', cell => expect(csvCell(cell)).toMatch(/^"?'/))

  // A spreadsheet configured for commas, tabs or bars splits there: quotes in the middle of its line do not
  // prevent that.
  test.each([
    ['x,=cmd()', "x,'=cmd()"],
    ['x, =1+1', "x,' =1+1"],
    ['x,"=1', `"x,'""=1"`],
    ["x,'=1", "x,''=1"],
    ['a,-1,+2,@b', "a,'-1,'+2,'@b"],
    [',=1', ",'=1"],
    ['=1,=2', "'=1,'=2"],
    ['x;=1', `"x;'=1"`],
    ['x|=1', "x|'=1"],
    ['x,＝1', "x,'＝1"],
    ['x,\u200b=1', "x,'\u200b=1"],
  ])('%j is none after a separator either: %j', (cell, expected) => expect(csvCell(cell)).toBe(expected))

  test.each(['a, b', 'sicherung, platte', '1,5', 'a=b', 'a-b,c-d', 'x,y=1'])('%j stays as it is', cell =>
    expect(csvCell(cell)).toBe(cell),
  )

  test.each([
    ['text/plain\r\nX: y', 'text/plain X: y'],
    ['a\u0000b\u000bc\u000cd\u0085e\u001bf', 'a b c d e f'],
    ['a\tb', 'a b'],
  ])('control characters become blanks: %j', (cell, expected) => expect(csvCell(cell)).toBe(expected))

  test('whatever it holds, a reader finds one cell in one line, and nothing to run', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), cell => {
        const text = csvCell(cell)
        expect(text).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
        const content = text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text
        if (text.startsWith('"')) expect(text.slice(1, -1).replaceAll('""', '')).not.toContain('"')
        else expect(text).not.toMatch(/[;"]/)
        for (const part of content.split(/[,;|\t]/)) expect(part).not.toMatch(/^[\s"]*[=+\-@]/)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('the stream', () => {
  test('byte order mark, header, CRLF behind every line', async () => {
    expect(
      await csvOf(
        ['A', 'B'],
        [
          ['1', 2],
          ['ä', null],
        ],
      ),
    ).toBe('\uFEFFA;B\r\n1;2\r\nä;\r\n')
    expect(await csvOf(['A'], [])).toBe('\uFEFFA\r\n')
  })

  test('asks for rows only as they are read, and ends the source when the reader goes', async () => {
    let made = 0
    let ended = false
    async function* endless() {
      try {
        for (;;) {
          made++
          yield ['x'.repeat(1000)]
        }
      } finally {
        ended = true
      }
    }
    const reader = csvStream(['A'], endless()).getReader()
    expect(made).toBe(0)
    await reader.read()
    expect(made).toBeLessThan(200)
    await reader.cancel()
    expect(ended).toBe(true)
  })

  test('a source that breaks breaks the stream', async () => {
    async function* broken(): AsyncGenerator<CsvCell[]> {
      yield ['a']
      throw new Error('gone')
    }
    await expect(new Response(csvStream(['A'], broken())).text()).rejects.toThrow('gone')
  })
})
