import { compactText } from './server/sending/memory.ts'

/**
 * The path of a URL, without the cost of a URL object. If a long query follows, the path is copied, so that
 * keeping the path does not keep the query in memory.
 */
export function pathOf(url: string): string {
  const pathStart = url.indexOf('/', url.indexOf('://') + 3)
  const queryIndex = url.indexOf('?', pathStart)
  return queryIndex < 0 ? url.slice(pathStart) : compactText(url.slice(pathStart, queryIndex), url)
}

export function queryOf(url: string): URLSearchParams {
  const queryStart = url.indexOf('?')
  return new URLSearchParams(queryStart < 0 ? '' : url.slice(queryStart + 1))
}
