/** The dashboard's library: the routes that list files and folders, and those that change them. */

import type { RenderError } from '../../http/answers/render.ts'
import type { FeatureParts } from '../feature.ts'
import { changeRoutes } from './change/changes.route.ts'
import type { FilesParts } from './list/files.ts'
import { libraryRoutes } from './list/library.route.ts'

export const createLibraryFeature = (parts: FeatureParts & FilesParts & { renderError: RenderError }) => ({
  routes: { session: [...libraryRoutes(parts), ...changeRoutes(parts)] },
})
