/** The messages of `npm test` on a machine that lacks a tool, or a UTF-8 locale. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { launchOwnChromium, needsChromium } from './browser/chromium.ts'
import { CEPH_PROGRAMS } from './support/ceph.ts'
import { useFolder } from './support/folder.ts'
import { isOrdinaryRun, leftToLong } from './support/left-out.ts'

setDefaultTimeout(180_000)

/** Debian packages, if their names differ from the tool's. */
const PACKAGES: Record<string, string> = {
  chromium: 'chromium-headless-shell',
  radosgw: 'ceph-mon ceph-osd radosgw',
}

const folder = await useFolder()

/** As `npm test` runs it. */
async function runTests(env: Record<string, string>, ...tests: string[]) {
  const child = Bun.spawn([process.execPath, 'test/prepare.ts', 'test/run.ts', ...tests], {
    cwd: resolve(import.meta.dir, '..'),
    // Without apt-get, so that nothing is installed.
    env: { ...process.env, PATH: '', FUNDUS_TEST_INSIST: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { code: await child.exited, stdout, stderr, end: stdout.trimEnd().split('\n') }
}

const MISSING: [tool: string, tests: string[], use: string][] = [
  ['ffmpeg', ['src/images/media.test.ts', '-t', 'posters'], 'of video previews'],
  ['chromium', ['test/browser/compat.test.ts'], 'in a real browser'],
  ['chromium', ['test/browser/replace.test.ts'], 'in a real browser'],
  ['postgresql', ['src/adapters/shared-database.test.ts'], 'on PostgreSQL'],
  ['lua5.4', ['test/acceptance/export.test.ts', '-t', 'lua'], 'of the Lua export'],
  ['radosgw', ['test/conformance/storage.test.ts', '-t', 'S3'], 'on an S3-compatible store'],
]

describe('a tool that is missing', () => {
  test.each(isOrdinaryRun ? MISSING.slice(0, 2) : MISSING)(
    '%s: each test of %p that needs it says so by name, so do the last lines, and the rest counts',
    async (tool, tests, use) => {
      const { code, stderr, end } = await runTests({ FUNDUS_TEST_WITHOUT: tool }, ...tests)
      const failed = stderr.match(/^\(fail\) .*/gm) ?? []
      expect(failed.length).toBeGreaterThan(0)
      expect(stderr).toContain(`error: Not run: this test needs ${tool}, which is not installed`)
      expect(stderr).not.toMatch(/\(unnamed\)|TypeError/)
      expect(end.slice(-4)).toEqual([
        'Not run, because this machine lacks something:',
        `  ${failed.length} ${failed.length === 1 ? 'test' : 'tests'} ${use}: ${tool} is not installed`,
        `Install what is missing, on Debian with: sudo apt-get install ${PACKAGES[tool] ?? tool}`,
        'Everything else passed.',
      ])
      expect(code).toBe(0)
    },
  )

  test('fails the run where it is insisted on', async () => {
    const { code, stderr } = await runTests(
      { FUNDUS_TEST_WITHOUT: 'ffmpeg', FUNDUS_TEST_INSIST: '1' },
      ...['src/images/media.test.ts', '-t', 'posters'],
    )
    expect(stderr).toContain('FAILED: src/images/media.test.ts')
    expect(code).toBe(1)
  })

  test('does not hide a test that fails for another reason', async () => {
    const file = join(folder, 'broken.test.ts')
    writeFileSync(file, `import { expect, test } from 'bun:test'\ntest('one', () => expect(1).toBe(2))\n`)
    const files = ['src/images/media.test.ts', '-t', 'posters|one', file]
    const { code, stderr } = await runTests({ FUNDUS_TEST_WITHOUT: 'ffmpeg' }, ...files)
    expect(stderr).toMatch(/FAILED: .*broken\.test\.ts: one/)
    expect(code).toBe(1)
  })
})

describe('a helper program that is there and does not start', () => {
  leftToLong('Ceph: only the tests that need it do not run', async () => {
    for (const name of CEPH_PROGRAMS)
      writeFileSync(join(folder, name), '#!/bin/sh\necho broken >&2; exit 1\n', { mode: 0o755 })
    const tests = ['test/conformance/storage.test.ts', 'src/contract/values/bytes.test.ts']
    const { code, stderr, end } = await runTests({ PATH: folder }, ...tests)
    expect(stderr).toMatch(/^\(pass\) .*disk/m)
    expect(end.at(-3)).toMatch(/^ {2}\d+ tests on an S3-compatible store: radosgw did not start: .*broken/)
    expect([end.at(-1), code]).toEqual(['Everything else passed.', 0])
  })

  test('Chromium: likewise', async () => {
    const tests = ['test/browser/compat.test.ts', 'src/contract/values/bytes.test.ts']
    const { code, end } = await runTests({ CHROMIUM_PATH: process.execPath }, ...tests)
    expect(end.at(-3)).toMatch(/ in a real browser: chromium did not start: /)
    expect([end.at(-1), code]).toEqual(['Everything else passed.', 0])
  })
})

test('a run whose tests need no tool starts none, and says nothing of tools at its end', async () => {
  const { code, stdout, stderr } = await runTests(
    { CHROMIUM_PATH: process.execPath },
    'src/contract/values/bytes.test.ts',
  )
  expect([code, stdout + stderr]).toEqual([0, expect.not.stringMatching(/did not start|Not run/)])
})

describe('a machine without a UTF-8 locale', () => {
  needsChromium()
  const CHANGED = { LANG: 'C', LC_ALL: 'C' }
  const before = Object.keys(CHANGED).map(name => [name, process.env[name]] as const)
  beforeAll(() => {
    Object.assign(process.env, CHANGED)
  })
  afterAll(() => {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
  })

  test('the browser of the tests still reads the name of a file as it is', async () => {
    const file = join(folder, 'Über uns (1).txt')
    writeFileSync(file, 'x')
    // Not the browser of the whole run, which was started before.
    const browser = await launchOwnChromium()
    try {
      const page = await browser.newPage()
      await page.setContent('<input type="file">')
      await page.locator('input').setInputFiles(file)
      expect(await page.evaluate('document.querySelector("input").files[0].name')).toBe('Über uns (1).txt')
    } finally {
      await browser.close()
    }
  })
})
