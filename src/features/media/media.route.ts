/**
 * Routes with which a token asks about a file or deletes it: `GET /api/exists`, `GET /api/exists/<pfad>`,
 * `DELETE /api/media/<pfad>`.
 */

import { fileAddress } from '../../contract/paths/addresses.ts'
import { deletedAnswer, existsAnswer, existsQuery } from '../../contract/upload/upload.ts'
import { failure } from '../../errors/errors.ts'
import type { Token } from '../../http/access/actor.ts'
import { checkValidPath } from '../../http/path-check.ts'
import { JSON_MEDIA_TYPE, type Route, route } from '../../http/routes.ts'
import { queryOf } from '../../http/url-parts.ts'
import type { FeatureParts } from '../feature.ts'
import { checkDelete } from '../tokens/check-limits.ts'
import { findByPath } from './media.store.ts'
import type { Media } from './media.ts'

export interface MediaRouteParts extends Pick<FeatureParts, 'database' | 'settings'> {
  media: Media
}

export function mediaRoutes({ database, media, settings }: MediaRouteParts): Route<Token>[] {
  async function lookUpFile(path: string | null) {
    if (path === null) throw failure.pathMissing()
    checkValidPath(path)
    const url = fileAddress(settings.current().PUBLIC_URL, path)
    const file = await findByPath(database.read, path)
    if (!file) return { exists: false, path, url }
    const { size, sha256, updated_at } = file
    return { exists: true, path, url, size, sha256, updated_at }
  }

  return [
    route('GET', '/api/exists', {
      summary: 'Ob es eine Datei gibt',
      // Described only for the API document: the handler reads the query itself, since a missing path has its
      // own error.
      handlerInput: { query: existsQuery },
      answer: existsAnswer,
      handle: ({ request }) => lookUpFile(queryOf(request.url).get('pfad')),
    }),
    // The older form, for existing clients.
    route('GET', '/api/exists/:pfad{.+}', {
      summary: 'Dasselbe in der älteren Form',
      answer: existsAnswer,
      handle: ({ param }) => lookUpFile(param('pfad')),
    }),
    route('DELETE', '/api/media/:pfad{.+}', {
      summary: 'Löscht eine Datei endgültig; braucht das Recht dazu',
      answer: deletedAnswer,
      answerType: JSON_MEDIA_TYPE,
      async handle({ param }, token: Token) {
        const path = param('pfad')
        checkValidPath(path)
        checkDelete(token, path)
        if (!(await media.remove(path, { token }))) throw failure.fileAbsent()
        return { deleted: path }
      },
    }),
  ]
}
