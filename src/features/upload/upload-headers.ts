/** The headers of an upload: `X-Path`, `X-Mime`, `X-Overwrite`, and digests of its bytes. */
import { MEDIA_TYPE_HEADER, OVERWRITE_HEADER, PATH_HEADER } from '../../contract/upload/headers.ts'
import { announcedDigests } from '../../http/bodies/digests.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'
import { isRawBody } from './body-forms.ts'
import type { UploadOptions } from './upload.ts'

/** The options of an upload, as the headers of its request state them. */
export function uploadOptionsOf(request: IncomingRequest): UploadOptions {
  const { headers } = request
  return {
    digests: announcedDigests(headers, { bodyIsFile: isRawBody(request) }),
    path: headers.get(PATH_HEADER),
    mime: headers.get(MEDIA_TYPE_HEADER)?.trim() || null,
    overwrite: headers.get(OVERWRITE_HEADER)?.trim().toLowerCase() !== 'false',
  }
}
