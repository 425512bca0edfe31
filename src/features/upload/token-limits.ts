/**
 * Checks what a token may store: below which path, which kinds, and how large. The quota is checked in
 * `media/quota.ts`.
 */

import type { Kind } from '../../contract/paths/kinds.ts'
import { isBelow } from '../../contract/paths/paths.ts'
import { failure } from '../../errors/errors.ts'
import type { Token } from '../../http/access/token.ts'
import type { SizeLimit } from '../../http/bodies/body.ts'
import { checkValidPath } from '../../http/path-check.ts'
import type { Settings } from '../settings/settings.ts'
import { uploadLimit } from './intake.ts'

/**
 * The size limit of one file: the token's own if it is stricter than `MAX_UPLOAD_MB`, otherwise that setting.
 */
export function sizeLimitOf({ maxFile }: Token, settings: Settings): SizeLimit {
  const generalLimit = uploadLimit(settings)
  return maxFile !== null && maxFile < generalLimit.bytes
    ? { bytes: maxFile, createError: () => failure.tokenFileTooLarge(maxFile) }
    : generalLimit
}

export function checkPath(token: Token, path: string): void {
  checkValidPath(path)
  if (token.prefix !== null && !isBelow(path, token.prefix)) throw failure.prefixForbidden(token.prefix)
}

export function requireKind(token: Token, kind: Kind): void {
  if (token.kinds && !token.kinds.includes(kind)) throw failure.kindForbidden(kind, token.kinds)
}
