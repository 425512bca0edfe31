/** Parses `multipart/form-data` as a stream. */
import type { Readable } from 'node:stream'
import type { Busboy } from 'busboy'
import { mediaTypeEssence } from '../../contract/paths/kinds.ts'
import { MEGABYTE } from '../../contract/values/units.ts'
import { failure } from '../../errors/errors.ts'
import type { IncomingRequest } from '../server/http-server.ts'
import { decodeBase64 } from './base64.ts'
import { freeEachChunk, limitedBody, type SizeLimit } from './body.ts'

/** The field of our own forms that contains the file. */
export const FILE_FIELD = 'file'

export interface FilePart {
  field: string
  /** The client's file name; empty if there is none. */
  filename: string
  /** The part's `Content-Type` without parameters; empty if it is missing or invalid. */
  declaredType: string
  /** Whether the part was sent as `Content-Transfer-Encoding: base64`; `receive` gets it decoded. */
  isDecoded: boolean
}

export interface FormHandlers {
  /** Whether a file part is to be read; other parts are skipped. */
  wants(part: FilePart): boolean
  /** Must read one wanted part to its end; the next part is passed only after that. */
  receive(part: FilePart, bytes: AsyncIterable<Uint8Array>): Promise<void>
}

export interface FormOptions {
  /** The limit for all bytes of the form, including skipped parts. */
  sizeLimit: SizeLimit
  /** Limits of this route; they replace those in `DEFAULT_LIMITS`. */
  limits?: { parts?: number; fieldSize?: number }
  /**
   * Whether a file is expected in this field. If such a field contains text that is too long for a text
   * field, the error says that the file name is missing, since a file part without a name looks like text.
   */
  isFileField?: (name: string) => boolean
  /**
   * If true, the file name keeps its folders; otherwise only the part after the last slash or backslash is
   * kept.
   */
  keepFolders?: boolean
}

// The limits for one form, which bound the work that a malicious form can cause. `fieldSize` is in bytes. A
// route can replace limits with its own.
const DEFAULT_LIMITS = { fields: 100, fieldSize: 256 * 1024, parts: 200, headerPairs: 50 }

/** Maximum number of bytes that boundaries, part headers and text fields may add to the files. */
export const MAX_FORM_OVERHEAD = MEGABYTE

export function isMultipart(request: IncomingRequest): boolean {
  return (request.headers.get('Content-Type') ?? '').toLowerCase().startsWith('multipart/form-data')
}

/**
 * Reads a whole form and resolves with its text fields. Rejects with the first error, even while no bytes
 * arrive, and then reads no further.
 */
