/**
 * Removes location and camera data from JPEG, PNG and WebP pictures before they are stored, if the token says
 * so. If the token says nothing, the setting `EXIF_ENTFERNEN` decides.
 */
import { createHash } from 'node:crypto'
import { writeWithoutMetadata } from '../../images/metadata/metadata.ts'
import type { Staging, Storage } from '../../storage/storage.ts'
import type { Settings } from '../settings/settings.ts'

interface StagedFile {
  staging: Staging
  size: number
  sha256: string
}

/**
 * Returns the file to store: the given one, or a new one without metadata. The caller discards both.
 * `tokenChoice` is the choice of the token; without one, the setting decides.
 */
export type RemoveMetadata = (file: StagedFile, tokenChoice?: boolean | null) => Promise<StagedFile>

export function createRemoveMetadata(parts: { storage: Storage; settings: Settings }): RemoveMetadata {
  const { storage, settings } = parts
  return async (file, tokenChoice) => {
    if (!(tokenChoice ?? settings.current().EXIF_ENTFERNEN === 'ja')) return file
    const staging = await storage.stage()
    try {
      const hash = createHash('sha256')
      let size = 0
      const isRewritten = await writeWithoutMetadata(await file.staging.file(), async bytes => {
        hash.update(bytes)
        size += bytes.length
        await staging.write(bytes)
      })
      if (isRewritten) {
        await staging.finish()
        return { staging, size, sha256: hash.digest('hex') }
      }
    } catch (error) {
      await staging.discard()
      throw error
    }
    await staging.discard()
    return file
  }
}
