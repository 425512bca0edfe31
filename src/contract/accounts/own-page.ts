/**
 * Checks the address to return to after signing in: it comes from a query string, which anybody may have
 * written.
 */

const PLACEHOLDER_ORIGIN = 'http://own'

/**
 * Returns the path and query of the address; `/` if it does not begin with a slash or would lead to another
 * host.
 */
export function safeReturnPage(address: string): string {
  const url = URL.parse(address, PLACEHOLDER_ORIGIN)
  if (!address.startsWith('/') || url?.origin !== PLACEHOLDER_ORIGIN) return '/'
  const page = `${url.pathname}${url.search}`
  // `/.//elsewhere` resolves to `//elsewhere`, which a browser reads as an address of the host `elsewhere`.
  return page.startsWith('//') ? '/' : page
}
