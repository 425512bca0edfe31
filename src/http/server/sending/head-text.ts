import { STATUS_CODES } from 'node:http'

const SECOND = 1000

let cachedSecond = Number.NaN
let cachedDate = ''

/** The `Date` of an answer, formatted once per second; its length never changes. */
export function httpDate(): string {
  const currentSecond = Math.floor(Date.now() / SECOND)
  if (currentSecond !== cachedSecond) {
    cachedSecond = currentSecond
    cachedDate = new Date(currentSecond * SECOND).toUTCString()
  }
  return cachedDate
}

/** The status line, and the beginning of the `Date` line up to its value. */
export const headStart = (status: number) => `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nDate: `

/**
 * `fields` must contain no line ends. Fields from a `Headers` object cannot contain any; a caller that passes
 * other fields must ensure it.
 */
export function headText(status: number, fields: Iterable<readonly [string, string]>): string {
  let text = `${headStart(status)}${httpDate()}\r\n`
  for (const [name, value] of fields) text += `${name}: ${value}\r\n`
  return `${text}\r\n`
}
