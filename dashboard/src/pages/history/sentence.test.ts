import { describe, expect, test } from 'bun:test'
import { parseRightsDescription, parseTokenDescription, splitTemplate } from './sentence.ts'
import { administrationSentences, fileSentences } from './words.ts'

test('a template is cut at its names', () => {
  expect(splitTemplate('{wer} hat {pfad} entfernt')).toEqual([
    { placeholder: 'wer' },
    { text: ' hat ' },
    { placeholder: 'pfad' },
    { text: ' entfernt' },
  ])
  expect(splitTemplate('nichts')).toEqual([{ text: 'nichts' }])
})

describe.each(['de', 'en'] as const)('every sentence in %s', language => {
  test.each(Object.entries(fileSentences[language]))('%s names who and what', (_, template) => {
    const names = splitTemplate(template as string).flatMap(piece =>
      'placeholder' in piece ? [piece.placeholder] : [],
    )
    expect(names).toContain('wer')
    expect(names).toContain('pfad')
    expect(names.every(name => ['wer', 'pfad', 'vorher', 'groesse'].includes(name))).toBe(true)
  })

  test.each(Object.entries(administrationSentences[language]))('%s names who and what', (_, template) => {
    const names = splitTemplate(template as string).flatMap(piece =>
      'placeholder' in piece ? [piece.placeholder] : [],
    )
    expect(names).toEqual(['wer', 'name'])
  })
})

test.each([
  ['Spielserver', { name: 'Spielserver', limits: [] }],
  [
    'ShareX von Nora praefix=items/ darf_loeschen=true kontingent=2048',
    {
      name: 'ShareX von Nora',
      limits: [
        { limit: 'praefix', value: 'items/' },
        { limit: 'darf_loeschen', value: 'true' },
        { limit: 'kontingent', value: '2048' },
      ],
    },
  ],
  ['a=b arten=bilder,video', { name: 'a=b', limits: [{ limit: 'arten', value: 'bilder,video' }] }],
])('%j is read as %j', (described, token) =>
  expect(parseTokenDescription(described) as unknown).toEqual(token),
)

test.each([
  ['Nora rolle=redaktion', { name: 'Nora', role: 'redaktion', folders: null }],
  [
    'Nora von nebenan rolle=ansicht ordner=items,logos/alt',
    { name: 'Nora von nebenan', role: 'ansicht', folders: ['items', 'logos/alt'] },
  ],
  ['rolle=betreiber', { name: '', role: 'betreiber', folders: null }],
  ['Nora', null],
])('the rights in %j are %j', (described, rights) =>
  expect(parseRightsDescription(described)).toEqual(rights),
)
