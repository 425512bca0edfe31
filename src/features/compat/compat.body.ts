/** How the compatibility routes receive a file: a form in any order, or JSON with Base64. */
import type { z } from 'zod'
import { COMPAT_FILE_FIELDS, compatBase64 } from '../../contract/compat.ts'
import { failure } from '../../errors.ts'
import { decodeBase64 } from '../../http/base64.ts'
import { bodyOf } from '../../http/body.ts'
import { checked } from '../../http/json.ts'
import { isMultipart, missingFile, readForm } from '../../http/multipart.ts'
import type { Token } from '../tokens/tokens.ts'
import type { Deposit, ReceivedUpload } from '../upload/deposit.ts'

export interface CompatBody {
  received: ReceivedUpload
  filename: string
  folder: string
}

/**
 * Text fields may follow the file, so it is staged before its path is known. Of several files the first one of the
 * route's own name wins, else the first of a known one; under a name that nobody knows it must be the only file.
 */
export async function readCompatForm(
  request: Request,
  token: Token,
  deposit: Deposit,
  ownField: string,
): Promise<CompatBody> {
  if (!isMultipart(request)) throw failure.fileFieldMissing(ownField)
  const rankOf = (field: string) => (field === ownField ? 2 : COMPAT_FILE_FIELDS.includes(field) ? 1 : 0)
  let files = 0
  let chosen: { rank: number; received: ReceivedUpload } | undefined
  try {
    const fields = await readForm(request, {
      wants({ field }) {
        files++
        return !chosen || rankOf(field) > chosen.rank
      },
      async receive({ field, filename, declaredType }, bytes) {
        const received = await deposit.receive(token, { bytes, filename, declaredType })
        await chosen?.received.staging.discard()
        chosen = { rank: rankOf(field), received }
      },
    })
    if (!chosen || (chosen.rank === 0 && files > 1)) throw missingFile(fields, ownField)
    return {
      received: chosen.received,
      filename: fields.get('filename') ?? '',
      folder: fields.get('path') ?? '',
    }
  } catch (error) {
    await chosen?.received.staging.discard()
    throw error
  }
}

/** What JSON needs around the text, names and folder included. */
const JSON_ALLOWANCE = 64 * 1024

/** The only body that is held in memory as a whole: JSON cannot be cut into a stream before it is read. */
export async function readCompatBase64(
  request: Request,
  token: Token,
  deposit: Deposit,
): Promise<CompatBody> {
  const limit = deposit.limitFor(token)
  const most = Math.ceil(limit.bytes / 3) * 4 * 1.03 + JSON_ALLOWANCE
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of bodyOf(request)) {
    length += chunk.length
    if (length > most) throw limit.exceeded()
    chunks.push(chunk)
  }
  if (length === 0) throw failure.bodyEmpty()
  const { base64, filename = '', path = '' } = parse(Buffer.concat(chunks).toString('utf8'))
  const declaredType = /^\s*data:([^,]*?)(?:;base64)?,/i.exec(base64)?.[1] ?? ''
  const bytes = decodeBase64(piecesOf(base64))
  return { received: await deposit.receive(token, { bytes, filename, declaredType }), filename, folder: path }
}

function parse(text: string): z.infer<typeof compatBase64> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw failure.jsonBroken()
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw failure.base64Missing()
  return checked(compatBase64, json)
}

const PIECE = 1024 * 1024

async function* piecesOf(text: string): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < text.length; at += PIECE) yield Buffer.from(text.slice(at, at + PIECE))
}
