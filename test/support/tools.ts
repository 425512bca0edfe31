/** What the tests need of the machine beyond npm: programs, and a locale. */
import { beforeEach } from 'bun:test'

/**
 * For everything that the tests start: without a UTF-8 locale, as in a bare container, Chromium garbles file
 * names.
 */
export const LOCALE = { LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' } as const

/**
 * For commands whose output is compared: most tests expect German, test/acceptance/languages.test.ts English.
 */
export const GERMAN = { ...LOCALE, LC_ALL: 'de_DE.UTF-8' } as const

export type Tool =
  | 'age'
  | 'apache2-bin'
  | 'caddy'
  | 'chromium'
  | 'curl'
  | 'debootstrap'
  | 'e2fsprogs'
  | 'ffmpeg'
  | 'haproxy'
  | 'imagemagick'
  | 'iproute2'
  | 'liblemonldap-ng-portal-perl'
  | 'libavif-bin'
  | 'lua5.4'
  | 'lua-socket'
  | 'nginx-light'
  | 'nodejs'
  | 'oathtool'
  | 'php-cli'
  | 'postgresql'
  | 'python3'
  | 'python3-tuspy'
  | 'radosgw'
  | 'strace'
  | 'swift-proxy'
  | 'systemd'
  | 'unzip'
  | 'webp'
  | 'wget'
  | 'wine64'

type Find = () => string | null

/** `FUNDUS_TEST_WITHOUT=ffmpeg,chromium` treats these as not installed, to see what the tests say then. */
export function findTool(tool: Tool, find: Find = () => Bun.which(tool)): string | null {
  return process.env.FUNDUS_TEST_WITHOUT?.split(',').includes(tool) ? null : find()
}

/**
 * The beginning of the message of a test that could not run here; test/run.ts tells such tests from those
 * that failed.
 */
const SENTENCE = 'Not run: this test needs'

const cannotRun = (tool: Tool, why: string) => new Error(`${SENTENCE} ${tool}, which ${why}`)

/**
 * The missing tool because of which a test failed with this message; null if it failed for another reason.
 */
export const lackingTool = (message: string) =>
  message.startsWith(SENTENCE) ? (/^ ([\w.-]+),/.exec(message.slice(SENTENCE.length))?.[1] ?? null) : null

/**
 * Inside a test: returns the tool's program, or fails the test with a message that names the missing tool.
 */
export function toolOrFail(tool: Tool, find?: Find): string {
  const program = findTool(tool, find)
  if (program) return program
  throw cannotRun(tool, `is not installed. On Debian: sudo apt-get install ${tool}`)
}

/**
 * Starts a program that is installed. One that does not start counts as missing, only for the tests that need
 * it.
 */
export async function startTool<T>(
  tool: Tool,
  find: Find,
  start: (program: string) => Promise<T>,
): Promise<T> {
  const program = toolOrFail(tool, find)
  try {
    return await start(program)
  } catch (error) {
    throw cannotRun(tool, `did not start: ${error instanceof Error ? error.message : error}`)
  }
}

/**
 * In a file or a `describe`: each test in it fails with that message while the tool is missing. A failing
 * `beforeAll` would replace all following tests by one without a name.
 */
export function needsTool(tool: Tool, find?: Find): void {
  beforeEach(() => {
    toolOrFail(tool, find)
  })
}
