/** Files of the library as a ZIP, for people. */
import { downloadRoutes } from './download.route.ts'

export const createDownloadFeature = (parts: Parameters<typeof downloadRoutes>[0]) => ({
  routes: { session: downloadRoutes(parts) },
})
