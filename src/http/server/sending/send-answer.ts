/** Sends the answer of a handler, in the way that suits its body. */
import { FileAnswer, StreamAnswer } from './answers.ts'
import { headText } from './head-text.ts'
import type { Sender } from './sender.ts'

/** Fields that the server writes itself. */
const OURS = new Set(['connection', 'content-length', 'date', 'transfer-encoding'])
const BODILESS = new Set([204, 304])

export interface Asking {
  isHead: boolean
  knowsChunks: boolean
  /** Whether the connection ends with this answer. */
  isLast: boolean
  /** Whether the client is still there. */
  isThere(): boolean
}

/** Rejects when the bytes of the answer cannot be had; then nothing was sent. */
export async function sendAnswer(sender: Sender, response: Response, asking: Asking): Promise<void> {
  const { isHead } = asking
  if (response instanceof FileAnswer) {
    const head = headOf(response, response.file.size, asking)
    if (isHead) sender.sendParts(head)
    else sender.sendFile(head, response.file)
  } else if (response instanceof StreamAnswer) {
    if (!isHead) return sendStream(sender, response, asking)
    sender.sendParts(headOf(response, announced(response), asking))
    await response.source.cancel()
  } else {
    const reading = response.bytes()
    // A stream would be held in memory as a whole: it belongs into a `StreamAnswer`.
    if (Bun.peek.status(reading) === 'pending') {
      reading.catch(() => {})
      throw new TypeError('the body of a plain Response is not in memory')
    }
    const body = await reading
    if (!asking.isThere()) return
    // The router takes the body of an answer to HEAD away: nobody knows its length then.
    const length = isHead ? (announced(response) ?? (body.length || null)) : body.length
    const isBodiless = BODILESS.has(response.status)
    const head = headOf(response, isBodiless ? null : length, asking)
    if (isHead || isBodiless || body.length === 0) sender.sendParts(head)
    else sender.sendParts(head, body)
  }
}

/** Without a length the body goes in chunks, or to the end of the connection where the client does not know chunks. */
function sendStream(sender: Sender, response: StreamAnswer, asking: Asking): Promise<void> {
  const length = announced(response)
  const isChunked = length === null && asking.knowsChunks
  const head = headOf(response, isChunked ? 'chunked' : length, asking)
  return sender.sendStream(head, response.source, isChunked ? 'chunked' : length)
}

function announced({ headers }: Response): number | null {
  const length = headers.get('Content-Length')
  return length === null ? null : Number(length)
}

function headOf(
  { status, headers }: Response,
  length: number | 'chunked' | null,
  { isLast }: Pick<Asking, 'isLast'>,
): Buffer {
  const fields: [string, string][] = []
  headers.forEach((value, name) => {
    if (!OURS.has(name)) fields.push([name, value])
  })
  if (length === 'chunked') fields.push(['Transfer-Encoding', 'chunked'])
  else if (length !== null) fields.push(['Content-Length', String(length)])
  if (isLast) fields.push(['Connection', 'close'])
  return Buffer.from(headText(status, fields), 'latin1')
}
