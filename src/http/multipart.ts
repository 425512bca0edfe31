/** `multipart/form-data`, read as it streams in. */
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import busboy from 'busboy'
import { failure } from '../errors.ts'
import { bodyOf } from './body.ts'

export interface FilePart {
  field: string
  /** As the client named it; empty when it did not. */
  filename: string
  declaredType: string
}

export interface FormHandlers {
  /** Which file parts are read; the others are passed over. */
  wants(part: FilePart): boolean
  /** Reads one wanted part to its end. The next part comes only after that. */
  receive(part: FilePart, bytes: AsyncIterable<Uint8Array>): Promise<void>
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
export async function readForm(request: Request, handlers: FormHandlers): Promise<Map<string, string>> {
  const parser = createParser(request)
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
      if (info.valueTruncated || info.nameTruncated) fail(failure.formTooComplex())
      if (!fields.has(name)) fields.set(name, value)
    })
    parser.on('file', (field, stream, info) => {
      // A part that is cut off before anybody reads it says so to nobody else.
      stream.on('error', () => {})
      const part = { field, filename: info.filename ?? '', declaredType: info.mimeType ?? '' }
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
    const body = bodyOf(request, giveUp.signal)
    while (!trouble) {
      const chunk = await Promise.race([body.next(), ended])
      if (!chunk || chunk.done) break
      if (!parser.write(chunk.value)) await Promise.race([once(parser, 'drain'), ended])
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

function createParser(request: Request): busboy.Busboy {
  try {
    return busboy({
      headers: { 'content-type': request.headers.get('Content-Type') ?? '' },
      limits: LIMITS,
      defParamCharset: 'utf8',
    })
  } catch {
    throw failure.formBroken()
  }
}

/** A part whose stream is destroyed before its end was cut off. */
async function* partBytes(stream: Readable): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream) yield chunk as Uint8Array
  } catch {
    throw failure.formBroken()
  }
}