export async function readForm(
  request: IncomingRequest,
  handlers: FormHandlers,
  options: FormOptions,
): Promise<Map<string, string>> {
  const parser = await createParser(request, options)
  const partType = watchPartType(parser)
  copySlices(parser)
  const fields = new Map<string, string>()
  let remainingTextLength = (options.limits?.fieldSize ?? DEFAULT_LIMITS.fieldSize) + MAX_FORM_OVERHEAD
  let firstError: { error: unknown } | undefined
  const abortController = new AbortController()
  let proceed = () => {}
  // Resolves when all announced file parts are handled: the parser announces a part before the previous one
  // has been read.
  let partsHandled: Promise<void> = Promise.resolve()

  const parsingEnded = new Promise<void>(resolve => {
    const fail = (error: unknown) => {
      firstError ??= { error }
      abortController.abort()
      proceed()
      resolve()
    }
    parser.on('field', (name, value, info) => {
      remainingTextLength -= value.length
      const isFileSentAsText = info.valueTruncated && options.isFileField?.(name)
      if (isFileSentAsText) fail(failure.fileNameMissing(name))
      else if (info.valueTruncated || info.nameTruncated || remainingTextLength < 0)
        fail(failure.formTooComplex())
      if (!fields.has(name)) fields.set(name, value)
    })
    parser.on('file', (field, stream, info) => {
      // Without a listener, a part that is cut off before it is read would cause an unhandled error.
      stream.on('error', () => {})
      // The parser reports `text/plain` for a part without a valid type.
      const declaredType = mediaTypeEssence(partType()) === info.mimeType ? info.mimeType : ''
      const isDecoded = info.encoding === 'base64'
      const part = { field: field ?? '', filename: info.filename ?? '', declaredType, isDecoded }
      const bytes = () =>
        isDecoded ? freeEachChunk(decodeBase64(freeSlices(partBytes(stream)))) : freeSlices(partBytes(stream))
      partsHandled = partsHandled.then(async () => {
        if (firstError) stream.resume()
        else if (handlers.wants(part)) await handlers.receive(part, bytes()).catch(fail)
        else await discardBytes(freeSlices(partBytes(stream))).catch(fail)
      })
    })
    for (const event of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const) {
      parser.on(event, () => fail(failure.formTooComplex()))
    }
    parser.on('error', () => fail(failure.formBroken()))
    parser.on('close', resolve)
  })

  try {
    // An error calls `proceed` and aborts `abortController`, so that this loop waits neither for the parser
    // nor for bytes. `Promise.race` with `parsingEnded` would do so too, but would keep every chunk in
    // memory.
    for await (const chunk of limitedBody(options.sizeLimit, request, abortController.signal)) {
      if (firstError) break
      await new Promise<void>(resolve => {
        proceed = resolve
        parser.write(chunk, () => resolve())
      })
    }
    if (!firstError) parser.end()
  } catch (error) {
    firstError ??= { error }
  }
  if (firstError) parser.destroy()
  await parsingEnded
  await partsHandled
  if (firstError) throw firstError.error
  return fields
}

/** The error for a form without a file in `field`. A part without a file name counts as a text field. */
export function missingFileFailure(
  fields: ReadonlyMap<string, string>,
  field: string,
  isFileField = (name: string) => name === field,
) {
  const textField = [...fields.keys()].find(isFileField)
  return textField === undefined ? failure.fileFieldMissing(field) : failure.fileNameMissing(textField)
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
      limits: { ...DEFAULT_LIMITS, ...limits },
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
 * Returns a function that returns the `Content-Type` of the last part as it was sent, which the parser does
 * not report. `watchPartType` hooks into the parser's header reader; `multipart.test.ts` fails if a new
 * version of the parser moves that reader.
 */
function watchPartType(parser: Busboy): () => string {
  let partType = ''
  let reader: HeaderReader | null = null
  let watchedReader: HeaderReader | null = null
  Object.defineProperty(parser, '_hparser', {
    get: () => reader,
    set(newReader: HeaderReader | null) {
      if (newReader && newReader !== watchedReader) {
        const originalCallback = newReader.cb
        newReader.cb = headers => {
          partType = headers['content-type']?.[0] ?? ''
          originalCallback(headers)
        }
        watchedReader = newReader
      }
      reader = newReader
    },
  })
  return () => partType
}

interface BoundarySearch {
  _cb(isMatch: boolean, data: Buffer | undefined, start: number, end: number, isOwn: boolean): void
}

/**
 * Makes the parser pass on copies of the bytes of a chunk instead of views, so that the chunk can be freed
 * after parsing.
 */
function copySlices(parser: Busboy): void {
  const boundarySearch = (parser as unknown as { _bparser: BoundarySearch })._bparser
  const originalCallback = boundarySearch._cb
  boundarySearch._cb = (isMatch, data, start, end) => originalCallback(isMatch, data, start, end, false)
}

/**
 * Yields the slices of a part, and frees each one when the next is requested. Short slices share a pooled
 * buffer and are not freed.
 */
async function* freeSlices(slices: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const slice of slices) {
    yield slice
    const { buffer } = slice
    if (slice.length === buffer.byteLength) (buffer as ArrayBuffer).transfer(0)
  }
}

async function discardBytes(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of bytes);
}

/** Yields the bytes of a part. Throws if the part was cut off, because its stream is then destroyed early. */
async function* partBytes(stream: Readable): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream) yield chunk as Uint8Array
  } catch {
    throw failure.formBroken()
  }
}
