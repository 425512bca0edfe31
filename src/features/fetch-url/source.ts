/** The file behind an address: redirects followed, each judged like the first; everything but a whole file refused. */
import type { IncomingHttpHeaders } from 'node:http'
import { FETCH_MAX_REDIRECTS } from '../../contract/ingest.ts'
import { failure } from '../../errors.ts'
import { connectTo } from './connection.ts'
import { type Answer, exchange } from './exchange.ts'
import type { Network } from './network.ts'
import { type Target, targetOf } from './target.ts'

export interface Source {
  /** Where the file really was. */
  url: URL
  /** Its size, when the source said so. */
  announced: number | null
  contentType: string
  disposition: string
  bytes: AsyncIterable<Uint8Array>
}

const REDIRECTS = [301, 302, 303, 307, 308]

/** Not 206, which is a part, nor 204, which is nothing. 203 is the file by way of a proxy. */
const WHOLE = [200, 203]

/** Runs `use` with the open source and closes it afterwards, whatever happens. `time` covers all of it. */
export async function withSource<T>(
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

function sourceOf({ status, headers, bytes }: Answer, { url }: Target): Source {
  if (!WHOLE.includes(status)) throw failure.sourceStatus(status)
  if (!isPlain(headers)) throw failure.sourceEncoded()
  const length = headers['content-length']
  return {
    url,
    announced: length === undefined ? null : Number(length),
    contentType: headers['content-type'] ?? '',
    disposition: headers['content-disposition'] ?? '',
    bytes,
  }
}

/** Packed bytes under the name of a picture would be no picture; and unpacking is how small answers become large. */
function isPlain(headers: IncomingHttpHeaders): boolean {
  return ['', 'identity'].includes((headers['content-encoding'] ?? '').trim().toLowerCase())
}
