/** `GET, HEAD /`, every address of the dashboard's pages, and the files that the pages load. */

import type { NewId } from '../../base/ids.ts'
import type { SettingValues } from '../../contract/service/settings.ts'
import { NONCE_PLACE } from '../../contract/service/web.ts'
import { failure } from '../../errors/errors.ts'
import { isForHost } from '../../http/access/host-name.ts'
import { acceptedEncoding, prefersHtml } from '../../http/answers/accept.ts'
import { matchesNone } from '../../http/answers/conditions.ts'
import type { RenderError } from '../../http/answers/render.ts'
import { pathOf } from '../../http/path.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'
import type { FeatureParts } from '../feature.ts'
import { errorPage } from '../shares/error.page.ts'
import type { BuiltFile, BuiltFiles, Encoding } from './built.ts'
import { pageHeaders } from './policy.ts'

const METHODS = ['GET', 'HEAD']
const ENCODINGS: readonly Encoding[] = ['br', 'gzip']

/**
 * A name with a hash stands for its content for ever. The page that names such files is asked for each time.
 */
const FOREVER = 'public, max-age=31536000, immutable'
const ASK_AGAIN = 'no-cache'

/** Characters of a nonce: 130 bits, more than a page's policy asks for. */
const NONCE_LENGTH = 26

/**
 * Finds the answer to a request for a page or one of its files; null when the request is for another route.
 */
type WebRoute = (request: IncomingRequest) => (() => Response) | null

interface WebRouteParts extends Pick<FeatureParts, 'settings' | 'newId'> {
  files: BuiltFiles
  renderError: RenderError
  /** Whether another route answers this path. */
  isTaken(path: string): boolean
}

export function webRoute({ files, settings, renderError, newId, isTaken }: WebRouteParts): WebRoute {
  const index = files.get('/index.html')
  const sendPage = index && pageSender(index, newId)

  /** A page's address has no dot in its last part, so that the address of a missing file stays a 404. */
  const isPage = (request: IncomingRequest, path: string) =>
    path === '/' ||
    (METHODS.includes(request.method) &&
      !/^\/api(?:\/|$)|\.[^/]*$|%/.test(path) &&
      !isTaken(path) &&
      prefersHtml(request.headers.get('Accept')))

  function answer(
    request: IncomingRequest,
    send: ((request: IncomingRequest, values: SettingValues) => Response) | undefined,
  ) {
    const values = settings.current()
    const { FILES_HOST } = values
    if (FILES_HOST !== '' && isForHost(request, FILES_HOST)) return renderError(failure.routeUnknown())
    if (!METHODS.includes(request.method)) return renderError(failure.methodUnknown(METHODS))
    return send ? send(request, values) : notBuilt(request)
  }

  function notBuilt(request: IncomingRequest): Response {
    const error = failure.pagesNotBuilt()
    const answer = renderError(error)
    answer.headers.set('Vary', 'Accept')
    return prefersHtml(request.headers.get('Accept')) ? errorPage(error, answer, settings.current()) : answer
  }

  return request => {
    const path = pathOf(request.url)
    if (isPage(request, path)) return () => answer(request, sendPage)
    const file = path === '/index.html' ? undefined : files.get(path)
    return file ? () => answer(request, () => sendFile(request, file)) : null
  }
}

/**
 * Sends the one page, with a nonce of its own in each answer. The ETag carries the nonce too: a browser that
 * kept the page is told again the policy with which its copy was sent. A page that an older version built has
 * no place for a nonce; its scripts would be refused and leave the page blank, so such a page counts as not
 * built.
 */
function pageSender(file: BuiltFile, newId: NewId) {
  const html = new TextDecoder().decode(file.bytes)
  if (!html.includes(NONCE_PLACE)) return undefined
  return (request: IncomingRequest, values: SettingValues): Response => {
    const known = keptNonce(request.headers.get('If-None-Match') ?? '', file.etag)
    const nonce = known ?? newId(NONCE_LENGTH)
    const headers = {
      'Content-Type': file.type,
      'Cache-Control': ASK_AGAIN,
      ETag: `"${file.etag}.${nonce}"`,
      'X-Content-Type-Options': 'nosniff',
      ...pageHeaders(values, nonce),
    }
    if (known) return new Response(null, { status: 304, headers })
    const bytes = new TextEncoder().encode(html.replaceAll(NONCE_PLACE, nonce))
    return new Response(request.method === 'HEAD' ? null : bytes, {
      headers: { ...headers, 'Content-Length': String(bytes.length) },
    })
  }
}

/** The nonce of the copy that a browser has kept, if that copy is one of this page. */
function keptNonce(header: string, etag: string): string | undefined {
  const tag = `"${etag}.`
  const start = header.indexOf(tag) + tag.length
  const end = start + NONCE_LENGTH
  const nonce = header.slice(start, end)
  return header.includes(tag) && header[end] === '"' && /^[0-9a-z]+$/.test(nonce) ? nonce : undefined
}

function sendFile(request: IncomingRequest, file: BuiltFile): Response {
  const encoding = acceptedEncoding(
    request.headers.get('Accept-Encoding'),
    ENCODINGS.filter(each => file.encoded[each]),
  )
  const etag = `"${file.etag}${encoding ? `-${encoding}` : ''}"`
  const headers = {
    'Content-Type': file.type,
    'Cache-Control': file.hashed ? FOREVER : ASK_AGAIN,
    ETag: etag,
    Vary: 'Accept-Encoding',
    'X-Content-Type-Options': 'nosniff',
  }
  const known = request.headers.get('If-None-Match')
  if (known !== null && matchesNone(known, etag)) return new Response(null, { status: 304, headers })
  const bytes = encoding ? file.encoded[encoding]! : file.bytes
  return new Response(request.method === 'HEAD' ? null : bytes, {
    headers: {
      ...headers,
      'Content-Length': String(bytes.length),
      ...(encoding && { 'Content-Encoding': encoding }),
    },
  })
}
