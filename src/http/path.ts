import { compactText } from './server/sending/memory.ts'

/**
 * The path of a URL, without the cost of a URL object. If a long query follows, the path is copied, so that
 * keeping the path does not keep the query in memory.
 */
export function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const query = url.indexOf('?', start)
  return query < 0 ? url.slice(start) : compactText(url.slice(start, query), url)
}

export function queryOf(url: string): URLSearchParams {
  const start = url.indexOf('?')
  return new URLSearchParams(start < 0 ? '' : url.slice(start + 1))
}
