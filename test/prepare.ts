/**
 * `npm test` begins here: brings what the tests need beyond npm. On Debian as root it is installed on the spot;
 * elsewhere it is said how, and the tests that need it will fail rather than pass over what they cannot see.
 */
import { existsSync, readFileSync } from 'node:fs'
import { findChromium } from './browser/chromium.ts'

interface Need {
  package: string
  use: string
  isThere(): boolean
}

const NEEDS: readonly Need[] = [
  { package: 'chromium', use: 'the tests in a real browser', isThere: () => findChromium() !== null },
  { package: 'ffmpeg', use: 'the tests of video previews', isThere: () => Bun.which('ffmpeg') !== null },
  { package: 'lua5.4', use: 'the test of the Lua export', isThere: () => Bun.which('lua5.4') !== null },
]

const missing = NEEDS.filter(need => !need.isThere())
if (missing.length > 0) {
  const packages = missing.map(need => need.package)
  const uses = missing.map(need => `${need.package} (${need.use})`).join(', ')
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
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdin: 'ignore',
    },
  )
  if (exitCode !== 0)
    console.warn(`apt-get ${args.join(' ')} ended with ${exitCode}:\n${stderr.toString().slice(-2000)}`)
}
