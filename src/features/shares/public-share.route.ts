/**
 * The public routes of a share link: `GET, HEAD /s/<key>` as JSON or as a page, and `/s/<key>/zip`. If
 * `FILES_HOST` is set, they are served only on that host.
 */
import { z } from 'zod'
import { SHARE_ZIP_SUFFIX, sharedFolderAnswer, shareZipQuery } from '../../contract/files/shares.ts'
import { SHARE_ROUTE } from '../../contract/paths/addresses.ts'
import { isValidPath } from '../../contract/paths/path-rules.ts'
import { ownValue } from '../../contract/values/own-value.ts'
import { ENGLISH_SENTENCES } from '../../contract/words/english.ts'
import { Failure, failure } from '../../errors/errors.ts'
import type { PeerAddresses } from '../../http/access/client-address.ts'
import { mayAccessFiles } from '../../http/access/files-host.ts'
import { everythingBelow } from '../../http/access/library-area.ts'
import { answerPreflight, withCors } from '../../http/answers/cors.ts'
import { pageLanguageOf } from '../../http/answers/language.ts'
import type { RenderError } from '../../http/answers/render-error.ts'
import { textStream } from '../../http/bodies/streams.ts'
import { createAnswer } from '../../http/server/answers.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'
import { pathOf, queryOf } from '../../http/url-parts.ts'
import type { FeatureParts } from '../feature.ts'
import { directSubfolders, readAreaTotals } from '../folders/folders.store.ts'
import { errorPage } from './error.page.ts'
import { wantsPage } from './page-audience.ts'
import { pageHeaders } from './page-frame.ts'
import { AFTER_PARAMETER, FOLDER_PARAMETER, sharePage } from './share.page.ts'
import type { ShareZip } from './share-zip.ts'
import { listSharedFiles, sharedFilesJson } from './shared-files.ts'
import type { ShareRow } from './shares.store.ts'
import type { Shares } from './shares.ts'

const METHODS = ['GET', 'HEAD', 'OPTIONS']

/** Files per page: few enough that a phone can show them all. */
const FILES_PER_PAGE = 200

/**
 * Headers of pages, JSON, archives and refusals. Among other things, they keep these answers out of caches,
 * where they would remain after the link is revoked. They also keep the address of the link out of other
 * sites' logs and out of search engines.
 */
const SHARE_HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
  Vary: 'Accept, Accept-Language, User-Agent',
}

const PATH = `${SHARE_ROUTE}:schluessel`

/** Descriptions for the API document, because it cannot find these routes in the router. */
export const PUBLIC_SHARE_ROUTES = [
  {
    method: 'GET',
    path: PATH,
    api: {
      summary: 'Die Dateien eines freigegebenen Ordners; mit Accept: text/html als Seite',
      answer: sharedFolderAnswer,
      answerTypes: { 'text/html': z.string() },
    },
  },
  {
    method: 'GET',
    path: `${PATH}${SHARE_ZIP_SUFFIX}`,
    api: {
      summary: 'Ein freigegebener Ordner mit seinen Unterordnern als ZIP',
      query: shareZipQuery,
      answerType: 'application/zip',
    },
  },
] as const

/** Answers a request; null if it is for another route. */
type ShareRoute = (request: IncomingRequest, peers: PeerAddresses) => Promise<Response> | null

interface ShareRouteParts extends Pick<FeatureParts, 'database' | 'settings'> {
  shares: Shares
  zip: ShareZip
  renderError: RenderError
}

export function createPublicShareRoute(parts: ShareRouteParts): ShareRoute {
  const { database, shares, zip, settings, renderError } = parts

  async function pageAnswer(request: IncomingRequest, share: ShareRow): Promise<Response> {
    const { PUBLIC_URL, DIENST } = settings.current()
    const language = pageLanguageOf(request)
    const query = queryOf(request.url)
    const subfolder = query.get(FOLDER_PARAMETER) ?? ''
    const folder = subfolderPath(share, subfolder)
    const afterName = query.get(AFTER_PARAMETER) ?? ''
    const area = everythingBelow(folder)
    const [files, totals, { folders }] = await Promise.all([
      listSharedFiles(
        database,
        { folder, publicUrl: PUBLIC_URL },
        { after: afterName, limit: FILES_PER_PAGE },
      ),
      readAreaTotals(database.slowRead, area),
      directSubfolders(database, area),
    ])
    const html = sharePage({
      shareKey: share.key,
      publicUrl: PUBLIC_URL,
      language,
      folder: share.folder,
      subfolder,
      serviceName: DIENST,
      validUntil: share.valid_until,
      totals,
      folders,
      page: files,
      isLaterPage: afterName !== '',
    })
    return new Response(html, { headers: { ...SHARE_HEADERS, ...pageHeaders(PUBLIC_URL, language) } })
  }

  function jsonAnswer(request: IncomingRequest, share: ShareRow): Response {
    const shareView = { folder: share.folder, publicUrl: settings.current().PUBLIC_URL }
    const body = request.method === 'HEAD' ? null : textStream(sharedFilesJson(database, shareView))
    return createAnswer(body, {
      headers: { ...SHARE_HEADERS, 'Content-Type': 'application/json; charset=utf-8' },
    })
  }

  /**
   * The answer to a refused request. It is the same whether the key never existed, was revoked or has
   * expired.
   */
  function refusalAnswer(request: IncomingRequest, error: Failure): Response {
    const answer = renderError(error)
    for (const [name, value] of Object.entries(SHARE_HEADERS)) answer.headers.set(name, value)
    if (!wantsPage(request)) return answer
    const language = pageLanguageOf(request)
    const sentence = (language === 'en' && ownValue(ENGLISH_SENTENCES, error.code)) || error.sentence
    return errorPage({ sentence, language }, answer, settings.current())
  }

  async function answer(request: IncomingRequest, peers: PeerAddresses, subpath: string): Promise<Response> {
    const { FILES_HOST } = settings.current()
    if (!mayAccessFiles(request, FILES_HOST)) throw failure.routeUnknown()
    if (request.method === 'OPTIONS') return answerPreflight(request, METHODS)
    if (!METHODS.includes(request.method)) throw failure.methodUnknown(METHODS)
    const isZip = subpath.endsWith(SHARE_ZIP_SUFFIX)
    const key = isZip ? subpath.slice(0, -SHARE_ZIP_SUFFIX.length) : subpath
    try {
      const share = await shares.find(key)
      if (!share) throw failure.shareAbsent()
      if (!isZip) return wantsPage(request) ? await pageAnswer(request, share) : jsonAnswer(request, share)
      const folder = subfolderPath(share, queryOf(request.url).get(FOLDER_PARAMETER) ?? '')
      return await zip({ request, peers, key, folder, headers: SHARE_HEADERS })
    } catch (error) {
      if (error instanceof Failure) return refusalAnswer(request, error)
      throw error
    }
  }

  return (request, peers) => {
    const path = pathOf(request.url)
    if (!path.startsWith(SHARE_ROUTE)) return null
    return answer(request, peers, path.slice(SHARE_ROUTE.length)).catch(renderError).then(withCors)
  }
}

/**
 * The full path of the requested subfolder. It is always inside the shared folder, because a valid path
 * contains no `..`.
 */
function subfolderPath({ folder }: ShareRow, subfolder: string): string {
  if (subfolder === '') return folder
  if (!isValidPath(subfolder)) throw failure.folderAbsent()
  return `${folder}/${subfolder}`
}
