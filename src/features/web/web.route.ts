/** `GET, HEAD /` and every address of the dashboard's pages, and the files they load. */
import { failure } from '../../errors.ts'
import { acceptedEncoding, prefersHtml } from '../../http/accept.ts'
import { matchesNone } from '../../http/conditions.ts'
import { pathOf } from '../../http/path.ts'
import type { RenderError } from '../../http/render.ts'
import { isForHost } from '../../http/site.ts'
import type { Settings } from '../settings/settings.ts'
import { errorPage } from '../shares/error.page.ts'
import type { BuiltFile, BuiltFiles, Encoding } from './built.ts'
import { pageHeaders } from './policy.ts'

const METHODS = ['GET', 'HEAD']
const ENCODINGS: readonly Encoding[] = ['br', 'gzip']

/** A name with a hash stands for its content for ever; the page that names them is asked for each time. */
const FOREVER = 'public, max-age=31536000, immutable'
const ASK_AGAIN = 'no-cache'

/** Answers a request for a page or one of its files; null when it is for another route. */
export type WebRoute = (request: Request) => Response | null

export interface WebRouteParts {
  files: BuiltFiles
  settings: Settings
  renderError: RenderError
  /** Whether another route answers this path. */
  isTaken(path: string): boolean
}

export function webRoute({ files, settings, renderError, isTaken }: WebRouteParts): WebRoute {
  const index = files.get('/index.html') ?? null

  /** A page's address has no dot in its last part, so that a file that is not there stays a 404. */
  const isPage = (request: Request, path: string) =>
    path === '/' ||
    (METHODS.includes(request.method) &&
      !/^\/api(?:\/|$)|\.[^/]*$|%/.test(path) &&
      !isTaken(path) &&
      prefersHtml(request.headers.get('Accept')))

  function answer(request: Request, file: BuiltFile | null): Response {
    const { FILES_HOST, PUBLIC_URL } = settings.current()
    if (FILES_HOST !== '' && isForHost(request, FILES_HOST)) return renderError(failure.routeUnknown())
    if (!METHODS.includes(request.method)) return renderError(failure.methodUnknown(METHODS))
    return file ? send(request, file, PUBLIC_URL) : notBuilt(request)
  }

  function notBuilt(request: Request): Response {
    const error = failure.pagesNotBuilt()
    const answer = renderError(error)
    answer.headers.set('Vary', 'Accept')
    return prefersHtml(request.headers.get('Accept')) ? errorPage(error, answer, settings.current()) : answer
  }

  return request => {
    const path = pathOf(request.url)
    if (isPage(request, path)) return answer(request, index)
    const file = path === '/index.html' ? undefined : files.get(path)
    return file ? answer(request, file) : null
  }
}

function send(request: Request, file: BuiltFile, publicUrl: string): Response {
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
    ...(!file.hashed && pageHeaders(publicUrl)),
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
