/** A real Chromium for the tests: the one that is there; `test/prepare.ts` brings Debian's where it can. */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { findTool, LOCALE, needsTool, toolOrFail } from '../support/tools.ts'

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
  const executablePath = toolOrFail('chromium', findChromium)
  const env = { ...process.env, ...LOCALE }
  return chromium.launch({ executablePath, args: ARGUMENTS, env, timeout: 30_000 })
}

/** First in a test file: whether there is a browser for it. Where there is none, each of its tests says so. */
export function needsChromium(): boolean {
  needsTool('chromium', findChromium)
  return findTool('chromium', findChromium) !== null
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
