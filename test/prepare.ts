/**
 * `npm test` begins and ends here: brings what the tests need beyond npm, hands the rest of its arguments to the runtime,
 * and says last, where it is read, which tests lacked a tool. On Debian as root tools are installed on the spot; elsewhere
 * it is said how, and the tests that need them fail rather than pass over what they cannot see.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeWhenNeeded } from '../src/bundle/bundle.ts'
import { findChromium } from './browser/chromium.ts'
import { findCeph } from './support/ceph.ts'
import { findLua, findLuaSocket } from './support/lua.ts'
import { findNginx } from './support/nginx.ts'
import { findPostgres } from './support/postgres.ts'
import { findProxy, PROXIES } from './support/proxies.ts'
import { findTool, LOCALE, NOT_RUN_VARIABLE, type Tool } from './support/tools.ts'
import { findWine } from './support/wine.ts'

interface Need {
  tool: Tool
  /** On Debian, where they are not called as the tool. */
  packages?: readonly string[]
  use: string
  isThere(): boolean
}

const WINE_NEED: Need = {
  tool: 'wine64',
  packages: ['wine', 'wine64'],
  use: 'for Windows',
  isThere: () => findWine() !== null,
}

const LONG_NEEDS: readonly Need[] = [
  ...(['Caddy', 'Apache', 'HAProxy'] as const).map(name => ({
    tool: PROXIES[name].package,
    use: `behind ${name}`,
    isThere: () => findProxy(name) !== null,
  })),
  {
    tool: 'iproute2',
    use: 'of workers that are replaced',
    isThere: () => findTool('iproute2', () => Bun.which('ip')) !== null,
  },
  {
    tool: 'systemd',
    use: 'of the systemd unit',
    isThere: () => findTool('systemd', () => Bun.which('systemd-analyze')) !== null,
  },
  {
    tool: 'strace',
    use: 'of what is flushed before an upload is answered',
    isThere: () => findTool('strace') !== null,
  },
  WINE_NEED,
]

const NEEDS: readonly Need[] = [
  {
    tool: 'chromium',
    packages: ['chromium-headless-shell'],
    use: 'in a real browser',
    isThere: () => findTool('chromium', findChromium) !== null,
  },
  { tool: 'wget', use: 'of the test of Last-Modified', isThere: () => findTool('wget') !== null },
  { tool: 'curl', use: 'of the scripts in the API guide', isThere: () => findTool('curl') !== null },
  { tool: 'ffmpeg', use: 'of video previews', isThere: () => findTool('ffmpeg') !== null },
  { tool: 'lua5.4', use: 'of the Lua export', isThere: () => findTool('lua5.4', findLua) !== null },
  {
    tool: 'lua-socket',
    use: 'of the Lua client',
    isThere: () => findTool('lua-socket', findLuaSocket) !== null,
  },
  {
    tool: 'postgresql',
    use: 'on PostgreSQL',
    isThere: () => findTool('postgresql', findPostgres) !== null,
  },
  {
    tool: 'php-cli',
    use: 'of the PHP example',
    isThere: () => findTool('php-cli', () => Bun.which('php')) !== null,
  },
  { tool: 'python3', use: 'of the Python example', isThere: () => findTool('python3') !== null },
  { tool: 'unzip', use: 'of archives to download', isThere: () => findTool('unzip') !== null },
  { tool: 'nginx-light', use: 'behind a proxy', isThere: () => findTool('nginx-light', findNginx) !== null },
  {
    tool: 'radosgw',
    packages: ['ceph-mon', 'ceph-osd', 'radosgw'],
    use: 'on an S3-compatible store',
    isThere: () => findTool('radosgw', findCeph) !== null,
  },
  ...(process.argv.includes('--long') ? LONG_NEEDS : []),
  ...(process.argv.includes('--windows') ? [WINE_NEED] : []),
]

const packagesOf = (need: Need) => need.packages ?? [need.tool]

const missing = NEEDS.filter(need => !need.isThere())
if (missing.length > 0) {
  const packages = missing.flatMap(packagesOf)
  const uses = missing.map(need => `${need.tool} (the tests ${need.use})`).join(', ')
  if (mayInstall()) {
    console.info(`The tests need ${uses}: installing with apt-get, once; this takes a while …`)
    aptGet('update')
    aptGet('install', '--yes', '--no-install-recommends', ...packages)
  } else {
    console.warn(
      `The tests need ${uses}.\nInstall it, on Debian with: sudo apt-get install ${packages.join(' ')}\n` +
        'Until then the tests that use it fail.',
    )
  }
}

// The dashboard is built once for all tests in a browser; the services they start take what is there.
const built = Bun.spawnSync([process.execPath, 'dashboard/scripts/build.ts', '--if-needed'], {
  stdio: ['ignore', 'inherit', 'inherit'],
})
if (built.exitCode !== 0) process.exit(built.exitCode)
// Processes that tests start run as those of an operator do.
makeWhenNeeded()

const args = process.argv.slice(2)
if (args.length > 0) process.exit(run(args))

/** Hands the arguments to the runtime; answers its exit code. */
function run(args: string[]): number {
  const folder = mkdtempSync(join(tmpdir(), 'fundus-tests-'))
  const list = join(folder, 'not-run')
  try {
    const { exitCode } = Bun.spawnSync([process.execPath, ...args], {
      env: { ...process.env, ...LOCALE, [NOT_RUN_VARIABLE]: list },
      stdio: ['inherit', 'inherit', 'inherit'],
    })
    if (existsSync(list)) tellNotRun(readFileSync(list, 'utf8').trim().split('\n'))
    return exitCode ?? 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** `tools`: one for each test that failed for want of it. */
function tellNotRun(tools: string[]): void {
  const lacking = NEEDS.filter(need => tools.includes(need.tool))
  const lines = lacking.map(({ tool, use }) => {
    const count = tools.filter(each => each === tool).length
    return `  ${tool}: ${count} ${count === 1 ? 'test' : 'tests'} ${use}`
  })
  const packages = lacking.flatMap(packagesOf).join(' ')
  console.info(
    `\nNot run, and failed above, because a tool is missing:\n${lines.join('\n')}\n` +
      `Install what is missing, on Debian with: sudo apt-get install ${packages}`,
  )
}

/** Debian alone: Ubuntu's package `chromium` is a stub that wants snap. */
function mayInstall(): boolean {
  if (process.getuid?.() !== 0 || Bun.which('apt-get') === null) return false
  return existsSync('/etc/os-release') && /^ID="?debian"?$/m.test(readFileSync('/etc/os-release', 'utf8'))
}

function aptGet(...args: string[]): void {
  // Another apt-get may be at work; it is waited for, not fought.
  const { exitCode, stderr } = Bun.spawnSync(
    ['apt-get', '--quiet', '-o', 'DPkg::Lock::Timeout=300', ...args],
    {
      // RUNLEVEL: the package must not set a web server of its own going.
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
      stdin: 'ignore',
    },
  )
  if (exitCode !== 0)
    console.warn(`apt-get ${args.join(' ')} ended with ${exitCode}:\n${stderr.toString().slice(-2000)}`)
}
