/** Sends a long file by the tus protocol, so that an attempt continues where the last one broke off. */
import { TUS_PIECE, TUS_ROUTE, TUS_VERSION } from '../../contract/upload/tus-wire.ts'
import { MEGABYTE } from '../../contract/values/units.ts'

/** Bytes from which on a file is sent in this way. */
export const RESUMABLE_FROM = 16 * MEGABYTE

/** Bytes of a request: less than proxies usually allow. */
const PIECE = 32 * MEGABYTE

/** One upload over several attempts. */
export interface Resumption {
  location?: string
}

export interface ResumableOrder {
  size: number
  /** Names and values of `Upload-Metadata`. */
  metadata: Readonly<Record<string, string>>
  sha256: string
  resumption: Resumption
  /** The bytes of the file from here to there. */
  bytes(from: number, to: number): NonNullable<RequestInit['body']>
  /** How many bytes the service has when an attempt starts. */
  onContinued(offset: number): void
}

type Ask = (route: string, options: RequestInit) => Promise<Response>

/** `ask` rejects for an answer that is no success, except for those that `isGone` names. */
export async function sendResumable(ask: Ask, order: ResumableOrder): Promise<void> {
  const { size, resumption } = order
  const known = resumption.location === undefined ? null : await offsetOf(ask, resumption.location)
  resumption.location = known === null ? await create(ask, order) : resumption.location!
  let offset = known ?? 0
  order.onContinued(offset)
  while (offset < size) {
    const end = Math.min(offset + PIECE, size)
    const answer = await ask(resumption.location, {
      method: 'PATCH',
      headers: {
        ...VERSION,
        'Upload-Offset': String(offset),
        'Content-Type': TUS_PIECE,
        'Content-Length': String(end - offset),
      },
      body: order.bytes(offset, end),
    })
    offset = Number(answer.headers.get('Upload-Offset') ?? end)
  }
}

const VERSION = { 'Tus-Resumable': TUS_VERSION }

/** Null if the upload is gone. */
async function offsetOf(ask: Ask, location: string): Promise<number | null> {
  const answer = await ask(location, { method: 'HEAD', headers: VERSION })
  return answer.ok ? Number(answer.headers.get('Upload-Offset')) : null
}

async function create(ask: Ask, { size, metadata, sha256 }: ResumableOrder): Promise<string> {
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
