/** Stores the file in the body of an upload, and answers as `/api/upload`. */

import { fileAddress } from '../../contract/paths/addresses.ts'
import type { Token } from '../../http/access/actor.ts'
import { refuseEncodedBody } from '../../http/bodies/content-encoding.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'
import type { Settings } from '../settings/settings.ts'
import { receiveBody } from './body-forms.ts'
import type { Dimensions } from './edge-limit.ts'
import { storagePlanOf } from './path-and-type.ts'
import type { Upload, UploadedFile, UploadOptions } from './upload.ts'

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
  refuseEncodedBody(request)
  await upload.admit(token, options)
  const receivedUpload = await receiveBody(upload, token, request)
  const uploadedFile = await upload.store(token, receivedUpload, () =>
    storagePlanOf(token, options, receivedUpload),
  )
  return uploadOnWire(uploadedFile, settings)
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
