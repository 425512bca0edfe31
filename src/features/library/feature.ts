/** The feature of the dashboard's library: the routes that list files and folders, and those that change them. */
import type { FeatureParts } from '../../feature.ts'
import type { RenderError } from '../../http/render.ts'
import { changeRoutes } from './changes.route.ts'
import type { FilesParts } from './files.ts'
import { libraryRoutes } from './library.route.ts'

export const createLibraryFeature = (parts: FeatureParts & FilesParts & { renderError: RenderError }) => ({
  routes: { session: [...libraryRoutes(parts), ...changeRoutes(parts)] },
})
