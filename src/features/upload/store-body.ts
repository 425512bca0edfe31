/** Stores the file in the body of an upload, in its three forms: form, Base64 text, raw bytes. */

import { fileAddress } from '../../contract/paths/addresses.ts'
import type { Token } from '../../http/access/token.ts'
import { BASE64_GROWTH, decodeBase64 } from '../../http/bodies/base64.ts'
import {
  freeEachChunk,
  hasShortBody,
  limitedBody,
  refuseAnnouncedLength,
  refuseEncoded,
  wholeBody,
} from '../../http/bodies/body.ts'
import { announcedDigests } from '../../http/bodies/digests.ts'
import { FORM_ALLOWANCE, isMultipart } from '../../http/bodies/multipart.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'
import type { Settings } from '../settings/settings.ts'
import type { Dimensions } from './edge-limit.ts'
import { receiveFormFile } from './form-file.ts'
import {
  type ReceivedUpload,
  storingPlanOf,
  type Upload,
  type UploadedFile,
  type UploadOptions,
} from './upload.ts'

const FILE_FIELD = 'file'

export interface StoreBodyParts {
  upload: Upload
  settings: Settings
}

/** Stores the file in the body of a request, in any of the three forms (form, Base64 text, raw bytes). */
export async function storeBody(
  { upload, settings }: StoreBodyParts,
  request: IncomingRequest,
  token: Token,
  options: UploadOptions,
) {
  refuseEncoded(request)
  await upload.admit(token, options)
  const receivedUpload = await receiveBody(upload, token, request)
  const uploadedFile = await upload.store(token, receivedUpload, () =>
    storingPlanOf(token, options, receivedUpload),
  )
  return uploadOnWire(uploadedFile, settings)
}

/** The options of an upload, as the headers of its request state them. */
export function uploadOptionsOf(request: IncomingRequest): UploadOptions {
  const { headers } = request
  const bodyIsFile = !isMultipart(request) && !isBase64(request)
  return {
    digests: announcedDigests(headers, { bodyIsFile }),
    path: headers.get('X-Path'),
    mime: headers.get('X-Mime')?.trim() || null,
    overwrite: headers.get('X-Overwrite')?.trim().toLowerCase() !== 'false',
  }
}

const isBase64 = (request: IncomingRequest) =>
  request.headers.get('X-Encoding')?.trim().toLowerCase() === 'base64'

async function receiveBody(upload: Upload, token: Token, request: IncomingRequest): Promise<ReceivedUpload> {
  const limit = upload.limitFor(token)
  const bodyLimit = isBase64(request)
    ? { ...limit, bytes: limit.bytes * BASE64_GROWTH + FORM_ALLOWANCE }
    : limit
  const decodeIfBase64 = (bytes: AsyncIterable<Uint8Array>) =>
    isBase64(request) ? freeEachChunk(decodeBase64(bytes)) : bytes
  if (!isMultipart(request)) {
    refuseAnnouncedLength(bodyLimit, request)
    const declaredType = request.headers.get('Content-Type') ?? ''
    const isShortBody = !isBase64(request) && hasShortBody(request)
    const bytes = isShortBody ? await wholeBody(request) : decodeIfBase64(limitedBody(bodyLimit, request))
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

function uploadOnWire(file: UploadedFile, settings: Settings) {
  return {
    url: fileAddress(settings.current().PUBLIC_URL, file.path),
    path: file.path,
    size: file.size,
    sha256: file.sha256,
    mime: file.mime,
    replaced: file.replaced,
    ...(file.downscaled && {
      verkleinert: { von: dimensionsText(file.downscaled.from), auf: dimensionsText(file.downscaled.to) },
    }),
  }
}

const dimensionsText = ({ width, height }: Dimensions) => `${width}x${height}`
