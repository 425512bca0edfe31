/** Receives a single file from a form, which may also have other files and fields. */

import { MAX_BASE64_RATIO } from '../../http/bodies/base64.ts'
import type { SizeLimit } from '../../http/bodies/body.ts'
import {
  type FilePart,
  MAX_FORM_OVERHEAD,
  missingFileFailure,
  readForm,
} from '../../http/bodies/multipart.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'
import type { ReceivedUpload } from './upload.ts'

interface FormFileRules {
  /** The expected field, for the error if it is missing. */
  field: string
  /**
   * The rank of files in this field. The file with the highest rank is taken; if several files have this
   * rank, the first of them. A file of rank 0 is taken only if the form has no other file.
   */
  rankOf(field: string): number
  receive(part: FilePart, bytes: AsyncIterable<Uint8Array>): Promise<ReceivedUpload>
  /** Maximum size of the file. The form may be larger, because the file may be in Base64. */
  sizeLimit: SizeLimit
}

/**
 * Receives the file with the highest rank and the text fields of the form. Leaves nothing staged if it
 * rejects.
 */
export async function receiveFormFile(
  request: IncomingRequest,
  { field, rankOf, receive, sizeLimit }: FormFileRules,
): Promise<{ receivedUpload: ReceivedUpload; fields: ReadonlyMap<string, string> }> {
  const isFileField = (name: string) => rankOf(name) > 0
  let fileCount = 0
  let chosenFile: { rank: number; receivedUpload: ReceivedUpload } | undefined
  const wantsFile = (part: FilePart) => {
    fileCount++
    return !chosenFile || rankOf(part.field) > chosenFile.rank
  }
  async function takeFile(part: FilePart, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const receivedUpload = await receive(part, bytes)
    await chosenFile?.receivedUpload.staging.discard()
    chosenFile = { rank: rankOf(part.field), receivedUpload }
  }
  try {
    const formLimit = { ...sizeLimit, bytes: sizeLimit.bytes * MAX_BASE64_RATIO + MAX_FORM_OVERHEAD }
    const fields = await readForm(
      request,
      { wants: wantsFile, receive: takeFile },
      { sizeLimit: formLimit, isFileField },
    )
    if (!chosenFile || (chosenFile.rank === 0 && fileCount > 1))
      throw missingFileFailure(fields, field, isFileField)
    return { receivedUpload: chosenFile.receivedUpload, fields }
  } catch (error) {
    await chosenFile?.receivedUpload.staging.discard()
    throw error
  }
}
