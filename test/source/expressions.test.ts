/**
 * No text from outside can block the service: every regular expression of the source, found by a parser and
 * not from a list, is run against texts of 16 KB that make a careless expression backtrack.
 */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { leftToLong } from '../support/left-out.ts'
import { attacksOn, expressionsIn, expressionsOfSource, isSlow } from './expressions.ts'

setDefaultTimeout(180_000)

/** Milliseconds for one text. Linear work takes a fiftieth of it, quadratic work a hundred times as much. */
const LIMIT = 5

async function slowAttackOn(expression: RegExp): Promise<string | undefined> {
  for (const text of attacksOn(expression))
    if (await isSlow(() => text.replace(expression, ''), LIMIT)) return text
  return undefined
}

const found = await expressionsOfSource()
const shorten = (text: string) => JSON.stringify(`${text.slice(0, 40)}…${text.slice(-10)}`)

test('every regular expression stands in the source as a literal, where this test sees it', () => {
  expect(found.filter(({ expression }) => expression === null).map(({ place }) => place)).toEqual([])
  expect(found.length).toBeGreaterThan(50)
})

test('every regular expression reads 16 KB of hostile text in under 5 ms', async () => {
  // An expression that occurs at several places is tried once.
  const distinct = new Map(found.map(each => [String(each.expression), each]))
  const slow: string[] = []
  for (const { place, expression } of distinct.values()) {
    const attack = expression && (await slowAttackOn(expression))
    if (attack) slow.push(`${place} ${expression} by ${shorten(attack)}`)
  }
  expect(slow).toEqual([])
})

describe('this test', () => {
  const findsSlow = async (expression: RegExp) => expect(await slowAttackOn(expression)).toBeString()
  test.each([/\/+$/, /^a(?:b|c)*[bc]*;$/])('finds %p slow', findsSlow)
  leftToLong.each([
    /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i,
    /%.*$/,
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    /^-+|-+$/g,
    /image\/webp\s*\s*;/,
  ])('finds %p slow', findsSlow)

  test.each([/^bytes=(\d*)-(\d*)$/i, /\/$/, /^\s*Bearer\s+(\S+)\s*$/i, /[^a-z]+/g])(
    'finds %p quick',
    async expression => expect(await slowAttackOn(expression)).toBeUndefined(),
  )

  test('sees expressions wherever they stand, and takes no division for one', () => {
    const source = [
      'const half = (a / 2) / b',
      "const f = (t: string) => t.split('/').map(each => each.replace(/x+/g, ''))",
      'const text = "/no/"',
      'type T = /* /no/ */ string',
      'const made = new RegExp(text, "g")',
      'const called = RegExp(text)',
    ].join('\n')
    expect(expressionsIn(source, 'a.ts').map(each => [each.place, String(each.expression)])).toEqual([
      ['a.ts:2', '/x+/g'],
      ['a.ts:5', 'null'],
      ['a.ts:6', 'null'],
    ])
  })
})
