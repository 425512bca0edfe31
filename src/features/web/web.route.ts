/** `GET, HEAD /`, every address of the dashboard's pages, and the files that they load. */

import type { NewId } from '../../base/ids.ts'
import type { SettingValues } from '../../contract/service/settings.ts'
import { ENTRANCE_PAGES, NONCE_PLACE } from '../../contract/service/web.ts'
import { failure } from '../../errors/errors.ts'
import { mayAskOnlyForFiles } from '../../http/access/files-host.ts'
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
 * The content of a file with a hash in its name never changes. The page that names such files is revalidated.
 */
const FOREVER = 'public, max-age=31536000, immutable'
const ASK_AGAIN = 'no-cache'

/** The page of the dashboard, and the page for people who are not signed in. */
const PAGES = ['/index.html', '/entrance.html']

/** Number of characters, which hold 130 bits. */
const NONCE_LENGTH = 26

/** Returns a function that answers the request; null if the request is for another route. */
type WebRoute = (request: IncomingRequest) => (() => Response) | null

interface WebRouteParts extends Pick<FeatureParts, 'settings' | 'newId'> {
  files: BuiltFiles
  renderError: RenderError
  isTaken(path: string): boolean
}

export function webRoute({ files, settings, renderError, newId, isTaken }: WebRouteParts): WebRoute {
  const [sendPage, sendEntrance] = PAGES.map(name => {
    const page = files.get(name)
    return page && pageSender(page, newId)
  })

  /** A page's address has no dot in its last part, so that a missing file stays a 404. */
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
    if (mayAskOnlyForFiles(request, FILES_HOST)) return renderError(failure.routeUnknown())
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
    if (isPage(request, path))
      return () => answer(request, ENTRANCE_PAGES.includes(path) ? sendEntrance : sendPage)
    const file = PAGES.includes(path) ? undefined : files.get(path)
    return file ? () => answer(request, () => sendFile(request, file)) : null
  }
}

/**
 * Sends the page with a fresh nonce in each answer. The ETag has the nonce too, so that a 304 repeats the
 * policy of the browser's copy. A page built by an older version has no placeholder for a nonce; its scripts
 * would be refused, so it counts as not built.
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

/** The nonce of the copy that the browser has, if it is a copy of this page. */
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
