/** How large an uploaded file may be. */

import { MEGABYTE } from '../../contract/values/units.ts'
import { failure } from '../../errors/errors.ts'
import type { Token } from '../../http/access/actor.ts'
import type { SizeLimit } from '../../http/bodies/body.ts'
import type { Settings } from '../settings/settings.ts'

/** The size limit of one file, from the current setting `MAX_UPLOAD_MB`. */
export function uploadLimit(settings: Settings): SizeLimit {
  const bytes = Math.floor(settings.current().MAX_UPLOAD_MB * MEGABYTE)
  return { bytes, createError: () => failure.uploadTooLarge(bytes) }
}

/**
 * The size limit of one file: the token's own if it is stricter than `MAX_UPLOAD_MB`, otherwise that setting.
 */
export function sizeLimitOf({ maxFile }: Token, settings: Settings): SizeLimit {
  const generalLimit = uploadLimit(settings)
  return maxFile !== null && maxFile < generalLimit.bytes
    ? { bytes: maxFile, createError: () => failure.tokenFileTooLarge(maxFile) }
    : generalLimit
}
