/** Sends a handler's answer in the way that suits its body. */
import { FileAnswer, StreamAnswer } from '../answers.ts'
import { headText } from './head-text.ts'
import type { Sender } from './sender.ts'

/**
 * Header fields that only the server writes. If a handler sets them, they are not sent. Its `Content-Length`
 * is still used as the length of a stream or of an answer to HEAD.
 */
const SERVER_ONLY_FIELDS = new Set(['connection', 'content-length', 'date', 'transfer-encoding'])
const BODILESS_STATUSES = new Set([204, 304])

/** The facts about a request on which sending its answer depends. */
export interface SendContext {
  isHead: boolean
  supportsChunks: boolean
  /** Whether the connection is closed after this answer. */
  isLast: boolean
  isConnected(): boolean
}

/**
 * Sends an answer. Rejects if its file cannot be opened, or if the body of a plain `Response` cannot be read;
 * in that case nothing was sent. If a stream fails, the connection is closed.
 */
export async function sendAnswer(sender: Sender, response: Response, context: SendContext): Promise<void> {
  const { isHead } = context
  if (response instanceof FileAnswer) {
    const head = headOf(response, response.file.size, context)
    if (isHead) sender.sendParts(head)
    else sender.sendFile(head, response.file)
  } else if (response instanceof StreamAnswer) {
    if (!isHead) return sendStream(sender, response, context)
    sender.sendParts(headOf(response, announcedLength(response), context))
    // The answer is sent, so an error may not cause another one.
    await response.source.cancel().catch(() => {})
  } else {
    const bodyPromise = response.bytes()
    // A stream would be read into memory as a whole, so it must be sent as a `StreamAnswer`.
    if (Bun.peek.status(bodyPromise) === 'pending') {
      bodyPromise.catch(() => {})
      throw new TypeError('the body of a plain Response is not in memory')
    }
    const body = await bodyPromise
    if (!context.isConnected()) return
    // The router removes the body of an answer to HEAD, so its length is not that of the answer to GET.
    const length = isHead ? (announcedLength(response) ?? (body.length || null)) : body.length
    const isBodiless = BODILESS_STATUSES.has(response.status)
    const head = headOf(response, isBodiless ? null : length, context)
    if (isHead || isBodiless || body.length === 0) sender.sendParts(head)
    else sender.sendParts(head, body)
  }
}

/**
 * Sends a stream. If its length is unknown, it is sent in chunks. An HTTP/1.0 client gets it without chunks,
 * and the end of the connection is the end of the stream.
 */
function sendStream(sender: Sender, response: StreamAnswer, context: SendContext): Promise<void> {
  const length = announcedLength(response)
  const isChunked = length === null && context.supportsChunks
  const head = headOf(response, isChunked ? 'chunked' : length, context)
  return sender.sendStream(head, response.source, isChunked ? 'chunked' : length)
}

function announcedLength({ headers }: Response): number | null {
  const length = headers.get('Content-Length')
  return length === null ? null : Number(length)
}

function headOf(
  { status, headers }: Response,
  length: number | 'chunked' | null,
  { isLast }: Pick<SendContext, 'isLast'>,
): Buffer {
  const fields: [string, string][] = []
  headers.forEach((value, name) => {
    if (!SERVER_ONLY_FIELDS.has(name)) fields.push([name, value])
  })
  if (length === 'chunked') fields.push(['Transfer-Encoding', 'chunked'])
  else if (length !== null) fields.push(['Content-Length', String(length)])
  if (isLast) fields.push(['Connection', 'close'])
  return Buffer.from(headText(status, fields), 'latin1')
}
