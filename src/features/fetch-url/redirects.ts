/**
 * Opens the file at an address: follows and checks redirects, and refuses an answer that is not a complete,
 * uncompressed file.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { FETCH_MAX_REDIRECTS } from '../../contract/upload/ingest.ts'
import { failure } from '../../errors/errors.ts'
import { type Target, targetOf } from './check-target.ts'
import { connectTo } from './connection.ts'
import { type HttpAnswer, requestOverSocket } from './exchange.ts'
import type { Network } from './network.ts'

export type DownloadSource = ReturnType<typeof sourceOf>

const REDIRECT_STATUSES = [301, 302, 303, 307, 308]

/** Statuses of a complete file: not 206 (partial) or 204 (empty); 203 is a 200 that a proxy has modified. */
const COMPLETE_STATUSES = [200, 203]

/**
 * Opens the source, following redirects, runs `use` with it and always closes it. `deadline` limits
 * connecting and reading, including what `use` reads.
 */
export async function withSource<T>(
  address: string,
  network: Network,
  deadline: AbortSignal,
  use: (source: DownloadSource) => Promise<T>,
): Promise<T> {
  const firstUrl = URL.parse(address)
  if (!firstUrl) throw failure.fetchAddressBroken()
  let target = targetOf(firstUrl)
  for (let redirectCount = 0; ; redirectCount++) {
    const socket = await connectTo(target, network, deadline)
    try {
      const answer = await requestOverSocket(target, socket, network.limits.stall, deadline)
      const nextTarget = redirectOf(answer, target)
      if (!nextTarget) return await use(sourceOf(answer, target))
      if (redirectCount === FETCH_MAX_REDIRECTS) throw failure.sourceRedirects(FETCH_MAX_REDIRECTS)
      target = nextTarget
    } finally {
      socket.destroy()
    }
  }
}

function redirectOf({ status, headers }: HttpAnswer, currentTarget: Target): Target | null {
  if (!REDIRECT_STATUSES.includes(status)) return null
  if (headers.location === undefined) throw failure.sourceStatus(status)
  const url = URL.parse(headers.location, currentTarget.url.href)
  if (!url) throw failure.sourceMalformed(new Error('an address that is none in Location'))
  return targetOf(url)
}

function sourceOf({ status, headers, bytes }: HttpAnswer, { url }: Target) {
  if (!COMPLETE_STATUSES.includes(status)) throw failure.sourceStatus(status)
  if (!isUncompressed(headers)) throw failure.sourceEncoded()
  const contentLength = headers['content-length']
  return {
    /** The address after all redirects. */
    url,
    /** Bytes that the source announced; null if it announced none. */
    announcedBytes: contentLength === undefined ? null : Number(contentLength),
    contentType: headers['content-type'] ?? '',
    disposition: headers['content-disposition'] ?? '',
    bytes,
  }
}

/**
 * Compressed answers are refused: their bytes are not those of the file, and unpacking can make small answers
 * very large.
 */
function isUncompressed(headers: IncomingHttpHeaders): boolean {
  return ['', 'identity'].includes((headers['content-encoding'] ?? '').trim().toLowerCase())
}
