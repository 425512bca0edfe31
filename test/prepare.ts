/**
 * Entry point of `npm test`: installs what the tests need beyond npm, then passes its arguments to the
 * runtime. On Debian as root the tools are installed at once; elsewhere it says how. test/run.ts lists at the
 * end what could not run without them.
 */
import { existsSync, readFileSync } from 'node:fs'
import { makeBundle } from './support/bundle.ts'
import { needsOfRun, packagesOf } from './support/needs.ts'
import { LOCALE } from './support/tools.ts'

const args = process.argv.slice(2)
const missing = needsOfRun(args).filter(need => !need.isThere())
if (missing.length > 0) {
  const packages = packagesOf(missing)
  const uses = missing.map(need => `${need.tool} (tests ${need.use})`).join(', ')
  if (mayInstall()) {
    aptGet('update')
    console.info(`The tests use ${uses}. Installing with apt-get, once: ${sizeOf(packages)}`)
    aptGet('install', '--yes', '--no-install-recommends', ...packages.split(' '))
  } else {
    console.warn(
      `The tests use ${uses}.\nInstall it, on Debian with: sudo apt-get install ${packages}\n` +
        'Until then the tests that need it do not run.',
    )
  }
}

// The dashboard is built once for all browser tests; the services that they start use that build.
const built = Bun.spawnSync([process.execPath, 'dashboard/scripts/build.ts', '--if-needed'], {
  stdio: ['ignore', 'inherit', 'inherit'],
})
if (built.exitCode !== 0) process.exit(built.exitCode)
makeBundle()

if (args.length > 0) {
  const { exitCode } = Bun.spawnSync([process.execPath, ...args], {
    env: { ...process.env, ...LOCALE },
    stdio: ['inherit', 'inherit', 'inherit'],
  })
  process.exit(exitCode ?? 1)
}

/** Debian only: Ubuntu's package `chromium` is a stub that needs snap. */
function mayInstall(): boolean {
  if (process.getuid?.() !== 0 || Bun.which('apt-get') === null) return false
  return existsSync('/etc/os-release') && /^ID="?debian"?$/m.test(readFileSync('/etc/os-release', 'utf8'))
}

/** The number of packages, the download and the disk space, in apt-get's own words. */
function sizeOf(packages: string): string {
  const asked = runAptGet(['--assume-no', 'install', '--no-install-recommends', ...packages.split(' ')])
  const told = asked.stdout.toString().match(/^(\d+ upgraded|Need to get|After this operation).*$/gm)
  return told?.join(' ') ?? packages
}

function aptGet(...args: string[]): void {
  const { exitCode, stderr } = runAptGet(args)
  if (exitCode !== 0)
    console.warn(`apt-get ${args.join(' ')} ended with ${exitCode}:\n${stderr.toString().slice(-2000)}`)
}

function runAptGet(args: string[]) {
  // Waits for another apt-get that may be running.
  return Bun.spawnSync(['apt-get', '--quiet', '-o', 'DPkg::Lock::Timeout=300', ...args], {
    // RUNLEVEL prevents the package from starting a web server.
    env: { ...process.env, ...LOCALE, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    stdin: 'ignore',
  })
}
