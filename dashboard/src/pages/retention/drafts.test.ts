import { expect, test } from 'bun:test'
import {
  areRulesEqual,
  createDraft,
  draftOf,
  hasProblems,
  problemsOf,
  type RetentionRuleDraft,
  ruleOf,
} from './drafts.ts'

const draft = (change: Partial<RetentionRuleDraft>): RetentionRuleDraft => ({ ...createDraft(), ...change })

test('a saved rule is edited and comes out as it was', () => {
  for (const rule of [
    { ordner: '', tage: 1, ab: 'abgerufen' as const },
    { ordner: 'a/b', tage: 36500, ab: 'hochgeladen' as const },
    { ordner: 'keep', tage: null },
  ])
    expect(ruleOf(draftOf(rule))).toEqual(rule)
  expect(ruleOf(draft({ ordner: ' /a/b/ ', tage: ' 7 ' }))).toEqual({
    ordner: 'a/b',
    tage: 7,
    ab: 'hochgeladen',
  })
})

test.each<[Partial<RetentionRuleDraft>, object]>([
  [{ ordner: 'a', tage: '1' }, {}],
  [{ ordner: '', tage: '36500' }, {}],
  [{ tage: '0' }, { tage: 'daysInvalid' }],
  [{ tage: '36501' }, { tage: 'daysInvalid' }],
  [{ tage: '1.5' }, { tage: 'daysInvalid' }],
  [{ tage: '-1' }, { tage: 'daysInvalid' }],
  [{ tage: '' }, { tage: 'daysInvalid' }],
  [{ tage: 'x', ab: 'never' }, {}],
  [{ ordner: 'ä' }, { ordner: 'folderInvalid' }],
  [{ ordner: 'a//b' }, { ordner: 'folderInvalid' }],
])('%j has the problems %j', (change, expected) => {
  expect(problemsOf([draft(change)])).toEqual([expected])
})

test('a folder twice: the second one says so', () => {
  const problems = problemsOf([draft({ ordner: 'a' }), draft({ ordner: 'b' }), draft({ ordner: 'a/' })])
  expect(problems).toEqual([{}, {}, { ordner: 'folderTwice' }])
  expect([hasProblems(problems), hasProblems(problems.slice(0, 2))]).toEqual([true, false])
})

test('the start of an exemption makes no difference, everything else does', () => {
  const rule = { ordner: 'a', tage: 1, ab: 'abgerufen' as const }
  expect(areRulesEqual([{ ordner: 'a', tage: null }], [{ ordner: 'a', tage: null, ab: 'abgerufen' }])).toBe(
    true,
  )
  for (const other of [
    { ...rule, tage: 2 },
    { ...rule, ordner: 'b' },
    { ...rule, ab: 'hochgeladen' as const },
  ])
    expect(areRulesEqual([rule], [other])).toBe(false)
})
