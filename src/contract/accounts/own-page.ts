/** Checks the page to return to after signing in: anybody may have written the address that names it. */

const PLACEHOLDER_ORIGIN = 'http://own'

/** Returns the path of a page of this dashboard, or `/` if the given address would lead to another host. */
export function safeReturnPage(address: string): string {
  const url = URL.parse(address, PLACEHOLDER_ORIGIN)
  if (!address.startsWith('/') || url?.origin !== PLACEHOLDER_ORIGIN) return '/'
  const page = `${url.pathname}${url.search}`
  // `/.//elsewhere` resolves to `//elsewhere`, which a browser reads as an address of the host `elsewhere`.
  return page.startsWith('//') ? '/' : page
}
