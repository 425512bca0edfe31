/** Receives the file in the body of an upload, in its three forms: form, Base64 text, raw bytes. */
import { ENCODING_HEADER } from '../../contract/upload/headers.ts'
import type { Token } from '../../http/access/actor.ts'
import { decodeBase64, MAX_BASE64_RATIO } from '../../http/bodies/base64.ts'
import {
  freeEachChunk,
  hasShortBody,
  limitedBody,
  readWholeBody,
  refuseAnnouncedLength,
} from '../../http/bodies/body.ts'
import { FILE_FIELD, isMultipart, MAX_FORM_OVERHEAD } from '../../http/bodies/multipart.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'
import { receiveFormFile } from './form-file.ts'
import type { ReceivedUpload, Upload } from './upload.ts'

/** Any other encoding means raw bytes. */
const isBase64 = (request: IncomingRequest) =>
  request.headers.get(ENCODING_HEADER)?.trim().toLowerCase() === 'base64'

/** Whether the body is the file itself. */
export const isRawBody = (request: IncomingRequest) => !isMultipart(request) && !isBase64(request)

export async function receiveBody(
  upload: Upload,
  token: Token,
  request: IncomingRequest,
): Promise<ReceivedUpload> {
  const limit = upload.limitFor(token)
  const bodyLimit = isBase64(request)
    ? { ...limit, bytes: limit.bytes * MAX_BASE64_RATIO + MAX_FORM_OVERHEAD }
    : limit
  const decodeIfBase64 = (bytes: AsyncIterable<Uint8Array>) =>
    isBase64(request) ? freeEachChunk(decodeBase64(bytes)) : bytes
  if (!isMultipart(request)) {
    refuseAnnouncedLength(bodyLimit, request)
    const declaredType = request.headers.get('Content-Type') ?? ''
    const isShortBody = !isBase64(request) && hasShortBody(request)
    const bytes = isShortBody ? await readWholeBody(request) : decodeIfBase64(limitedBody(bodyLimit, request))
    return upload.receive(token, { bytes, filename: '', declaredType })
  }
  const { receivedUpload } = await receiveFormFile(request, {
    field: FILE_FIELD,
    rankOf: field => (field === FILE_FIELD ? 1 : 0),
    receive: ({ filename, declaredType, isDecoded }, bytes) =>
      upload.receive(token, { bytes: isDecoded ? bytes : decodeIfBase64(bytes), filename, declaredType }),
    sizeLimit: limit,
  })
  return receivedUpload
}
