import { expect, test } from 'bun:test'
import { type Language, terminalLanguageOf } from './language.ts'

test.each<[Record<string, string>, Language]>([
  [{}, 'en'],
  [{ LANG: 'de_DE.UTF-8' }, 'de'],
  [{ LANG: 'de' }, 'de'],
  [{ LANG: 'C.UTF-8' }, 'en'],
  [{ LANG: 'POSIX' }, 'en'],
  [{ LANG: 'en_US.UTF-8' }, 'en'],
  [{ LANG: 'fr_FR' }, 'en'],
  [{ LANG: 'den_CA' }, 'en'],
  [{ LANG: 'en_GB.UTF-8', LC_MESSAGES: 'de_AT.UTF-8' }, 'de'],
  [{ LANG: 'de_DE.UTF-8', LC_ALL: 'en_US.UTF-8' }, 'en'],
])('the language that %j asks for: %s', (environment, language) => {
  expect(terminalLanguageOf(environment)).toBe(language)
})
