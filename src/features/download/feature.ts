/** The routes that download files of the library as a ZIP. */
import { downloadRoutes } from './download.route.ts'

export const createDownloadFeature = (parts: Parameters<typeof downloadRoutes>[0]) => ({
  routes: { session: downloadRoutes(parts) },
})
