/**
 * Uploads by people, through the dashboard: forms with one or more files. ZIP archives among the files are
 * unpacked.
 */

import { lowerCaseAscii } from '../../contract/paths/lower-case.ts'
import { pathBelow } from '../../contract/paths/path-parts.ts'
import { Failure } from '../../errors/errors.ts'
import type { Actor } from '../../http/access/actor.ts'
import { type Area, refusePathsOutside } from '../../http/access/library-area.ts'
import { announcedDigests, checkDigests } from '../../http/bodies/digests.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'
import type { FeatureParts } from '../feature.ts'
import type { Media } from '../media/media.ts'
import type { RemoveMetadata } from '../upload/remove-metadata.ts'
import { uploadLimit } from '../upload/size-limit.ts'
import { createBatch } from './batch.ts'
import { readUploadForm } from './form.ts'
import { createTargetPathOf } from './target-path.ts'

export type DashUpload = ReturnType<typeof createDashUpload>

interface DashUploadParts extends Pick<FeatureParts, 'database' | 'storage' | 'settings' | 'newId'> {
  media: Media
  removeMetadata: RemoveMetadata
}

export function createDashUpload(parts: DashUploadParts) {
  const { storage, settings, newId } = parts
  const targetPathOf = createTargetPathOf(parts)
  /**
   * Stores the files of one request; a file that is refused is listed in the result. Rejects only if the
   * service itself fails or the whole request is refused, for example because its only file is an archive
   * that is refused.
   */
  return async (request: IncomingRequest, actor: Actor, allowedArea: Area) => {
    const limit = uploadLimit(settings)
    await using form = await readUploadForm(request, { storage, limit })
    const { folder, overwrite, shouldCleanNames, actionId: action = newId(), files } = form
    const [onlyFile] = files.length === 1 ? files : []
    if (onlyFile && !onlyFile.isArchive && !(onlyFile.bytes instanceof Failure)) {
      checkDigests(announcedDigests(request.headers), onlyFile.bytes)
    }
    const sentPaths = files.map(({ name }) => pathBelow(folder, name))
    // Paths are stored in lower case, but a file that is overwritten keeps its path, upper case included. So
    // with `overwrite` the paths are checked against the account's folders as they were sent. The batch
    // checks each final path again.
    refusePathsOutside(overwrite ? sentPaths : sentPaths.map(lowerCaseAscii), allowedArea)
    const batch = createBatch({
      ...parts,
      targetPathOf,
      limit,
      actor,
      allowedArea,
      overwrite,
      shouldCleanNames,
      actionId: action,
    })
    for (const file of files) await batch.storeOrRefuse(file, folder, files.length === 1)
    return batch
  }
}
