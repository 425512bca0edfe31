/** docs/coverage.md names, for each rule, the test files that prove it: each of them exists. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'

const REPOSITORY = join(import.meta.dir, '../..')

/** The short forms that the head of docs/coverage.md explains. */
const FOLDERS: Record<string, string> = {
  A: 'test/acceptance',
  B: 'test/browser',
  C: 'test/conformance',
  K: 'test/crash',
  F: 'src/features',
}

/** The test files that a text names in backticks and that do not exist; `*` stands for any part of a name. */
const absentTests = (text: string) =>
  [...text.matchAll(/`([^`\s]+\.tsx?)`/g)]
    .map(([, name = '']) => name.replace(/^([ABCKF])\//, (_, letter) => `${FOLDERS[letter]}/`))
    .filter(pattern => [...new Glob(pattern).scanSync(REPOSITORY)].length === 0)

test('every test file that the table of coverage names is there', async () => {
  expect(absentTests(await Bun.file(join(REPOSITORY, 'docs/coverage.md')).text())).toEqual([])
})

test('a test file that is not there is found', () => {
  expect(
    absentTests('| rule | `A/serve.test.ts`, `A/gone.test.ts`, `F/fetch-url/source*.test.ts` |'),
  ).toEqual(['test/acceptance/gone.test.ts'])
})
