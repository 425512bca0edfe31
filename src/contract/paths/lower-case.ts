/**
 * Lower case for the paths of uploads. A path is stored in lower case if the file comes from the dashboard, a
 * fetched address, a ZIP, a compatibility route or a tool. `/api/upload` keeps the path in `X-Path` as it was
 * sent.
 */

/**
 * Changes only ASCII letters to lower case: Unicode rules would turn a forbidden letter, such as the Kelvin
 * sign, into an allowed one.
 */
export function lowerCaseAscii(path: string): string {
  return path.replace(/[A-Z]/g, letter => letter.toLowerCase())
}
