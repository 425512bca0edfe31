import { describe, expect, test } from 'bun:test'
import { SETTING_NAMES } from '../../../../src/contract/service/settings.ts'
import { SETTING_GROUPS } from './groups.ts'
import { loadSettingRules, problemOf } from './rules.ts'

/** One for each clause about sizes. */
const SIZES_GONE_WRONG = [
  [{ name: 'A', breite: 1 }],
  [{ name: 'a' }],
  [{ name: 'a', breite: 0 }],
  [{ name: 'a', breite: 1, art: 'fuellen' }],
  [{ name: 'a', breite: 1, art: 'x' }],
  [{ name: 'a', breite: 1, format: 'gif' }],
  [
    { name: 'a', breite: 1 },
    { name: 'a', breite: 2 },
  ],
  Array.from({ length: 21 }, (_, at) => ({ name: `a${at}`, breite: 1 })),
]

test('every setting is in one group', () => {
  const grouped: string[] = Object.values(SETTING_GROUPS).flat()
  expect(grouped.toSorted()).toEqual([...SETTING_NAMES].toSorted())
})

describe('a sentence beside the field', () => {
  test.each([
    ['PUBLIC_URL', 'media.example.org', 'Muss eine Adresse sein, die mit http:// oder https:// beginnt'],
    ['MAX_UPLOAD_MB', '0', 'Muss größer als null sein.'],
    ['SICHERUNG_ZWEITZIEL', 'backup', 'Muss ein vollständiger Pfad sein'],
    ['BILDGROESSEN', [{ name: 'A', breite: 1 }], 'Muss für jede Größe einen Namen haben'],
    [
      'BILDGROESSEN',
      [{ name: 'a', breite: 9999 }],
      'Muss Breiten und Höhen in ganzen Pixeln haben, von 1 bis 4096.',
    ],
    ['BILDGROESSEN', [{ name: 'a' }], 'Muss für jede Größe eine Breite oder eine Höhe haben.'],
    ['BILDGROESSEN', [{ name: 'a', breite: 1, art: 'fuellen' }], 'Muss für „fuellen“ beides haben'],
    ['SICHERUNG_UHRZEIT', '25:00', 'Muss eine Uhrzeit wie 03:30 sein.'],
  ] as const)('%s %j', async (name, given, sentence) => {
    const problem = problemOf(await loadSettingRules(), name, given, 'de')
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
    expect(problemOf(await loadSettingRules(), name, given, 'de')).toBeNull()
  })

  test('in English every clause of every setting', async () => {
    const rules = await loadSettingRules()
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
      ...SIZES_GONE_WRONG,
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
