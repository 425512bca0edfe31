/** What a token may store: below which path, which kinds, and how large. The quota is in `media/quota.ts`. */

import type { Kind } from '../../contract/paths/kinds.ts'
import { isBelow } from '../../contract/paths/paths.ts'
import { failure } from '../../errors/errors.ts'
import type { Token } from '../../http/access/token.ts'
import type { SizeLimit } from '../../http/bodies/body.ts'
import { checkValidPath } from '../../http/path-check.ts'
import type { Settings } from '../settings/settings.ts'
import { uploadLimit } from './intake.ts'

/** The token's own limit if it is stricter than `MAX_UPLOAD_MB`. */
export function sizeLimitOf({ maxFile }: Token, settings: Settings): SizeLimit {
  const generalLimit = uploadLimit(settings)
  return maxFile !== null && maxFile < generalLimit.bytes
    ? { bytes: maxFile, exceeded: () => failure.tokenFileTooLarge(maxFile) }
    : generalLimit
}

export function checkPath(token: Token, path: string): void {
  checkValidPath(path)
  if (token.prefix !== null && !isBelow(path, token.prefix)) throw failure.prefixForbidden(token.prefix)
}

export function requireKind(token: Token, kind: Kind): void {
  if (token.kinds && !token.kinds.includes(kind)) throw failure.kindForbidden(kind, token.kinds)
}
