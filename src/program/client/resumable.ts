/** Sends a long file by the tus protocol, so that an attempt continues where the last one was interrupted. */
import { TUS_PIECE_TYPE, TUS_ROUTE, TUS_VERSION } from '../../contract/upload/tus-wire.ts'
import { MEGABYTE } from '../../contract/values/units.ts'

/** Number of bytes from which on a file is sent in this way. */
export const RESUMABLE_FROM = 16 * MEGABYTE

/** Number of bytes in a request, which is less than proxies usually allow. */
const PIECE = 32 * MEGABYTE

/** State of an upload that is kept from one attempt to the next. */
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
  /** Called when an attempt starts, with the number of bytes that the service has already. */
  onContinued(offset: number): void
}

type Ask = (route: string, options: RequestInit) => Promise<Response>

/**
 * Sends the file. `ask` must reject for an unsuccessful answer, except those that say that the upload is
 * gone.
 */
export async function sendResumable(ask: Ask, upload: ResumableUpload): Promise<void> {
  const { size, resumption } = upload
  const known = resumption.location === undefined ? null : await offsetOf(ask, resumption.location)
  resumption.location = known === null ? await create(ask, upload) : resumption.location!
  let offset = known ?? 0
  upload.onContinued(offset)
  while (offset < size) {
    const end = Math.min(offset + PIECE, size)
    const answer = await ask(resumption.location, {
      method: 'PATCH',
      headers: {
        ...VERSION,
        'Upload-Offset': String(offset),
        'Content-Type': TUS_PIECE_TYPE,
        'Content-Length': String(end - offset),
      },
      body: upload.bytes(offset, end),
    })
    offset = Number(answer.headers.get('Upload-Offset') ?? end)
  }
}

const VERSION = { 'Tus-Resumable': TUS_VERSION }

/** The number of bytes that the service has; null if the upload is gone. */
async function offsetOf(ask: Ask, location: string): Promise<number | null> {
  const answer = await ask(location, { method: 'HEAD', headers: VERSION })
  return answer.ok ? Number(answer.headers.get('Upload-Offset')) : null
}

async function create(ask: Ask, { size, metadata, sha256 }: ResumableUpload): Promise<string> {
  const pairs = Object.entries(metadata).map(
    ([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`,
  )
  const answer = await ask(TUS_ROUTE, {
    method: 'POST',
    headers: {
      ...VERSION,
      'Upload-Length': String(size),
      'Upload-Metadata': pairs.join(','),
      'X-Sha256': sha256,
    },
  })
  return answer.headers.get('Location') ?? ''
}
