/** The program and the operating system of a session, as read from its `User-Agent`. */

export interface Device {
  /** The browser, or the name with which another program introduces itself; null if unknown. */
  program: string | null
  system: string | null
  isHandheld: boolean
}

type PatternTable = readonly (readonly [name: string, pattern: RegExp])[]

/** The first match counts. The order matters, because most browsers also claim to be Chrome or Safari. */
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
 * The first match counts. The order matters: the `User-Agent` of Android, for example, also contains `Linux`.
 * An iPad that requests desktop pages is reported as a Mac, because it sends the `User-Agent` of a Mac.
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

const nameOfFirstMatch = (table: PatternTable, text: string) =>
  table.find(([, pattern]) => pattern.test(text))?.[0] ?? null

/**
 * The name with which a `User-Agent` begins: `curl` for `curl/8.5.0`. Null if there is none, or if it is
 * `Mozilla`, with which the `User-Agent` of nearly every browser begins.
 */
const selfReportedName = (text: string) => /^(?!Mozilla\/)([\w.-]{1,40})(?:\/|$)/.exec(text)?.[1] ?? null

export function readDevice(userAgent: string | null): Device {
  const text = userAgent ?? ''
  const system = nameOfFirstMatch(SYSTEMS, text)
  return {
    program: nameOfFirstMatch(BROWSERS, text) ?? selfReportedName(text),
    system,
    isHandheld: HANDHELD_SYSTEMS.includes(system),
  }
}
