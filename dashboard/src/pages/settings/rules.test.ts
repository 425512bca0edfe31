import { describe, expect, test } from 'bun:test'
import { SETTING_NAMES } from '../../../../src/contract/service/settings.ts'
import { GROUPS } from './groups.ts'
import { loadRules, problemOf } from './rules.ts'

test('every setting is in one group', () => {
  const grouped: string[] = Object.values(GROUPS).flat()
  expect(grouped.toSorted()).toEqual([...SETTING_NAMES].toSorted())
})

describe('a sentence beside the field', () => {
  test.each([
    ['PUBLIC_URL', 'media.example.org', 'Muss eine Adresse sein, die mit http:// oder https:// beginnt'],
    ['MAX_UPLOAD_MB', '0', 'Muss größer als null sein.'],
    ['SICHERUNG_ZWEITZIEL', 'backup', 'Muss ein vollständiger Pfad sein'],
    ['SICHERUNG_UHRZEIT', '25:00', 'Muss eine Uhrzeit wie 03:30 sein.'],
  ] as const)('%s %j', async (name, given, sentence) => {
    const problem = problemOf(await loadRules(), name, given, 'de')
    expect(problem).toStartWith(sentence)
    expect(problem).toEndWith('.')
  })

  test.each([
    ['MAX_UPLOAD_MB', '1,5'],
    ['MAX_UPLOAD_MB', ' '],
    ['PUBLIC_URL', ''],
    ['WEBHOOK_ANLAESSE', []],
    ['DIENST', undefined],
  ] as const)('none for %s %j', async (name, given) => {
    expect(problemOf(await loadRules(), name, given, 'de')).toBeNull()
  })

  test('in English every clause of every setting', async () => {
    const rules = await loadRules()
    const wrong = [
      7,
      {},
      'x',
      '-1',
      '0',
      '1,5',
      '9'.repeat(20),
      '9'.repeat(3000),
      'a\nb',
      '/a\u0007',
      'http://a?b',
    ]
    const said = rules.SETTING_NAMES.flatMap(name =>
      wrong.flatMap(given => problemOf(rules, name, given, 'en') ?? []),
    )
    expect(said.length).toBeGreaterThan(40)
    for (const sentence of said) expect(sentence).toMatch(/^Must (?!.*(?:[äöüß]|muss|darf|sein\b)).*\.$/)
  })

  test('without the rules nothing is judged', () =>
    expect(problemOf(null, 'DIENST', 'a\nb', 'de')).toBeNull())
})
