/** What `npm test` says on a machine that lacks a tool, or a UTF-8 locale. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { BROWSER_VARIABLE, launchChromium, needsChromium } from './browser/chromium.ts'
import { useFolder } from './support/folder.ts'

setDefaultTimeout(180_000)

/** On Debian, where they are not called as the tool. */
const PACKAGES: Record<string, string> = {
  chromium: 'chromium-headless-shell',
  radosgw: 'ceph-mon ceph-osd radosgw',
}

/** As `npm test` runs it, with these tools hidden. */
async function runTests(without: string, ...tests: string[]) {
  const child = Bun.spawn([process.execPath, 'test/prepare.ts', 'test', ...tests], {
    cwd: resolve(import.meta.dir, '..'),
    // Without apt-get, so that nothing is installed.
    env: { ...process.env, PATH: '', FUNDUS_TEST_WITHOUT: without },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { code: await child.exited, stdout, stderr }
}

describe('a tool that is missing', () => {
  test.each([
    ['chromium', ['test/browser/compat.test.ts'], 'in a real browser'],
    ['chromium', ['test/browser/replace.test.ts'], 'in a real browser'],
    ['ffmpeg', ['src/images/media.test.ts', '-t', 'posters'], 'of video previews'],
    ['postgresql', ['src/shared-database.test.ts'], 'on PostgreSQL'],
    ['lua5.4', ['test/acceptance/export.test.ts', '-t', 'lua'], 'of the Lua export'],
    ['radosgw', ['test/conformance/storage.test.ts', '-t', 'S3'], 'on an S3-compatible store'],
  ])(
    '%s: each test of %p that needs it says so by name, and so do the last lines',
    async (tool, tests, use) => {
      const { code, stdout, stderr } = await runTests(tool, ...tests)
      const failed = stderr.match(/^\(fail\) .*/gm) ?? []
      const named = stderr.match(new RegExp(`error: This test needs ${tool}, which is not installed`, 'g'))
      expect(failed.length).toBeGreaterThan(0)
      expect(named).toHaveLength(failed.length)
      expect(stderr).not.toMatch(/\(unnamed\)|TypeError/)
      expect(stderr).toMatch(new RegExp(`^ ${failed.length} fail$`, 'm'))
      expect(code).toBe(1)
      expect(stdout.trimEnd().split('\n').slice(-3)).toEqual([
        'Not run, and failed above, because a tool is missing:',
        `  ${tool}: ${failed.length} ${failed.length === 1 ? 'test' : 'tests'} ${use}`,
        `Install what is missing, on Debian with: sudo apt-get install ${PACKAGES[tool] ?? tool}`,
      ])
    },
  )

  test('where no test lacked a tool nothing is said last, and the exit code is that of the tests', async () => {
    const { code, stdout } = await runTests('', 'src/contract/bytes.test.ts')
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('missing')])
  })
})

const folder = await useFolder()

describe('a machine without a UTF-8 locale', () => {
  needsChromium()
  // Not the browser of the whole run, which was started before.
  const CHANGED = { LANG: 'C', LC_ALL: 'C', [BROWSER_VARIABLE]: '' }
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
    const browser = await launchChromium()
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
