/**
 * A real Chromium for the tests: the one that is there, or Debian's, which is installed on the spot where that can be
 * done without asking anybody.
 */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge']
/** Where desktop systems keep it, outside the search path. */
const PLACES = [
  '/usr/bin/chromium',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]

/** The sandbox wants rights that a container does not give; nothing but our own page is opened. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
]

/** For the hook that calls `launchChromium`: downloading some hundred megabytes takes its time, once. */
export const INSTALL_DEADLINE_MS = 600_000

export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium() ?? (await installChromium())
  return chromium.launch({ executablePath, args: ARGUMENTS, timeout: 30_000 })
}

export function findChromium(): string | null {
  const given = process.env.CHROMIUM_PATH
  if (given) {
    if (!existsSync(given)) throw new Error(`CHROMIUM_PATH names ${given}, which does not exist.`)
    return given
  }
  for (const command of COMMANDS) {
    const found = Bun.which(command)
    if (found) return found
  }
  return PLACES.find(place => existsSync(place)) ?? null
}

async function installChromium(): Promise<string> {
  if (!mayInstall()) {
    throw new Error(
      'The browser test needs Chromium and finds none. Install it (Debian, Ubuntu: `sudo apt-get install chromium`; ' +
        'others: Chromium or Google Chrome as usual), or name its program in CHROMIUM_PATH.',
    )
  }
  console.info(
    "No Chromium here: installing Debian's package `chromium` with apt-get, once; this takes a while …",
  )
  await aptGet('update')
  await aptGet('install', '--yes', '--no-install-recommends', 'chromium')
  const found = findChromium()
  if (!found) throw new Error('apt-get installed the package `chromium`, but there is no such program now.')
  return found
}

/** Ubuntu's package of that name is a stub that wants snap, so Debian alone. */
function mayInstall(): boolean {
  return (
    process.getuid?.() === 0 &&
    existsSync('/etc/debian_version') &&
    Bun.which('apt-get') !== null &&
    isDebian()
  )
}

function isDebian(): boolean {
  const { stdout } = Bun.spawnSync(['sh', '-c', '. /etc/os-release && echo "$ID"'])
  return stdout.toString().trim() === 'debian'
}

async function aptGet(...args: string[]): Promise<void> {
  // Another apt-get may be at work; it is waited for, not fought.
  const child = Bun.spawn(['apt-get', '--quiet', '-o', 'DPkg::Lock::Timeout=300', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code === 0) return
  throw new Error(`apt-get ${args.join(' ')} ended with ${code}:\n${`${stdout}${stderr}`.slice(-2000)}`)
}
