/** Reads `multipart/form-data` as it streams in. */
import type { Readable } from 'node:stream'
import type { Busboy } from 'busboy'
import { essence } from '../../contract/paths/kinds.ts'
import { MEGABYTE } from '../../contract/values/units.ts'
import { failure } from '../../errors/errors.ts'
import type { IncomingRequest } from '../server/http-server.ts'
import { decodeBase64 } from './base64.ts'
import { bodyWithin, released, type SizeLimit } from './body.ts'

export interface FilePart {
  field: string
  /** The file name that the client gave; empty when the client gave no name. */
  filename: string
  /** The media type of the part's own `Content-Type`; empty when the part has no readable `Content-Type`. */
  declaredType: string
  /** True when the part came as `Content-Transfer-Encoding: base64`; its bytes are handed over decoded. */
  isDecoded: boolean
}

export interface FormHandlers {
  /** Whether a file part is read; the other file parts are skipped. */
  wants(part: FilePart): boolean
  /** Reads one wanted part to its end. The next part is handed over only after that. */
  receive(part: FilePart, bytes: AsyncIterable<Uint8Array>): Promise<void>
}

export interface FormOptions {
  /** For all bytes of the form, those that are thrown away included. */
  most: SizeLimit
  /** For a route that accepts more than usual. */
  limits?: { parts?: number; fieldSize?: number }
  /**
   * Whether a file is expected in this field. A text in such a field that is too long for a text field is
   * taken for a file that was sent without its file name.
   */
  isFileField?: (name: string) => boolean
  /**
   * True: the file name of a part keeps its folders. False: only what follows the last slash is handed on.
   */
  keepFolders?: boolean
}

// Generous for any upload form, and a bound on the work that a hostile form can cause.
const LIMITS = { fields: 100, fieldSize: 256 * 1024, parts: 200, headerPairs: 50 }

/** Bytes that boundaries, part headers and text fields may add to the files of a form. */
export const FORM_ALLOWANCE = MEGABYTE

export function isMultipart(request: IncomingRequest): boolean {
  return (request.headers.get('Content-Type') ?? '').toLowerCase().startsWith('multipart/form-data')
}

/**
 * Resolves with the text fields when the whole form was read. Rejects with the first error, wherever it
 * occurs, and reads no further: a sender that pauses does not delay the refusal.
 */
export async function readForm(
  request: IncomingRequest,
  handlers: FormHandlers,
  options: FormOptions,
): Promise<Map<string, string>> {
  const parser = await createParser(request, options)
  const sentType = watchSentType(parser)
  copySlices(parser)
  const fields = new Map<string, string>()
  let textLeft = (options.limits?.fieldSize ?? LIMITS.fieldSize) + FORM_ALLOWANCE
  let trouble: { error: unknown } | undefined
  const giveUp = new AbortController()
  let proceed = () => {}
  // The parser announces a part as soon as it sees the part, also while the part before is still being read.
  let parts: Promise<void> = Promise.resolve()

  const ended = new Promise<void>(resolve => {
    const fail = (error: unknown) => {
      trouble ??= { error }
      giveUp.abort()
      proceed()
      resolve()
    }
    parser.on('field', (name, value, info) => {
      textLeft -= value.length
      const sentAsText = info.valueTruncated && options.isFileField?.(name)
      if (sentAsText) fail(failure.fileNameMissing(name))
      else if (info.valueTruncated || info.nameTruncated || textLeft < 0) fail(failure.formTooComplex())
      if (!fields.has(name)) fields.set(name, value)
    })
    parser.on('file', (field, stream, info) => {
      // A part may be cut off before anybody reads it. Without this listener that error would be an unhandled
      // one.
      stream.on('error', () => {})
      // The parser reports a part without a readable type as `text/plain`.
      const declaredType = essence(sentType()) === info.mimeType ? info.mimeType : ''
      const isDecoded = info.encoding === 'base64'
      const part = { field: field ?? '', filename: info.filename ?? '', declaredType, isDecoded }
      const bytes = () =>
        isDecoded ? released(decodeBase64(freed(partBytes(stream)))) : freed(partBytes(stream))
      parts = parts.then(async () => {
        if (trouble) stream.resume()
        else if (handlers.wants(part)) await handlers.receive(part, bytes()).catch(fail)
        else await throwAway(freed(partBytes(stream))).catch(fail)
      })
    })
    for (const event of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const) {
      parser.on(event, () => fail(failure.formTooComplex()))
    }
    parser.on('error', () => fail(failure.formBroken()))
    parser.on('close', resolve)
  })

  try {
    // An error ends both waits. A race against `ended` would end them too, but would keep every chunk in
    // memory until then.
    for await (const chunk of bodyWithin(options.most, request, giveUp.signal)) {
      if (trouble) break
      await new Promise<void>(resolve => {
        proceed = resolve
        parser.write(chunk, () => resolve())
      })
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

/**
 * The error for a form that was read and in which no part is the file, which belongs into `field`. A part
 * without a file name is a text field.
 */
export function missingFile(
  fields: ReadonlyMap<string, string>,
  field: string,
  isFileField = (name: string) => name === field,
) {
  const text = [...fields.keys()].find(isFileField)
  return text === undefined ? failure.fileFieldMissing(field) : failure.fileNameMissing(text)
}

async function createParser(
  request: IncomingRequest,
  { limits, keepFolders = false }: FormOptions,
): Promise<Busboy> {
  if (!isMultipart(request)) throw failure.formExpected()
  const { default: busboy } = await import('busboy')
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
 * The returned function answers the `Content-Type` of the part that was announced last, as it was sent. The
 * events of the parser only tell what the parser made of that header, so this function listens to the
 * parser's reader of part headers. `multipart.test.ts` fails if another version of the parser keeps that
 * reader elsewhere.
 */
function watchSentType(parser: Busboy): () => string {
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

interface BoundarySearch {
  _cb(isMatch: boolean, data: Buffer | undefined, start: number, end: number, isOwn: boolean): void
}

/**
 * Has the parser copy what it keeps of a chunk, instead of handing on views of it, so that a chunk can be
 * freed as soon as it was parsed: nobody else could tell which parts of it are still waiting for a reader,
 * and which were thrown away.
 */
function copySlices(parser: Busboy): void {
  const search = (parser as unknown as { _bparser: BoundarySearch })._bparser
  const found = search._cb
  search._cb = (isMatch, data, start, end) => found(isMatch, data, start, end, false)
}

/**
 * Frees the memory of each slice when the next one is asked for, as `released` does; short slices lie in
 * memory that the runtime shares between many.
 */
async function* freed(slices: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const slice of slices) {
    yield slice
    const { buffer } = slice
    if (slice.length === buffer.byteLength) (buffer as ArrayBuffer).transfer(0)
  }
}

async function throwAway(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of bytes);
}

/** The bytes of a part. If the stream is destroyed before its end, the part was cut off. */
async function* partBytes(stream: Readable): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream) yield chunk as Uint8Array
  } catch {
    throw failure.formBroken()
  }
}
