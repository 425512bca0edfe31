/** The library of the dashboard: lists of files and folders, and what is done to them. */
import type { FeatureParts } from '../../feature.ts'
import { changeRoutes } from './changes.route.ts'
import type { FilesParts } from './files.ts'
import { libraryRoutes } from './library.route.ts'

export const createLibraryFeature = (parts: FeatureParts & FilesParts) => ({
  routes: { session: [...libraryRoutes(parts), ...changeRoutes(parts)] },
})
