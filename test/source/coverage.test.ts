/**
 * docs/coverage.md names, for each rule, the test files that prove it: each of them must exist; test/run.ts
 * checks that they ran.
 */
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import { namedTests, notRun } from '../support/run/coverage.ts'
import { failuresOfReport, readOutcome, testsOfReport } from '../support/run/report.ts'

const REPOSITORY = join(import.meta.dir, '../..')

/** The named files that do not exist, and the named tests that none of the named files has. */
async function absentTests(text: string): Promise<string[]> {
  const absent: string[] = []
  for (const { pattern, test } of namedTests(text)) {
    const files = [...new Glob(pattern).scanSync(REPOSITORY)]
    const sources = await Promise.all(files.map(file => Bun.file(join(REPOSITORY, file)).text()))
    if (files.length === 0) absent.push(pattern)
    else if (test !== null && !sources.some(source => source.includes(test)))
      absent.push(`${pattern} “${test}”`)
  }
  return absent
}

test('every test that the table of coverage names is there', async () => {
  expect(await absentTests(await Bun.file(join(REPOSITORY, 'docs/coverage.md')).text())).toEqual([])
})

test('a test file or a test that is not there is found', async () => {
  const row =
    '| rule | `A/serve.test.ts`, `A/gone.test.ts`, `F/fetch-url/followed*.test.ts`, `src/service/schedule.test.ts` “never written, because” |'
  expect(await absentTests(row)).toEqual([
    'test/acceptance/gone.test.ts',
    'src/service/schedule.test.ts “never written, because”',
  ])
})

describe('a named test that did not run is found', () => {
  const report = `<testsuites><testsuite file="test/acceptance/a.test.ts">
    <testcase name="reads &quot;b&quot;" classname="" file="test/acceptance/a.test.ts" line="4" />
    <testcase name="left out" file="test/acceptance/a.test.ts"><skipped /></testcase>
    <testcase name="left out" file="test/acceptance/skipped.test.ts"><skipped /></testcase>
    <testcase name="broke" file="src/c.test.ts"><failure type="AssertionError" message="expected &quot;1&quot;&#10;received 2" /></testcase>
  </testsuite></testsuites>`
  const ran = testsOfReport(report)

  test('a test that failed is told with its reason, no other', () => {
    expect(failuresOfReport(report)).toEqual([
      { file: 'src/c.test.ts', name: 'broke', reason: 'expected "1"\nreceived 2' },
    ])
  })

  test.each([
    ['a file that ran', '`A/a.test.ts`', []],
    ['a file of which a part ran', '`A/a*.test.ts`', []],
    ['a test that ran', '`A/a.test.ts` “reads "b"”', []],
    ['a test that ran and failed', '`src/c.test.ts` “broke”', []],
    ['a test that was skipped', '`A/a.test.ts` “left out”', ['test/acceptance/a.test.ts “left out”']],
    ['a file whose tests were all skipped', '`A/skipped.test.ts`', ['test/acceptance/skipped.test.ts']],
    ['a file that did not run', '`B/b.test.ts`', ['test/browser/b.test.ts']],
    ['a file of another run', '`test/long/d.test.ts`', []],
  ])('%s', (_, row, missing) => {
    expect(notRun(namedTests(row), ran, pattern => !pattern.startsWith('test/long/'))).toEqual(missing)
  })
})

describe('a run is excused only for want of tools', () => {
  const message = 'Not run: this test needs ffmpeg, which is not installed.'
  const lacking = `<testcase name="a" file="a.test.ts"><failure message="${message}" /></testcase>`
  const broken = '<testcase name="b" file="b.test.ts"><failure message="expected 1" /></testcase>'

  test.each([
    ['all that failed lacked a tool', { code: 1, shown: ' 1 fail\n', xml: lacking }, true],
    ['another test failed', { code: 1, shown: ' 2 fail\n', xml: lacking + broken }, false],
    [
      'a worker crashed, which the report does not tell',
      { code: 1, shown: ' 2 fail\n', xml: lacking },
      false,
    ],
    ['a file could not be loaded', { code: 1, shown: ' 1 fail\n 1 error\n', xml: lacking }, false],
    ['the runtime itself ended', { code: 132, shown: ' 1 fail\n', xml: lacking }, false],
  ])('%s', (_, run, isExcused) => {
    expect(readOutcome(run).onlyLacked).toBe(isExcused)
  })
})
