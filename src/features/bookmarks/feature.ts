/** Pinned folders and saved filters of each account, `/api/dash/merkzettel`. */
import {
  BOOKMARKS_ROUTE,
  type Bookmarks,
  bookmarksAnswer,
  bookmarksInput,
} from '../../contract/accounts/bookmarks.ts'
import { failure } from '../../errors/errors.ts'
import { type Area, isFolderInside } from '../../http/access/library-area.ts'
import { sessionRoute } from '../../http/route-rights.ts'
import type { FeatureParts } from '../feature.ts'
import { readBookmarks, replaceBookmarks } from './bookmarks.store.ts'

export function createBookmarksFeature({ database }: Pick<FeatureParts, 'database'>) {
  const routes = [
    sessionRoute('GET', BOOKMARKS_ROUTE, {
      role: 'ansicht',
      targets: 'nothing',
      summary: 'Die angehefteten Ordner und gespeicherten Filter des eigenen Kontos',
      answer: bookmarksAnswer,
      handle: async (_, { account, allowedArea: accountArea }) =>
        visibleBookmarks(accountArea, await readBookmarks(database.read, account.id)),
    }),
    sessionRoute('PUT', BOOKMARKS_ROUTE, {
      role: 'ansicht',
      targets: 'nothing',
      summary: 'Ersetzt die angehefteten Ordner und gespeicherten Filter des eigenen Kontos',
      body: bookmarksInput,
      answer: bookmarksAnswer,
      async handle({ body }, { account, allowedArea: accountArea }) {
        if (!body.ordner.every(folder => isFolderInside(folder, accountArea))) throw failure.folderForbidden()
        await database.transaction(tx => replaceBookmarks(tx, account.id, body))
        return body
      },
    }),
  ]
  return { routes: { session: routes } }
}

/** Omits pinned folders that the account may no longer see. */
const visibleBookmarks = (accountArea: Area, { ordner, filter }: Bookmarks): Bookmarks => ({
  ordner: ordner.filter(folder => isFolderInside(folder, accountArea)),
  filter,
})
