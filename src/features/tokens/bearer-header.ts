/** The scope of the token routes: a request must have the header `Authorization: Bearer <token>`. */
import type { Token } from '../../http/access/actor.ts'
import type { RouteScope } from '../../http/routes.ts'
import type { Tokens } from './tokens.ts'

const BEARER_PATTERN = /^\s*Bearer\s+(\S+)\s*$/i

export function tokenScope(tokens: Tokens): RouteScope<Token> {
  return request =>
    tokens.authenticate(BEARER_PATTERN.exec(request.headers.get('Authorization') ?? '')?.[1] ?? null)
}
