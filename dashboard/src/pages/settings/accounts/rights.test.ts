import { expect, test } from 'bun:test'
import { parseRights, rightsTextsOf, toggleFolder } from './rights.ts'

test.each([
  [{ rolle: 'betreiber', ordner: null }],
  [{ rolle: 'redaktion', ordner: null }],
  [{ rolle: 'ansicht', ordner: ['items', 'logos/alt'] }],
] as const)('%j comes back from the form as it was', rights => {
  expect(parseRights(rightsTextsOf(rights))).toEqual(rights as ReturnType<typeof parseRights>)
})

test('an operator has no limits, whatever was chosen before', () => {
  const texts = { ...rightsTextsOf({ rolle: 'redaktion', ordner: ['items'] }), rolle: 'betreiber' }
  expect(parseRights(texts)).toEqual({ rolle: 'betreiber', ordner: null })
})

test.each([
  ['a new one is added', 'logos', 'items\nlogos'],
  ['a chosen one goes', 'items', ''],
  ['one below a chosen one adds nothing', 'items/neu', 'items'],
  ['the top folder is none', '', 'items'],
  ['one that only begins alike is another', 'items-alt', 'items\nitems-alt'],
])('picking: %s', (_, folder, expected) => {
  expect(toggleFolder(rightsTextsOf({ rolle: 'ansicht', ordner: ['items'] }), folder)).toBe(expected)
})

test('picking a folder above chosen ones replaces them', () => {
  const texts = rightsTextsOf({ rolle: 'ansicht', ordner: ['items/a', 'logos', 'items/b'] })
  expect(toggleFolder(texts, 'items')).toBe('logos\nitems')
})
