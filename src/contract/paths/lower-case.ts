/**
 * Paths of uploads through the dashboard, from an address, out of a ZIP, through a compatibility route or a
 * tool are stored in lower case. `/api/upload` keeps the path in `X-Path` as it was sent.
 */

/**
 * Changes only ASCII letters to lower case: Unicode rules would turn a forbidden letter, such as the Kelvin
 * sign, into an allowed one.
 */
export function lowerCaseAscii(path: string): string {
  return path.replace(/[A-Z]/g, letter => letter.toLowerCase())
}
