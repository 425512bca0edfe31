/** Takes the path and the query out of a request's address. */

/**
 * The path of a request's address, without the cost of a URL object. If a request has no usable `Host`, as with some
 * health checks, its address is only the path.
 */
export function pathOf(url: string): string {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3)
  const query = url.indexOf('?', start)
  return query < 0 ? url.slice(start) : url.slice(start, query)
}

/**
 * The query of a request's address. Works also for a request without a usable `Host`, whose address is not a valid URL.
 */
export function queryOf(url: string): URLSearchParams {
  const [address = ''] = url.split('#', 1)
  const start = address.indexOf('?')
  return new URLSearchParams(start < 0 ? '' : address.slice(start + 1))
}
