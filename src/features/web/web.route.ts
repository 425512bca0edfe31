/** `GET, HEAD /`, every address of the dashboard's pages, and the files that they load. */

import type { NewId } from '../../base/ids.ts'
import type { SettingValues } from '../../contract/service/settings.ts'
import { NONCE_PLACEHOLDER, SIGNED_OUT_PAGES } from '../../contract/service/web.ts'
import { failure } from '../../errors/errors.ts'
import { mayAccessOnlyFiles } from '../../http/access/files-host.ts'
import { acceptedEncoding, prefersHtml } from '../../http/answers/accept.ts'
import { matchesIfNoneMatch } from '../../http/answers/conditions.ts'
import type { RenderError } from '../../http/answers/render-error.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'
import { pathOf } from '../../http/url-parts.ts'
import type { FeatureParts } from '../feature.ts'
import { errorPage } from '../shares/error.page.ts'
import type { BuiltFile, BuiltFiles, ContentEncoding } from './built-files.ts'
import { pageHeaders } from './policy.ts'

const METHODS = ['GET', 'HEAD']
const ENCODINGS: readonly ContentEncoding[] = ['br', 'gzip']

/** Files with a hash in their name never change. The page that refers to them is revalidated. */
const CACHE_FOREVER = 'public, max-age=31536000, immutable'
const REVALIDATE = 'no-cache'

/** The dashboard's page, and the page for visitors who are not signed in. */
const PAGE_FILES = ['/index.html', '/entrance.html']

/** Number of characters of a nonce, of 5 random bits each. */
const NONCE_LENGTH = 26

/** Returns a function that answers the request; null if the request is for another route. */
type WebRoute = (request: IncomingRequest) => (() => Response) | null

interface WebRouteParts extends Pick<FeatureParts, 'settings' | 'newId'> {
  files: BuiltFiles
  renderError: RenderError
  isOtherRoute(path: string): boolean
}

export function webRoute({ files, settings, renderError, newId, isOtherRoute }: WebRouteParts): WebRoute {
  const [sendPage, sendEntrance] = PAGE_FILES.map(name => {
    const page = files.get(name)
    return page && pageSender(page, newId)
  })

  /** A page's address has no dot in its last segment, so that a missing file gets a 404. */
  const isPageRequest = (request: IncomingRequest, path: string) =>
    path === '/' ||
    (METHODS.includes(request.method) &&
      !/^\/api(?:\/|$)|\.[^/]*$|%/.test(path) &&
      !isOtherRoute(path) &&
      prefersHtml(request.headers.get('Accept')))

  function answer(
    request: IncomingRequest,
    send: ((request: IncomingRequest, settingValues: SettingValues) => Response) | undefined,
  ) {
    const settingValues = settings.current()
    const { FILES_HOST } = settingValues
    if (mayAccessOnlyFiles(request, FILES_HOST)) return renderError(failure.routeUnknown())
    if (!METHODS.includes(request.method)) return renderError(failure.methodUnknown(METHODS))
    return send ? send(request, settingValues) : answerNotBuilt(request)
  }

  function answerNotBuilt(request: IncomingRequest): Response {
    const error = failure.pagesNotBuilt()
    const response = renderError(error)
    response.headers.set('Vary', 'Accept')
    return prefersHtml(request.headers.get('Accept'))
      ? errorPage(error, response, settings.current())
      : response
  }

  return request => {
    const path = pathOf(request.url)
    if (isPageRequest(request, path))
      return () => answer(request, SIGNED_OUT_PAGES.includes(path) ? sendEntrance : sendPage)
    const file = PAGE_FILES.includes(path) ? undefined : files.get(path)
    return file ? () => answer(request, () => sendFile(request, file)) : null
  }
}

/**
 * Returns a function that sends the page, with a fresh nonce in each 200. The ETag contains the nonce, so
 * that a 304 can repeat the nonce of the browser's copy. Returns undefined for a page that an older version
 * has built without a placeholder for the nonce: browsers would refuse its scripts, so it counts as not
 * built.
 */
function pageSender(file: BuiltFile, newId: NewId) {
  const html = new TextDecoder().decode(file.bytes())
  if (!html.includes(NONCE_PLACEHOLDER)) return undefined
  return (request: IncomingRequest, settingValues: SettingValues): Response => {
    const cachedNonce = nonceOfCachedPage(request.headers.get('If-None-Match') ?? '', file.etag)
    const nonce = cachedNonce ?? newId(NONCE_LENGTH)
    const headers = {
      'Content-Type': file.type,
      'Cache-Control': REVALIDATE,
      ETag: `"${file.etag}.${nonce}"`,
      'X-Content-Type-Options': 'nosniff',
      ...pageHeaders(settingValues, nonce),
    }
    if (cachedNonce) return new Response(null, { status: 304, headers })
    const bytes = new TextEncoder().encode(html.replaceAll(NONCE_PLACEHOLDER, nonce))
    return new Response(request.method === 'HEAD' ? null : bytes, {
      headers: { ...headers, 'Content-Length': String(bytes.length) },
    })
  }
}

/**
 * The nonce of this page in the browser's cache; undefined if the browser has no copy of it. `header`:
 * `If-None-Match`. `etag`: that of the page without a nonce.
 */
function nonceOfCachedPage(header: string, etag: string): string | undefined {
  const etagStart = `"${etag}.`
  const nonceStart = header.indexOf(etagStart) + etagStart.length
  const nonceEnd = nonceStart + NONCE_LENGTH
  const nonce = header.slice(nonceStart, nonceEnd)
  return header.includes(etagStart) && header[nonceEnd] === '"' && /^[0-9a-z]+$/.test(nonce)
    ? nonce
    : undefined
}

function sendFile(request: IncomingRequest, file: BuiltFile): Response {
  const encoding = acceptedEncoding(
    request.headers.get('Accept-Encoding'),
    ENCODINGS.filter(candidate => file.encoded[candidate]),
  )
  const etag = `"${file.etag}${encoding ? `-${encoding}` : ''}"`
  const headers = {
    'Content-Type': file.type,
    'Cache-Control': file.hasHashedName ? CACHE_FOREVER : REVALIDATE,
    ETag: etag,
    Vary: 'Accept-Encoding',
    'X-Content-Type-Options': 'nosniff',
  }
  const cachedEtags = request.headers.get('If-None-Match')
  if (cachedEtags !== null && matchesIfNoneMatch(cachedEtags, etag))
    return new Response(null, { status: 304, headers })
  const bytes = encoding ? file.encoded[encoding]! : file.bytes()
  return new Response(request.method === 'HEAD' ? null : bytes, {
    headers: {
      ...headers,
      'Content-Length': String(bytes.length),
      ...(encoding && { 'Content-Encoding': encoding }),
    },
  })
}
