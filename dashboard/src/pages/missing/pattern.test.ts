import { describe, expect, test } from 'bun:test'
import type { UploadCandidate } from '../../uploads/plan/candidates.ts'
import { matchFiles, nameOfEntry, patternFault } from './pattern.ts'

test.each([
  ['items/*.png', 'apple', 'apple'],
  ['items/*.png', 'apple.png', 'apple'],
  ['items/*.png', 'apple.PNG', 'apple'],
  ['items/*.png', 'items/apple.png', 'apple'],
  ['items/*.png', 'apple.webp', 'apple.webp'],
  ['items/*.png', '.png', '.png'],
  ['items/*', 'apple.png', 'apple.png'],
  ['*', 'apple', 'apple'],
  ['autos/*/front.png', 'golf', 'golf'],
])('with %s, %s means %s', (pattern, given, name) => expect(nameOfEntry(pattern, given)).toBe(name))

test.each([
  ['items/*.png', null],
  ['items/apple.png', 'star'],
  ['', 'star'],
  ['//*', 'gap'],
])('%j: %j', (pattern, fault) => expect(patternFault(pattern)).toBe(fault as never))

describe('files for missing names', () => {
  const files = (...paths: string[]) => paths.map((path): UploadCandidate => ({ file: {} as File, path }))
  const match = (pattern: string, missing: string[], ...paths: string[]) => {
    const { matched, unmatched } = matchFiles(files(...paths), missing, pattern)
    return [
      ...matched.map(({ candidate, name }) => `${candidate.path} = ${name}`),
      ...unmatched.map(({ candidate, reason: why }) => `${candidate.path}: ${why}`),
    ]
  }

  test.each([
    ['items/*.png', ['apple'], ['apple.png'], ['apple.png = apple']],
    ['items/*.png', ['WEAPON_A'], ['sub/weapon_a.PNG'], ['sub/weapon_a.PNG = WEAPON_A']],
    ['items/*.png', ['gruener-apfel'], ['Grüner Apfel.png'], ['Grüner Apfel.png = gruener-apfel']],
    ['items/*.png', ['apple'], ['pear.png'], ['pear.png: name']],
    ['items/*.png', ['apple'], ['apple.webp'], ['apple.webp: kind']],
    ['items/*.jpg', ['apple'], ['apple.jpeg'], ['apple.jpeg = apple']],
    ['items/*.png', ['apple'], ['a/apple.png', 'b/apple.png'], ['a/apple.png = apple', 'b/apple.png: twice']],
    ['items/*', ['apple.png'], ['apple.png'], ['apple.png = apple.png']],
  ])('%s %j %j', (pattern, missing, paths, expected) =>
    expect(match(pattern, missing, ...paths)).toEqual(expected),
  )
})
