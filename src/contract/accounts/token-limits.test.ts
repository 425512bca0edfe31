import { describe, expect, test } from 'bun:test'
import { insertValue } from '../words/both-languages.ts'
import { LIMITS_IN_FORM, TOKEN_LIMITS } from './token-limits.ts'

test.each(['wireName', 'field', 'column', 'option'] as const)('no two limits have the same %s', name => {
  const names = TOKEN_LIMITS.map(limit => limit[name])
  expect(names).toEqual([...new Set(names)])
})

test('the form has every limit once', () => {
  expect(LIMITS_IN_FORM.map(({ wireName: wire }) => wire).sort()).toEqual(
    TOKEN_LIMITS.map(({ wireName: wire }) => wire).sort(),
  )
})

describe.each(TOKEN_LIMITS.map(limit => [limit.wireName, limit] as const))('%s', (_, limit) => {
  const isYesOrNo = limit.kind === 'right' || limit.kind === 'choice'

  test('has the words that its kind needs', () => {
    expect(limit.unit !== undefined).toBe(limit.kind === 'number')
    expect(limit.choices !== undefined).toBe(limit.kind === 'choice')
    expect(limit.listTextIfFalse !== undefined).toBe(isYesOrNo)
    expect(limit.cardTextIfFalse !== undefined).toBe(limit.kind === 'choice' && limit.cardText !== undefined)
  })

  test.each(['de', 'en'] as const)(
    'has one place for its value in %s, or none where it is yes or no',
    language => {
      const said = [limit.listText, limit.cardText].flatMap(words => (words ? [words[language]] : []))
      for (const text of said) expect(text.split('#')).toHaveLength(isYesOrNo ? 1 : 2)
    },
  )
})

test('a value is put in as it is', () => {
  expect(insertValue('only below #', '$&/')).toBe('only below $&/')
})
