/** `GET /api/dateien`: lists files for a program whose token has the right to read. */

import { tokenFilesAnswer, tokenFilesQuery } from '../../../contract/files/library.ts'
import { isBelow } from '../../../contract/paths/path-parts.ts'
import { Failure, failure } from '../../../errors/errors.ts'
import type { Token } from '../../../http/access/actor.ts'
import { everythingBelow } from '../../../http/access/library-area.ts'
import { JSON_MEDIA_TYPE, type Route, route } from '../../../http/routes.ts'
import type { FeatureParts } from '../../feature.ts'
import { createReadLibraryPage } from './library-page.ts'

export function tokenFilesRoute(parts: Pick<FeatureParts, 'database' | 'settings' | 'now'>): Route<Token> {
  const readPage = createReadLibraryPage(parts)
  return route('GET', '/api/dateien', {
    summary: 'Dateien unter dem Präfix des Tokens, seitenweise; braucht das Recht dazu',
    query: tokenFilesQuery,
    answer: tokenFilesAnswer,
    answerType: JSON_MEDIA_TYPE,
    async handle({ query }, token: Token) {
      const folder = query.ordner ?? token.prefix?.slice(0, -1) ?? ''
      checkReadAccess(token, folder)
      const { dateien, gesamt } = await readPage({ ...query, ordner: folder }, everythingBelow(folder)).catch(
        error => {
          // A folder exists only while it contains files. If the request names no folder and there are no
          // files below the prefix of the token, the answer is an empty list instead of an error.
          if (query.ordner === undefined && error instanceof Failure && error.code === 'folder-absent')
            return { dateien: [], gesamt: 0 }
          throw error
        },
      )
      return {
        dateien: dateien.map(({ path, url, size, sha256, mime, updated_at }) => ({
          path,
          url,
          size,
          sha256,
          mime,
          updated_at,
        })),
        gesamt,
      }
    },
  })
}

function checkReadAccess({ mayRead, prefix }: Token, folder: string): void {
  if (!mayRead) throw failure.readForbidden()
  if (prefix !== null && !isBelow(`${folder}/`, prefix)) throw failure.readOutsidePrefix(prefix)
}
