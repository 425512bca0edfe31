import { expect, test } from 'bun:test'
import { judged } from './audit.ts'

const hole = (name: string, severity: string) => ({
  [name]: {
    name,
    severity,
    range: '<1.2.3',
    via: [{ title: 'Prototype pollution', url: 'https://example.org/1' }],
  },
})
const audit = (...holes: object[]) => JSON.stringify({ vulnerabilities: Object.assign({}, ...holes) })

test.each([
  [0, 'none', audit()],
  [0, 'moderate', audit(hole('a', 'moderate'))],
  [1, 'high', audit(hole('a', 'moderate'), hole('b', 'high'))],
  [1, 'critical', audit(hole('a', 'critical'))],
])('ends with %i: %s', (code, _, text) => {
  expect(judged(text).code).toBe(code)
})

test('names each hole with its cause', () => {
  expect(judged(audit(hole('a', 'high'))).lines).toEqual([
    'high: a <1.2.3: Prototype pollution https://example.org/1',
  ])
})

test.each([
  [
    'an error of npm',
    '{"message":"request to https://registry.example failed","error":{"summary":""}}',
    /registry/,
  ],
  [
    'a refusal',
    '{"error":{"code":"ENOAUDIT","summary":"Your registry does not support audit requests"}}',
    /does not support/,
  ],
  ['a text', 'npm error audit endpoint returned an error\nmore', /audit endpoint/],
  ['nothing', '', /nothing/],
])('a registry that does not answer fails nothing, and is told: %s', (_, text, about) => {
  const { code, lines } = judged(text)
  expect([code, lines.length]).toEqual([0, 1])
  expect(lines[0]).toMatch(/^Known holes were NOT checked: /)
  expect(lines[0]).toMatch(about)
})
