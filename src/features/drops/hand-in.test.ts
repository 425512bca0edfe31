import { expect, test } from 'bun:test'
import { isValidPath } from '../../contract/paths/path-rules.ts'
import { numberedPath } from './hand-in.ts'

test.each([
  ['a.txt', 1, 'in/a.txt'],
  ['a.txt', 2, 'in/a-2.txt'],
  ['Über uns (1).PNG', 1, 'in/ueber-uns-1.png'],
  ['a.tar.gz', 3, 'in/a.tar-3.gz'],
  ['', 1, 'in/datei'],
  ['😀', 2, 'in/datei-2'],
])('%p, number %d: %p', (name, number, path) => {
  expect(numberedPath('in', name, number)).toBe(path)
})

test('a name of any length fits, with every number', () => {
  for (const name of ['x'.repeat(5000), `${'ü'.repeat(300)}.jpeg`, `${'-'.repeat(300)}.a`])
    for (const number of [1, 2, 99_999_999])
      for (const folder of ['in', `${'long-folder/'.repeat(6)}end`])
        expect(isValidPath(numberedPath(folder, name, number))).toBe(true)
})
