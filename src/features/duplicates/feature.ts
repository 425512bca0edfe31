/** Files with equal contents: lists them in groups, and moves all but one file of each group to the trash. */
import type { FeatureParts } from '../feature.ts'
import type { FileChangeParts } from '../library/change/change-files.ts'
import { duplicatesRoutes } from './duplicates.route.ts'
import { createDuplicates } from './duplicates.ts'

export const createDuplicatesFeature = (parts: FeatureParts & FileChangeParts) => ({
  routes: { session: duplicatesRoutes(createDuplicates(parts), parts.settings) },
})
