/**
 * Checks what a token may do: below which path it may store, which kinds, and what it may delete. The
 * limits of size and edge are in `upload/size-limit.ts` and `upload/edge-limit.ts`, the quota is in
 * `media/quota.ts`.
 */

import type { Kind } from '../../contract/paths/kinds.ts'
import { isBelow } from '../../contract/paths/path-parts.ts'
import { failure } from '../../errors/errors.ts'
import type { Token } from '../../http/access/actor.ts'
import { checkValidPath } from '../../http/path-check.ts'

export function checkPath(token: Token, path: string): void {
  checkValidPath(path)
  if (token.prefix !== null && !isBelow(path, token.prefix)) throw failure.prefixForbidden(token.prefix)
}

export function requireKind(token: Token, kind: Kind): void {
  if (token.kinds && !token.kinds.includes(kind)) throw failure.kindForbidden(kind, token.kinds)
}

/** Throws unless the token may delete this path: the right applies only below the token's prefix. */
export function checkDelete(token: Token, path: string): void {
  const { mayDelete, prefix } = token
  if (!mayDelete) throw failure.deleteForbidden()
  if (prefix !== null && !isBelow(path, prefix)) throw failure.deleteOutsidePrefix(prefix)
}
