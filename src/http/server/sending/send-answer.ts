/** Sends a handler's answer in the way that suits its body. */
import { FileAnswer, StreamAnswer } from './answers.ts'
import { headText } from './head-text.ts'
import type { Sender } from './sender.ts'

/** Fields that only the server writes. */
const SERVER_FIELDS = new Set(['connection', 'content-length', 'date', 'transfer-encoding'])
const BODILESS = new Set([204, 304])

/** What sending an answer needs to know about its request. */
export interface RequestFacts {
  isHead: boolean
  knowsChunks: boolean
  /** Whether the connection is closed after this answer. */
  isLast: boolean
  isThere(): boolean
}

/** Sends an answer. Rejects if its body cannot be read; in that case nothing was sent. */
export async function sendAnswer(sender: Sender, response: Response, asking: RequestFacts): Promise<void> {
  const { isHead } = asking
  if (response instanceof FileAnswer) {
    const head = headOf(response, response.file.size, asking)
    if (isHead) sender.sendParts(head)
    else sender.sendFile(head, response.file)
  } else if (response instanceof StreamAnswer) {
    if (!isHead) return sendStream(sender, response, asking)
    sender.sendParts(headOf(response, announcedLength(response), asking))
    await response.source.cancel()
  } else {
    const reading = response.bytes()
    // A stream would be read into memory as a whole, so it must be sent as a `StreamAnswer`.
    if (Bun.peek.status(reading) === 'pending') {
      reading.catch(() => {})
      throw new TypeError('the body of a plain Response is not in memory')
    }
    const body = await reading
    if (!asking.isThere()) return
    // The router removes the body of an answer to HEAD, so its length is not that of the answer to GET.
    const length = isHead ? (announcedLength(response) ?? (body.length || null)) : body.length
    const isBodiless = BODILESS.has(response.status)
    const head = headOf(response, isBodiless ? null : length, asking)
    if (isHead || isBodiless || body.length === 0) sender.sendParts(head)
    else sender.sendParts(head, body)
  }
}

/**
 * Sends a stream. If its length is unknown, it is sent in chunks, or to an old client until the connection is
 * closed.
 */
function sendStream(sender: Sender, response: StreamAnswer, asking: RequestFacts): Promise<void> {
  const length = announcedLength(response)
  const isChunked = length === null && asking.knowsChunks
  const head = headOf(response, isChunked ? 'chunked' : length, asking)
  return sender.sendStream(head, response.source, isChunked ? 'chunked' : length)
}

function announcedLength({ headers }: Response): number | null {
  const length = headers.get('Content-Length')
  return length === null ? null : Number(length)
}

function headOf(
  { status, headers }: Response,
  length: number | 'chunked' | null,
  { isLast }: Pick<RequestFacts, 'isLast'>,
): Buffer {
  const fields: [string, string][] = []
  headers.forEach((value, name) => {
    if (!SERVER_FIELDS.has(name)) fields.push([name, value])
  })
  if (length === 'chunked') fields.push(['Transfer-Encoding', 'chunked'])
  else if (length !== null) fields.push(['Content-Length', String(length)])
  if (isLast) fields.push(['Connection', 'close'])
  return Buffer.from(headText(status, fields), 'latin1')
}
