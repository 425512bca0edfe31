/** What the tests need of the machine beyond npm: programs, and a locale of their own. */
import { beforeEach } from 'bun:test'
import { appendFileSync } from 'node:fs'

/** For everything the tests start: without a UTF-8 locale, as in a bare container, Chromium mangles names of files. */
export const LOCALE = { LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' } as const

/** For commands whose words are looked at: most tests know the German ones, test/acceptance/languages.test.ts the English. */
export const GERMAN = { ...LOCALE, LC_ALL: 'de_DE.UTF-8' } as const

export type Tool =
  | 'apache2-bin'
  | 'caddy'
  | 'chromium'
  | 'curl'
  | 'ffmpeg'
  | 'haproxy'
  | 'iproute2'
  | 'lua5.4'
  | 'lua-socket'
  | 'nginx-light'
  | 'php-cli'
  | 'postgresql'
  | 'python3'
  | 'radosgw'
  | 'strace'
  | 'systemd'
  | 'unzip'
  | 'wget'
  | 'wine64'

/** Set by test/prepare.ts: a file with one line for each test that could not be run, naming the tool. */
export const NOT_RUN_VARIABLE = 'FUNDUS_TEST_NOT_RUN'

type Find = () => string | null

/** `FUNDUS_TEST_WITHOUT=ffmpeg,chromium`: as if these were not installed, to see what the tests say then. */
export function findTool(tool: Tool, find: Find = () => Bun.which(tool)): string | null {
  return process.env.FUNDUS_TEST_WITHOUT?.split(',').includes(tool) ? null : find()
}

/** Inside a test: the tool's program, or the test fails and says what is missing. */
export function toolOrFail(tool: Tool, find?: Find): string {
  const program = findTool(tool, find)
  if (program) return program
  const list = process.env[NOT_RUN_VARIABLE]
  if (list) appendFileSync(list, `${tool}\n`)
  throw new Error(
    `This test needs ${tool}, which is not installed. On Debian: sudo apt-get install ${tool} (as root \`npm test\` does it).`,
  )
}

/**
 * In a file or a `describe`: each test in it fails with that sentence while the tool is missing. A failing `beforeAll`
 * would not do: it makes all tests behind it vanish into one without a name.
 */
export function needsTool(tool: Tool, find?: Find): void {
  beforeEach(() => {
    toolOrFail(tool, find)
  })
}
