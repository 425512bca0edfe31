import { describe, expect, test } from 'bun:test'
import type { Kind } from '../paths/kinds.ts'
import { newToken, tokenPatch } from './tokens.ts'

const limits = (given: Record<string, unknown>) => newToken.safeParse({ name: 'x', ...given })

test('only the name is needed, and blanks around it go', () => {
  expect(newToken.parse({ name: ' Spielserver ' })).toEqual({ name: 'Spielserver' })
  expect(newToken.safeParse({ praefix: 'items' }).success).toBe(false)
})

test('a change may leave out everything, and tells what is cleared from what is left out', () => {
  expect(tokenPatch.parse({})).toEqual({})
  expect(tokenPatch.parse({ praefix: null, max_datei: 5 })).toEqual({ praefix: null, max_datei: 5 })
  expect(tokenPatch.safeParse({ name: '' }).success).toBe(false)
})

describe('praefix', () => {
  test.each([
    ['items', 'items/'],
    ['items/', 'items/'],
    ['a/b', 'a/b/'],
    ['Items/X.y/', 'Items/X.y/'],
    [null, null],
  ])('%j is kept as %j, always on a boundary', (given, kept) =>
    expect(limits({ praefix: given }).data?.praefix).toBe(kept),
  )

  test.each([
    '',
    '/',
    'items//',
    '/items',
    '../x',
    '_x',
    'a b',
    'a\\b',
    '1/2/3/4/5/6/7/8/9',
    'a'.repeat(201),
    7,
  ])('%j is refused', given => expect(limits({ praefix: given }).success).toBe(false))
})

describe('numbers', () => {
  test.each(['max_datei', 'kontingent', 'gueltig_bis', 'max_kante'])(
    '%s is whole and positive, or none',
    name => {
      for (const fine of [1, 2048, 4_102_444_800_000, null, undefined])
        expect([fine, limits({ [name]: fine }).success]).toEqual([fine, true])
      for (const wrong of [0, -1, 1.5, '5', Number.NaN, Number.POSITIVE_INFINITY, true])
        expect([wrong, limits({ [name]: wrong }).success]).toEqual([wrong, false])
    },
  )
})

describe('arten', () => {
  test.each<[Kind[] | null]>([[null], [['bilder']], [['bilder', 'video', 'audio', 'dokumente', 'sonstige']]])(
    '%j is taken',
    arten => expect(limits({ arten }).data?.arten).toEqual(arten),
  )
  test.each([[[]], [['images']], [['Bilder']], ['bilder'], [['bilder', '']]])('%j is refused', arten =>
    expect(limits({ arten }).success).toBe(false),
  )
})

describe('name and delete right', () => {
  test.each([[''], ['   '], ['x'.repeat(101)], [undefined], [5]])('the name %j is refused', name =>
    expect(newToken.safeParse({ name }).success).toBe(false),
  )
  test('a name of 100 characters is taken', () =>
    expect(newToken.safeParse({ name: 'x'.repeat(100) }).success).toBe(true))
  test.each([['true'], [1], [[]]])('the delete right is a boolean, not %j', darf_loeschen =>
    expect(limits({ darf_loeschen }).success).toBe(false),
  )
})
