/**
 * Receives the file of a request to a compatibility route: from a form, whose fields may be in any order, or
 * from JSON with Base64.
 */

import { COMPAT_FILE_FIELDS, compatBase64 } from '../../contract/upload/compat.ts'
import { failure } from '../../errors/errors.ts'
import type { Token } from '../../http/access/actor.ts'
import { openBase64 } from '../../http/bodies/base64.ts'
import { freeEachChunk, limitedBody } from '../../http/bodies/body.ts'
import { validateInput } from '../../http/bodies/json.ts'
import { readJsonWithLongText } from '../../http/bodies/json-stream.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'
import { receiveFormFile } from '../upload/form-file.ts'
import type { ReceivedUpload, Upload } from '../upload/upload.ts'

export interface CompatBody {
  receivedUpload: ReceivedUpload
  filename: string
  folder: string
}

/**
 * Receives the file of a form. Text fields may follow the file, so it is staged before its path is known.
 * `routeField` is the field that the API document names for the route. If the form has several files, a file
 * in this field is preferred, then a file in one of `COMPAT_FILE_FIELDS`.
 */
export async function readCompatForm(
  request: IncomingRequest,
  token: Token,
  upload: Upload,
  routeField: string,
): Promise<CompatBody> {
  const { receivedUpload, fields } = await receiveFormFile(request, {
    field: routeField,
    rankOf: field => (field === routeField ? 2 : COMPAT_FILE_FIELDS.includes(field) ? 1 : 0),
    receive: ({ filename, declaredType }, bytes) => upload.receive(token, { bytes, filename, declaredType }),
    sizeLimit: upload.limitFor(token),
  })
  return { receivedUpload, filename: fields.get('filename') ?? '', folder: fields.get('path') ?? '' }
}

/** Maximum bytes of the JSON without its Base64 text: the file name, the folder and the syntax. */
const JSON_ALLOWANCE = 64 * 1024

/**
 * Maximum number of characters in the JSON per byte of the file: Base64 has four characters per three bytes,
 * each character may be escaped (`\/`), and line breaks may be added.
 */
const BASE64_GROWTH = 3

/**
 * Receives the file of a JSON body. The Base64 text is decoded as it arrives; name and folder may follow it.
 */
export async function readCompatBase64(
  request: IncomingRequest,
  token: Token,
  upload: Upload,
): Promise<CompatBody> {
  const limit = upload.limitFor(token)
  const bodyLimit = { ...limit, bytes: limit.bytes * BASE64_GROWTH + JSON_ALLOWANCE }
  let receivedUpload: ReceivedUpload | undefined
  try {
    const json = await readJsonWithLongText(refuseEmpty(limitedBody(bodyLimit, request)), {
      member: 'base64',
      maxBytesAround: JSON_ALLOWANCE,
      async receive(text) {
        const { declaredType, bytes } = await openBase64(text)
        const newUpload = await upload.receive(token, {
          bytes: freeEachChunk(bytes),
          filename: '',
          declaredType,
        })
        // If two members have the same name, the later one counts, as usual in JSON.
        await receivedUpload?.staging.discard()
        receivedUpload = newUpload
      },
    })
    if (!receivedUpload) throw failure.base64Missing()
    const { filename = '', path = '' } = validateInput(compatBase64, json)
    return { receivedUpload, filename, folder: path }
  } catch (error) {
    await receivedUpload?.staging.discard()
    throw error
  }
}

async function* refuseEmpty(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isEmpty = true
  for await (const chunk of chunks) {
    isEmpty = false
    yield chunk
  }
  if (isEmpty) throw failure.bodyEmpty()
}
