/** Finds the files that a dashboard form names: selected files, or the whole result of a list. */
import type { z } from 'zod'
import type { chosenFilesForm } from '../../../contract/files/download.ts'
import { nameOf } from '../../../contract/paths/path-parts.ts'
import type { Database } from '../../../database/database.ts'
import { failure } from '../../../errors/errors.ts'
import type { Area, RequestTargets } from '../../../http/access/library-area.ts'
import type { FeatureParts } from '../../feature.ts'
import { filesAtPaths } from '../../folders/files-below.ts'
import { keyOf } from '../../folders/folder-keys.ts'
import { createResultFinder } from './list-result.ts'

type FileChoice = z.output<typeof chosenFilesForm>

export function createFindChosenFiles({ database, now }: Pick<FeatureParts, 'database' | 'now'>) {
  const resultFinder = createResultFinder({ database, now })
  /**
   * Returns the row numbers of the files and the name of the download. `omittedLength`: the number of
   * characters to omit from the start of each path in an archive or a list. Rejects with 404 if there are no
   * files.
   */
  return async ({ pfade, treffer }: FileChoice, area: Area) => {
    const chosenFiles = treffer
      ? {
          numbers: (await resultFinder.find(treffer, area)).numbers,
          omittedLength: keyOf(treffer.ordner).length,
          name: nameOf(treffer.ordner) || 'fundus',
        }
      : await filesByPath(database, pfade ?? [])
    if (chosenFiles.numbers.length === 0) throw failure.fileAbsent()
    return chosenFiles
  }
}

/** The files at these paths; paths without a file are left out. */
async function filesByPath({ slowRead: db }: Database, paths: readonly string[]) {
  const files = []
  for await (const batch of filesAtPaths(db, paths)) files.push(...batch)
  return {
    numbers: files.map(({ nr }) => nr),
    omittedLength: commonFolderLength(files.map(({ path }) => path)),
    name: 'auswahl',
  }
}

/** Length of the common folder of all paths, including its final `/`. */
function commonFolderLength(paths: readonly string[]): number {
  const [firstPath = '', ...otherPaths] = paths
  let length = firstPath.lastIndexOf('/') + 1
  for (const path of otherPaths) {
    while (!path.startsWith(firstPath.slice(0, length))) length = firstPath.lastIndexOf('/', length - 2) + 1
  }
  return length
}

/**
 * Returns the value for the `targets` option of a route: the paths of the selected files, or the folder of
 * the list.
 */
export const targetsOfChoice = ({ pfade, treffer }: FileChoice): RequestTargets => ({
  ...(pfade && { paths: pfade }),
  ...(treffer && { baseFolder: treffer.ordner }),
})
