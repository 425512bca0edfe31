/** Opens the file at an address: follows and checks redirects, and refuses all but a complete file. */
import type { IncomingHttpHeaders } from 'node:http'
import { FETCH_MAX_REDIRECTS } from '../../contract/upload/ingest.ts'
import { failure } from '../../errors/errors.ts'
import { connectTo } from './connection.ts'
import { type Answer, exchange } from './exchange.ts'
import type { Network } from './network.ts'
import { type Target, targetOf } from './target.ts'

export type Source = ReturnType<typeof sourceOf>

const REDIRECTS = [301, 302, 303, 307, 308]

/** Statuses of a complete file: not 206 (partial) or 204 (empty); 203 comes through a proxy. */
const WHOLE_STATUSES = [200, 203]

/** Runs `use` with the open source and always closes it. `time` limits everything together. */
export async function followingRedirects<T>(
  address: string,
  network: Network,
  time: AbortSignal,
  use: (source: Source) => Promise<T>,
): Promise<T> {
  const first = URL.parse(address)
  if (!first) throw failure.fetchAddressBroken()
  let target = targetOf(first)
  for (let followed = 0; ; followed++) {
    const socket = await connectTo(target, network, time)
    try {
      const answer = await exchange(target, socket, network.limits.stall, time)
      const next = redirectOf(answer, target)
      if (!next) return await use(sourceOf(answer, target))
      if (followed === FETCH_MAX_REDIRECTS) throw failure.sourceRedirects(FETCH_MAX_REDIRECTS)
      target = next
    } finally {
      socket.destroy()
    }
  }
}

function redirectOf({ status, headers }: Answer, from: Target): Target | null {
  if (!REDIRECTS.includes(status)) return null
  if (headers.location === undefined) throw failure.sourceStatus(status)
  const url = URL.parse(headers.location, from.url.href)
  if (!url) throw failure.sourceMalformed(new Error('an address that is none in Location'))
  return targetOf(url)
}

function sourceOf({ status, headers, bytes }: Answer, { url }: Target) {
  if (!WHOLE_STATUSES.includes(status)) throw failure.sourceStatus(status)
  if (!isUncompressed(headers)) throw failure.sourceEncoded()
  const length = headers['content-length']
  return {
    /** The address after all redirects. */
    url,
    /** Bytes that the source announced; null if it announced none. */
    announced: length === undefined ? null : Number(length),
    contentType: headers['content-type'] ?? '',
    disposition: headers['content-disposition'] ?? '',
    bytes,
  }
}

/**
 * Compressed answers are refused: their bytes are not a picture, and unpacking can make small answers very
 * large.
 */
function isUncompressed(headers: IncomingHttpHeaders): boolean {
  return ['', 'identity'].includes((headers['content-encoding'] ?? '').trim().toLowerCase())
}
