/** The program and the system of a session, read from its `User-Agent`. */

export interface DeviceName {
  /** The browser, or the name that another program gives itself; null: unknown. */
  program: string | null
  system: string | null
  isHandheld: boolean
}

type Table = readonly (readonly [name: string, pattern: RegExp])[]

/** The first match counts: nearly every browser also claims to be Chrome, Safari or both. */
const BROWSERS: Table = [
  ['FiveM', /\bCitizenFX\//],
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|OPT|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Vivaldi', /\bVivaldi\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bVersion\/\S+ .*\bSafari\//],
]

/** An iPad that requests desktop pages calls itself a Macintosh; they cannot be told apart. */
const SYSTEMS: Table = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac(?:intosh| OS X)\b/],
  ['Linux', /\bLinux\b/],
]

const HANDHELD: readonly (string | null)[] = ['iPhone', 'iPad', 'Android']

const firstMatch = (table: Table, text: string) =>
  table.find(([, pattern]) => pattern.test(text))?.[0] ?? null

/** `curl/8.5.0` → `curl`; not `Mozilla`, which says nothing. */
const ownName = (text: string) => /^(?!Mozilla\/)([\w.-]{1,40})(?:\/|$)/.exec(text)?.[1] ?? null

export function readDevice(userAgent: string | null): DeviceName {
  const text = userAgent ?? ''
  const system = firstMatch(SYSTEMS, text)
  return {
    program: firstMatch(BROWSERS, text) ?? ownName(text),
    system,
    isHandheld: HANDHELD.includes(system),
  }
}
