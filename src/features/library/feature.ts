/**
 * The library: the dashboard routes that list and change files and folders, and the route that lists files
 * for tokens.
 */

import type { RenderError } from '../../http/answers/render-error.ts'
import type { FeatureParts } from '../feature.ts'
import type { FileChangeParts } from './change/change-files.ts'
import { changeRoutes } from './change/changes.route.ts'
import type { UndoDeletionParts } from './change/undo-deletion.ts'
import { libraryRoutes } from './list/library.route.ts'
import { tokenFilesRoute } from './list/token-files.route.ts'

export const createLibraryFeature = (
  parts: FeatureParts & FileChangeParts & UndoDeletionParts & { renderError: RenderError },
) => ({
  routes: {
    token: [tokenFilesRoute(parts)],
    session: [...libraryRoutes(parts), ...changeRoutes(parts)],
  },
})
