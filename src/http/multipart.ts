/** `multipart/form-data`, read as it streams in. */
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import busboy from 'busboy'
import { essence } from '../contract/kinds.ts'
import { failure } from '../errors.ts'
import { bodyOf } from './body.ts'

export interface FilePart {
  field: string
  /** As the client named it; empty when it did not. */
  filename: string
  /** The media type of the part's own `Content-Type`; empty when it has none that can be read. */
  declaredType: string
}

export interface FormHandlers {
  /** Which file parts are read; the others are passed over. */
  wants(part: FilePart): boolean
  /** Reads one wanted part to its end. The next part comes only after that. */
  receive(part: FilePart, bytes: AsyncIterable<Uint8Array>): Promise<void>
}

export interface FormOptions {
  /** Where a route takes more than usual. */
  limits?: { parts?: number; fieldSize?: number }
  /** Where the file is expected: a text too long for any field there is a file that was sent without its name. */
  fileField?: string
  /** A part's file name keeps its folders; else only what follows the last slash is handed on. */
  keepFolders?: boolean
}

// Generous for any upload form, and a bound on what a hostile one can keep us busy with.
const LIMITS = { fields: 100, fieldSize: 256 * 1024, parts: 200, headerPairs: 50 }

export function isMultipart(request: Request): boolean {
  return (request.headers.get('Content-Type') ?? '').toLowerCase().startsWith('multipart/form-data')
}

/**
 * Resolves with the text fields when the whole form was read. Rejects with the first trouble, whoever has it, and reads
 * no further: a sender that makes a pause does not hold up the refusal.
 */
export async function readForm(
  request: Request,
  handlers: FormHandlers,
  options: FormOptions = {},
): Promise<Map<string, string>> {
  const parser = createParser(request, options)
  const sentType = watchSentType(parser)
  const fields = new Map<string, string>()
  let trouble: { error: unknown } | undefined
  const giveUp = new AbortController()
  // The parser announces a part as soon as it sees it, also while the one before is still being read.
  let parts: Promise<void> = Promise.resolve()

  const ended = new Promise<void>(resolve => {
    const fail = (error: unknown) => {
      trouble ??= { error }
      giveUp.abort()
      resolve()
    }
    parser.on('field', (name, value, info) => {
      const sentAsText = info.valueTruncated && name === options.fileField
      if (sentAsText) fail(failure.fileNameMissing(name))
      else if (info.valueTruncated || info.nameTruncated) fail(failure.formTooComplex())
      if (!fields.has(name)) fields.set(name, value)
    })
    parser.on('file', (field, stream, info) => {
      // A part that is cut off before anybody reads it says so to nobody else.
      stream.on('error', () => {})
      // The parser takes a part without a readable type for `text/plain`.
      const declaredType = essence(sentType()) === info.mimeType ? info.mimeType : ''
      const part = { field: field ?? '', filename: info.filename ?? '', declaredType }
      parts = parts.then(async () => {
        if (trouble || !handlers.wants(part)) stream.resume()
        else await handlers.receive(part, partBytes(stream)).catch(fail)
      })
    })
    for (const event of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const) {
      parser.on(event, () => fail(failure.formTooComplex()))
    }
    parser.on('error', () => fail(failure.formBroken()))
    parser.on('close', resolve)
  })

  try {
    // Trouble ends both waits by the signal. A race against `ended` would, too, but keep every chunk until then.
    for await (const chunk of bodyOf(request, giveUp.signal)) {
      if (!parser.write(chunk)) await once(parser, 'drain', { signal: giveUp.signal }).catch(() => {})
      if (trouble) break
    }
    if (!trouble) parser.end()
  } catch (error) {
    trouble ??= { error }
  }
  if (trouble) parser.destroy()
  await ended
  await parts
  if (trouble) throw trouble.error
  return fields
}

/** What to say when a form was read and none of its parts is the file. A part without a file name is a text field. */
export const missingFile = (fields: ReadonlyMap<string, string>, field: string) =>
  fields.has(field) ? failure.fileNameMissing(field) : failure.fileFieldMissing(field)

function createParser(request: Request, { limits, keepFolders = false }: FormOptions): busboy.Busboy {
  try {
    return busboy({
      headers: { 'content-type': request.headers.get('Content-Type') ?? '' },
      limits: { ...LIMITS, ...limits },
      preservePath: keepFolders,
      defParamCharset: 'utf8',
    })
  } catch {
    throw failure.formBroken()
  }
}

interface HeaderReader {
  cb(headers: Record<string, string[] | undefined>): void
}

/**
 * Answers the `Content-Type` of the part that was announced last, as it was sent. The parser tells its events only what it
 * made of it, so its reader of part headers is listened to; `multipart.test.ts` notices should another version of the
 * parser keep that reader elsewhere.
 */
function watchSentType(parser: busboy.Busboy): () => string {
  let sent = ''
  let reader: HeaderReader | null = null
  let watched: HeaderReader | null = null
  Object.defineProperty(parser, '_hparser', {
    get: () => reader,
    set(next: HeaderReader | null) {
      if (next && next !== watched) {
        const announce = next.cb
        next.cb = headers => {
          sent = headers['content-type']?.[0] ?? ''
          announce(headers)
        }
        watched = next
      }
      reader = next
    },
  })
  return () => sent
}

/** A part whose stream is destroyed before its end was cut off. */
async function* partBytes(stream: Readable): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream) yield chunk as Uint8Array
  } catch {
    throw failure.formBroken()
  }
}
