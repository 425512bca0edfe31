import { expect, test } from 'bun:test'
import { speaksEnglish } from './terminal.ts'

test.each<[Record<string, string>, boolean]>([
  [{}, false],
  [{ LANG: 'de_DE.UTF-8' }, false],
  [{ LANG: 'de' }, false],
  [{ LANG: 'C.UTF-8' }, false],
  [{ LANG: 'C' }, false],
  [{ LANG: 'POSIX' }, false],
  [{ LANG: 'en_US.UTF-8' }, true],
  [{ LANG: 'fr_FR' }, true],
  [{ LANG: 'den_CA' }, true],
  [{ LANG: 'en_GB.UTF-8', LC_MESSAGES: 'de_AT.UTF-8' }, false],
  [{ LANG: 'de_DE.UTF-8', LC_ALL: 'en_US.UTF-8' }, true],
])('the language that %j asks for: English %p', (environment, english) => {
  expect(speaksEnglish(environment)).toBe(english)
})
