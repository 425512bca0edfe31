/** The page to return to after signing in, from an address that anybody may have written. */

const BASE = 'http://own'

/** A page of this dashboard; its first page in place of anything that would lead to another host. */
export function ownPage(given: string): string {
  const url = URL.parse(given, BASE)
  if (!given.startsWith('/') || url?.origin !== BASE) return '/'
  const page = `${url.pathname}${url.search}`
  // `/.//elsewhere` resolves to `//elsewhere`, which a browser takes for a host.
  return page.startsWith('//') ? '/' : page
}
