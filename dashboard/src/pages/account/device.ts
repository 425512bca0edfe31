/** Reads the program and the system of a session from its `User-Agent`. */

export interface DeviceName {
  /** The browser, or the name that another program gives itself; null if unknown. */
  program: string | null
  system: string | null
  isHandheld: boolean
}

type PatternTable = readonly (readonly [name: string, pattern: RegExp])[]

/**
 * Ordered so that the first match is right: nearly every browser also claims to be Chrome, Safari or both.
 */
const BROWSERS: PatternTable = [
  ['FiveM', /\bCitizenFX\//],
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|OPT|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Vivaldi', /\bVivaldi\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bVersion\/\S+ .*\bSafari\//],
]

/**
 * The first match counts. An iPad that requests desktop pages is reported as a Mac, because its `User-Agent`
 * is the same.
 */
const SYSTEMS: PatternTable = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac(?:intosh| OS X)\b/],
  ['Linux', /\bLinux\b/],
]

const HANDHELD_SYSTEMS: readonly (string | null)[] = ['iPhone', 'iPad', 'Android']

const firstMatch = (table: PatternTable, text: string) =>
  table.find(([, pattern]) => pattern.test(text))?.[0] ?? null

/**
 * The name that another program gives itself: `curl` for `curl/8.5.0`. `Mozilla` is ignored, because every
 * browser claims it.
 */
const selfReportedName = (text: string) => /^(?!Mozilla\/)([\w.-]{1,40})(?:\/|$)/.exec(text)?.[1] ?? null

export function readDevice(userAgent: string | null): DeviceName {
  const text = userAgent ?? ''
  const system = firstMatch(SYSTEMS, text)
  return {
    program: firstMatch(BROWSERS, text) ?? selfReportedName(text),
    system,
    isHandheld: HANDHELD_SYSTEMS.includes(system),
  }
}
