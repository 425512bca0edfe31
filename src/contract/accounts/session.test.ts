import { describe, expect, test } from 'bun:test'
import { newPassword, userName } from './session.ts'

const why = (schema: typeof userName | typeof newPassword, value: string) =>
  schema.safeParse(value).error?.issues[0]?.message

describe('user names', () => {
  test.each([
    ['a', 'a'],
    ['Jürgen Groß', 'Jürgen Groß'],
    ['admin@example.test', 'admin@example.test'],
    ['花子', '花子'],
    ['  max  ', 'max'],
    ['u\u0308ber', 'über'],
    ['x'.repeat(64), 'x'.repeat(64)],
  ])('%j is one', (typed, name) => {
    expect(userName.parse(typed)).toBe(name)
  })

  test.each([
    ['', /leer/],
    ['   ', /leer/],
    ['x'.repeat(65), /höchstens 64/],
    ['a  b', /sichtbare/],
    ['a\tb', /sichtbare/],
    ['a\nb', /sichtbare/],
    ['a\u0000b', /sichtbare/],
    ['a\u200bb', /sichtbare/],
    ['a\u202eb', /sichtbare/],
    ['a\u00a0b', /sichtbare/],
    ['a\ud800b', /sichtbare/],
  ])('%j is none', (typed, reason) => {
    expect(why(userName, typed)).toMatch(reason)
  })
})

describe('new passwords', () => {
  test.each(['0123456789', ' with blanks ', '🐎'.repeat(10), 'x'.repeat(1000)])(
    '%j is long enough',
    typed => {
      expect(newPassword.parse(typed)).toBe(typed)
    },
  )

  test.each([
    ['', /leer/],
    ['012345678', /mindestens 10/],
    ['🐎'.repeat(9), /mindestens 10/],
    ['x'.repeat(1001), /höchstens 1000/],
  ])('%j is not taken', (typed, reason) => {
    expect(why(newPassword, typed)).toMatch(reason)
  })
})
