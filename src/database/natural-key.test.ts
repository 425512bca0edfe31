import { Database as Connection } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { naturalKey, sortNaturally } from './natural-key.ts'
import { naturalKeySql } from './sqlite/traits.ts'

const naturally = (names: string[]) => sortNaturally(names, name => name)

test('numbers by their value, everything else by its bytes', () => {
  const sorted = [
    'a',
    'a-3.png',
    'a-03.png',
    'a-11.png',
    'a-11b.png',
    'a-100.png',
    'a/2/x.png',
    'a/10/x.png',
    'a0',
    'a00',
    'a9',
    'a10',
    'a99999999',
    'a100000000',
    'a123456789012345678901234567890',
    'aa',
  ]
  const shuffled = sorted.toSorted((one, other) => (Bun.hash(one) < Bun.hash(other) ? -1 : 1))
  expect(naturally(shuffled)).toEqual(
    sorted.toSorted((one, other) => {
      const [a, b] = [naturalKey(one), naturalKey(other)]
      return a < b || (a === b && one < other) ? -1 : 1
    }),
  )
  expect(naturally(['a-11', 'a-3', 'a-2', 'a-100'])).toEqual(['a-2', 'a-3', 'a-11', 'a-100'])
  expect(naturally(['b9', 'b123456789', 'b10', 'b99999999'])).toEqual([
    'b9',
    'b10',
    'b99999999',
    'b123456789',
  ])
})

test('what the database computes is what is computed here', () => {
  const database = new Connection(':memory:')
  const compute = database.prepare<{ made: string }, [string]>(
    `select ${naturalKeySql('given.path')} as made from (select ? as path) as given`,
  )
  const character = fc.constantFrom(...'aZ._-/~0001299')
  fc.assert(
    fc.property(
      fc.string({ unit: character, maxLength: 40 }),
      fc.integer({ min: 0, max: 12 }),
      (text, digits) => {
        const path = text + '7'.repeat(digits)
        expect(compute.get(path)!.made).toBe(naturalKey(path))
      },
    ),
    { numRuns: 500 },
  )
  // A text that is no valid path must not cause an endless loop.
  expect(compute.get('ä 1!')!.made).toBe(naturalKey('ä 1!'))
})
