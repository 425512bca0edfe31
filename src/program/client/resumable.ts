/**
 * Sends a long file by the tus protocol, so that an attempt continues where the previous one was interrupted.
 */
import { SHA256_HEADER } from '../../contract/upload/headers.ts'
import { TUS_PIECE_TYPE, TUS_ROUTE, TUS_VERSION } from '../../contract/upload/tus-wire.ts'
import { MEGABYTE } from '../../contract/values/units.ts'

/** Files with more bytes than this are sent by the tus protocol. */
export const MAX_SINGLE_REQUEST_SIZE = 16 * MEGABYTE

/** Maximum number of bytes in the body of one request. */
const MAX_PIECE_SIZE = 32 * MEGABYTE

/** State of an upload that is kept from one attempt to the next: its address, once the upload is created. */
export interface Resumption {
  location?: string
}

export interface ResumableUpload {
  size: number
  /** Names and values of `Upload-Metadata`. */
  metadata: Readonly<Record<string, string>>
  sha256: string
  resumption: Resumption
  /** The bytes of the file between two offsets. */
  bytes(from: number, to: number): NonNullable<RequestInit['body']>
  /** Called when an attempt starts, with the number of bytes that the service already has. */
  onAttemptStart(offset: number): void
}

type SendRequest = (route: string, options: RequestInit) => Promise<Response>

/**
 * Sends the file. `sendRequest` must reject for an error answer, except for an answer to HEAD which says that
 * the upload no longer exists.
 */
export async function sendResumable(sendRequest: SendRequest, upload: ResumableUpload): Promise<void> {
  const { size, resumption } = upload
  const knownOffset =
    resumption.location === undefined ? null : await offsetOf(sendRequest, resumption.location)
  resumption.location = knownOffset === null ? await createUpload(sendRequest, upload) : resumption.location!
  let offset = knownOffset ?? 0
  upload.onAttemptStart(offset)
  while (offset < size) {
    const end = Math.min(offset + MAX_PIECE_SIZE, size)
    const answer = await sendRequest(resumption.location, {
      method: 'PATCH',
      headers: {
        ...VERSION_HEADER,
        'Upload-Offset': String(offset),
        'Content-Type': TUS_PIECE_TYPE,
        'Content-Length': String(end - offset),
      },
      body: upload.bytes(offset, end),
    })
    offset = Number(answer.headers.get('Upload-Offset') ?? end)
  }
}

const VERSION_HEADER = { 'Tus-Resumable': TUS_VERSION }

/** The number of bytes that the service has; null if the upload no longer exists. */
async function offsetOf(sendRequest: SendRequest, location: string): Promise<number | null> {
  const answer = await sendRequest(location, { method: 'HEAD', headers: VERSION_HEADER })
  return answer.ok ? Number(answer.headers.get('Upload-Offset')) : null
}

async function createUpload(
  sendRequest: SendRequest,
  { size, metadata, sha256 }: ResumableUpload,
): Promise<string> {
  const metadataPairs = Object.entries(metadata).map(
    ([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`,
  )
  const answer = await sendRequest(TUS_ROUTE, {
    method: 'POST',
    headers: {
      ...VERSION_HEADER,
      'Upload-Length': String(size),
      'Upload-Metadata': metadataPairs.join(','),
      [SHA256_HEADER]: sha256,
    },
  })
  return answer.headers.get('Location') ?? ''
}
