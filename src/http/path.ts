/** Takes the path and the query out of a request's address. */
import { compactText } from './server/sending/memory.ts'

/**
 * The path of a request's address, without the cost of a URL object. It is kept as a key, a long query is not
 * kept with it.
 */
export function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const query = url.indexOf('?', start)
  return query < 0 ? url.slice(start) : compactText(url.slice(start, query), url)
}

/** The query of a request's address. */
export function queryOf(url: string): URLSearchParams {
  const start = url.indexOf('?')
  return new URLSearchParams(start < 0 ? '' : url.slice(start + 1))
}
