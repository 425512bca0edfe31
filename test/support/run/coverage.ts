/**
 * docs/coverage.md names for each rule the test files that prove it, and sometimes single tests: checks that
 * all of them ran.
 */
import { Glob } from 'bun'

/** The abbreviations that the head of docs/coverage.md explains. */
const FOLDERS: Record<string, string> = {
  A: 'test/acceptance',
  B: 'test/browser',
  C: 'test/conformance',
  K: 'test/crash',
  F: 'src/features',
}

export interface NamedTest {
  /** A path in the repository; `*` stands for any part of a name. */
  pattern: string
  /** The test, or a part of its name, in “quotes” after the file; null: the whole file. */
  test: string | null
}

export const namedTests = (text: string): NamedTest[] =>
  [...text.matchAll(/`([^`\s]+\.tsx?)`(?: “([^”]+)”)?/g)].map(([, name = '', test = null]) => ({
    pattern: name.replace(/^([ABCKF])\//, (_, letter) => `${FOLDERS[letter]}/`),
    test,
  }))

/** What is named and did not run, among the files for which `isInRun` is true. */
export function notRun(
  named: readonly NamedTest[],
  ran: ReadonlyMap<string, readonly string[]>,
  isInRun: (pattern: string) => boolean,
): string[] {
  return named
    .filter(({ pattern }) => pattern.includes('.test.') && isInRun(pattern))
    .flatMap(({ pattern, test }) => {
      const glob = new Glob(pattern)
      const names = [...ran].flatMap(([file, tests]) => (glob.match(file) ? tests : []))
      const found = test === null ? names.length > 0 : names.some(name => name.includes(test))
      return found ? [] : [test === null ? pattern : `${pattern} “${test}”`]
    })
}
