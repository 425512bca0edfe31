/**
 * The path of a request's address, without the cost of a URL object. A request without a usable `Host`, as some health
 * checks send it, has no address but its path.
 */
export function pathOf(url: string): string {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3)
  const query = url.indexOf('?', start)
  return query < 0 ? url.slice(start) : url.slice(start, query)
}

/** The query of a request's address, also of one whose `Host` makes it no address at all. */
export function queryOf(url: string): URLSearchParams {
  const [address = ''] = url.split('#', 1)
  const start = address.indexOf('?')
  return new URLSearchParams(start < 0 ? '' : address.slice(start + 1))
}

/** For Hono, which would otherwise read such a path as a host. */
export const getPath = (request: Request) => pathOf(request.url)
