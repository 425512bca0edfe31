/**
 * Checks what a token may store: below which path, and which kinds. Its size limit is in `size-limit.ts`,
 * its quota in `media/quota.ts`.
 */

import type { Kind } from '../../contract/paths/kinds.ts'
import { isBelow } from '../../contract/paths/path-parts.ts'
import { failure } from '../../errors/errors.ts'
import type { Token } from '../../http/access/token.ts'
import { checkValidPath } from '../../http/path-check.ts'

export function checkPath(token: Token, path: string): void {
  checkValidPath(path)
  if (token.prefix !== null && !isBelow(path, token.prefix)) throw failure.prefixForbidden(token.prefix)
}

export function requireKind(token: Token, kind: Kind): void {
  if (token.kinds && !token.kinds.includes(kind)) throw failure.kindForbidden(kind, token.kinds)
}
