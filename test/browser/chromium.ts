/** A real Chromium for the tests: the installed one; `test/prepare.ts` installs Debian's where it can. */
import { existsSync } from 'node:fs'
import type { Browser, LaunchOptions } from 'playwright-core'
import { sharedPart } from '../support/shared-parts.ts'
import { findTool, LOCALE, needsTool, startTool } from '../support/tools.ts'

/**
 * The headless shell first: the same engine without the windows of a desktop program, using half the
 * processor time.
 */
const COMMANDS = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
]
/** Locations on desktop systems, outside the search path. */
const PLACES = [
  '/usr/bin/chromium',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]

/** The sandbox needs rights that a container does not have; only our own pages are opened. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
  // The empty page of a new tab shares a renderer process.
  '--renderer-process-limit=1',
]

/** A test's page lives for seconds: optimising its scripts costs more than it saves. */
const SHORT_LIVED_PAGES = ['--js-flags=--no-opt,--no-maglev']

/** The shared browser of this run, or a new one; closing it closes what was opened here in either case. */
export async function launchChromium(): Promise<Browser> {
  const endpoint = await sharedPart('chromium')
  return endpoint ? (await playwright()).connect(endpoint) : launchOwnChromium()
}

/** With ordinary settings, for tests that measure speed. */
export const launchOwnChromium = () =>
  startTool('chromium', findChromium, async program => (await playwright()).launch(howToLaunch(program)))

/** One browser to which several processes can connect. */
export const launchChromiumServer = () =>
  startTool('chromium', findChromium, async program =>
    (await playwright()).launchServer({ ...howToLaunch(program, SHORT_LIVED_PAGES), host: '127.0.0.1' }),
  )

/** Loaded when a browser is needed: it takes longer than most unit tests. */
const playwright = async () => (await import('playwright-core')).chromium

const howToLaunch = (executablePath: string, more: readonly string[] = []): LaunchOptions => ({
  executablePath,
  args: [...ARGUMENTS, ...more],
  env: { ...process.env, ...LOCALE },
  timeout: 60_000,
})

/** Call this first in a test file: returns whether a browser is available. If not, each test reports that. */
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
