/** Which rule a folder belongs to: a table of cases, and random rules compared with the definition. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Rule, ruleForFolder } from './rules.ts'

const rule = (folder: string, days: number | null = 30): Rule => ({ folder, days, start: 'hochgeladen' })
const matched = (folders: readonly string[], folder: string) =>
  ruleForFolder(
    folders.map(each => rule(each)),
    folder,
  )?.folder ?? null

test.each<[rules: string[], folder: string, matched: string | null]>([
  [[], 'a', null],
  [[''], '', ''],
  [[''], 'a/b', ''],
  [['a'], 'a', 'a'],
  [['a'], 'a/b/c', 'a'],
  [['a'], '', null],
  [['a'], 'ab', null],
  [['a/b'], 'a', null],
  [['a/b'], 'a/bc', null],
  [['', 'a', 'a/b'], 'a/b/c', 'a/b'],
  [['a/b', 'a', ''], 'a/b/c', 'a/b'],
  [['a/b', 'a', ''], 'a/x', 'a'],
  [['a/b', 'a', ''], 'x', ''],
  // Paths are compared case-sensitively.
  [['A'], 'a', null],
  [['a.b'], 'a.b/c', 'a.b'],
  [['a.b'], 'a/c', null],
])('of %j, %j belongs to %j', (rules, folder, expected) => {
  expect(matched(rules, folder)).toBe(expected)
})

test('an exemption is a rule like the others: it ends the rule above, and a rule below ends it', () => {
  const rules = [rule('', 7), rule('keep', null), rule('keep/not', 1)]
  const days = (folder: string) => ruleForFolder(rules, folder)?.days
  expect([days('x'), days('keep'), days('keep/x'), days('keep/not/x')]).toEqual([7, null, null, 1])
})

test('the longest folder at or above wins, whatever the rules and their order', () => {
  const folder = fc
    .array(fc.constantFrom('a', 'b', 'ab', 'a.b', 'a-b'), { maxLength: 4 })
    .map(parts => parts.join('/'))
  fc.assert(
    fc.property(fc.uniqueArray(folder, { maxLength: 8 }), folder, (rules, wanted) => {
      const parts = wanted === '' ? [] : wanted.split('/')
      const above = [...parts.keys()].map(at => parts.slice(0, at + 1).join('/')).toReversed()
      const expected = [...above, ''].find(each => rules.includes(each)) ?? null
      expect(matched(rules, wanted)).toBe(expected)
    }),
  )
})
