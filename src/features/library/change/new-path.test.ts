import { describe, expect, test } from 'bun:test'
import { Failure } from '../../../errors/errors.ts'
import { createTextReplacer } from './new-path.ts'
import { createExpressionReplacer } from './new-path-expression.ts'

test.each([
  ['a', 'b', 'a/a.png', 'b/b.png'],
  ['.', '-', 'a.b.png', 'a-b-png'],
  ['a', '$&$1', 'a', '$&$1'],
  ['A', 'b', 'a', 'a'],
  ['aa', 'a', 'aaaa', 'aa'],
])('text %j by %j: %j is %j', (search, by, path, expected) =>
  expect(createTextReplacer(search, by)(path)).toBe(expected),
)

test.each([
  ['a+', 'b', 'aa/a.png', 'b/b.png'],
  ['^(.*)/(.*)$', '$2/$1', 'a/b/c.png', 'c.png/a/b'],
  ['(\\d+)', '<$1>', 'a1-22', 'a<1>-<22>'],
  ['b', '[$&]', 'abc', 'a[b]c'],
  ['b', '$$', 'abc', 'a$c'],
  ['(?i)A', 'x', 'aA', 'xx'],
  ['(?P<n>b)', '$<n>$<n>', 'abc', 'abbc'],
  ['x*', '-', 'ab', '-a-b-'],
])('expression %j by %j: %j is %j', (search, by, path, expected) =>
  expect(createExpressionReplacer(search, by)(path)).toBe(expected),
)

test.each([
  ['text', createTextReplacer],
  ['expression', createExpressionReplacer],
])('%s: of a target far too long only so much is kept as shows it', (_, replacement) => {
  const blown = replacement('a', 'x'.repeat(200))(`${'a'.repeat(199)}b`)
  expect(blown).toBe(`${'x'.repeat(400)}…`)
  // Also too long, but still short enough to be read.
  expect(replacement('a', 'x'.repeat(200))('aa')).toBe('x'.repeat(400))
  expect(replacement('b', 'c')(`${'a'.repeat(199)}b`)).toBe(`${'a'.repeat(199)}c`)
})

describe('expressions', () => {
  test.each(['(', '[', 'a{1001}', '(a{500}){3}', '(?=a)', '\\1', '(?<!x)', '*'])('%j is none', search => {
    try {
      createExpressionReplacer(search, '')
      throw new Error('was taken')
    } catch (error) {
      expect(error).toBeInstanceOf(Failure)
      expect((error as Failure).status).toBe(400)
    }
  })

  test.each(['(a+)+$', '(a|a)*b', '(a?){100}a{100}', '(.*)*(.*)*x', '([a-z]+)*!'])(
    '%j takes no longer than the path is long',
    search => {
      // Processor time, which other programs on the machine do not affect.
      const before = process.cpuUsage()
      createExpressionReplacer(search, '')(`${'a'.repeat(199)}-`)
      const { user, system } = process.cpuUsage(before)
      expect(user + system).toBeLessThan(250_000)
    },
  )
})
