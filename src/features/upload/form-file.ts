/** Receives the one file of a form, whatever other files and fields it has. */

import { BASE64_GROWTH } from '../../http/bodies/base64.ts'
import type { SizeLimit } from '../../http/bodies/body.ts'
import { type FilePart, FORM_ALLOWANCE, missingFile, readForm } from '../../http/bodies/multipart.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'
import type { ReceivedUpload } from './upload.ts'

interface FormFileRules {
  /** The expected field, for the error if it is missing. */
  field: string
  /**
   * The rank of the files in a field. The file with the highest rank is taken; of several, the first one. A
   * file of rank 0 is taken only if it is the only file.
   */
  rankOf(field: string): number
  receive(part: FilePart, bytes: AsyncIterable<Uint8Array>): Promise<ReceivedUpload>
  /** Maximum size of the file. Base64 may take more bytes than that, and so may the form. */
  most: SizeLimit
}

/** Leaves nothing staged if it rejects. */
export async function receiveFormFile(
  request: IncomingRequest,
  { field, rankOf, receive, most }: FormFileRules,
): Promise<{ received: ReceivedUpload; fields: ReadonlyMap<string, string> }> {
  const isFileField = (name: string) => rankOf(name) > 0
  let files = 0
  let chosen: { rank: number; received: ReceivedUpload } | undefined
  const wants = (part: FilePart) => {
    files++
    return !chosen || rankOf(part.field) > chosen.rank
  }
  async function take(part: FilePart, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const received = await receive(part, bytes)
    await chosen?.received.staging.discard()
    chosen = { rank: rankOf(part.field), received }
  }
  try {
    const ofForm = { ...most, bytes: most.bytes * BASE64_GROWTH + FORM_ALLOWANCE }
    const fields = await readForm(request, { wants, receive: take }, { most: ofForm, isFileField })
    if (!chosen || (chosen.rank === 0 && files > 1)) throw missingFile(fields, field, isFileField)
    return { received: chosen.received, fields }
  } catch (error) {
    await chosen?.received.staging.discard()
    throw error
  }
}
