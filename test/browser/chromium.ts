/** A real Chromium for the tests: the one that is there; `test/prepare.ts` brings Debian's where it can. */
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

export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium()
  if (!executablePath) {
    throw new Error(
      'The browser test needs Chromium and finds none. Install it (Debian: `sudo apt-get install chromium`; ' +
        'others: Chromium or Google Chrome as usual), or name its program in CHROMIUM_PATH.',
    )
  }
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
