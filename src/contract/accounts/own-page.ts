/** The page to return to after signing in, from an address that anybody may have written. */

const BASE = 'http://own'

/** Returns the path of a page of this dashboard, or `/` if the given address would lead to another host. */
export function ownPage(given: string): string {
  const url = URL.parse(given, BASE)
  if (!given.startsWith('/') || url?.origin !== BASE) return '/'
  const page = `${url.pathname}${url.search}`
  // `/.//elsewhere` resolves to `//elsewhere`, which a browser reads as an address of the host `elsewhere`.
  return page.startsWith('//') ? '/' : page
}
